/** Facts for the sections of a mail: read in one go, so that no notice asks the database by itself. */
import type { Context } from '../../../context.ts';
import { findOwnTimeZone } from '../../../foundation/directory/index.ts';
import { listReviewsByIds, type ReviewRow } from '../../../governance/reviews/index.ts';
import { countItemOutcomes, endReasonsOfClose, listUnsigned } from '../../../governance/tasks/index.ts';
import { countLeftAsked, listAsked, listRecipients, type Recipient } from './store-facts.ts';
import type { NoticeRow } from './store-notices.ts';
import { isAsking } from './notices.ts';
import { readSubjectFacts, type SubjectFacts } from './subject-facts.ts';

/** Facts about everything in a mail. */
export interface Facts {
  readonly recipient: Recipient;
  readonly now: Date;
  /** The recipient's own, else that of the tenant. */
  readonly timeZone: string;
  readonly people: ReadonlyMap<string, Recipient>;
  readonly reviews: ReadonlyMap<string, ReviewRow>;
  /** Open tasks of a review that ask the person whose place it is. */
  open(onBehalfId: string, reviewId: string): number;
  /** True if a task is open and asks the person whose place it is. */
  asks(onBehalfId: string, taskId: string): boolean;
  /** Items of a closed review that nobody decided: of all for its owners, else of those that the recipient was asked about. */
  undecided(reviewId: string): number;
  /** Items in submissions to a review that nobody signed: of everybody's for the owners of a closed one, else of the recipient's. */
  unsigned(reviewId: string): number;
  /** Facts about no review alone. */
  readonly subjects: SubjectFacts;
  /** The address of a page. */
  linkTo(path: string): string;
}

/** Reads what these notices to somebody are about. */
export async function readFacts(
  context: Context,
  recipient: Recipient,
  notices: readonly NoticeRow[],
  linkTo: (path: string) => string,
): Promise<Facts> {
  const asking = notices.filter(({ kind }) => isAsking(kind));
  const places = [...new Set(asking.map(({ onBehalfId }) => onBehalfId))];
  const reviewIds = [...new Set(notices.map(({ reviewId }) => reviewId).filter((id) => id !== ''))];
  const named = asking.filter(({ kind }) => kind === 'TASK_REMINDED').map(({ subjectId }) => subjectId);
  const asked = await listAsked(context, recipient.id, [...new Set(asking.map(({ reviewId }) => reviewId))], named);
  const reviews = await listReviewsByIds(context, reviewIds);
  const closed = notices.flatMap(({ kind, reviewId }) => (kind === 'CLOSED' ? [reviewId] : []));
  const undecided = await readUndecided(context, recipient, closed, reviews);
  const unsigned = await readUnsigned(context, recipient, reviewIds, reviews);
  return {
    recipient,
    now: context.now,
    timeZone: await findOwnTimeZone(context, recipient.id),
    people: await listRecipients(
      context,
      places.filter((id) => id !== ''),
    ),
    reviews,
    undecided: (reviewId) => undecided.get(reviewId) ?? 0,
    unsigned: (reviewId) => unsigned.get(reviewId) ?? 0,
    open: (onBehalfId, reviewId) =>
      asked.reduce((sum, one) => sum + (one.onBehalfId === onBehalfId && one.reviewId === reviewId ? one.tasks : 0), 0),
    asks: (onBehalfId, taskId) => asked.some((one) => one.onBehalfId === onBehalfId && one.taskId === taskId),
    subjects: await readSubjectFacts(context, recipient.id, notices),
    linkTo,
  };
}

/** Reads what waits for a signature in reviews that ask for them, or waited for it when they closed. */
async function readUnsigned(
  context: Context,
  { id }: Recipient,
  reviewIds: readonly string[],
  reviews: ReadonlyMap<string, ReviewRow>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const reviewId of reviewIds.filter((one) => reviews.get(one)?.document.signatureConfig?.requireSignature === true)) {
    const review = reviews.get(reviewId);
    const isOwner = review?.state === 'CLOSED' && review.ownerIds.includes(id);
    const theirs = await listUnsigned(context, reviewId, isOwner ? undefined : id);
    found.set(
      reviewId,
      theirs.reduce((sum, { items }) => sum + items, 0),
    );
  }
  return found;
}

/** Reads what nobody decided in reviews that are closed, as far as it is the recipient's to know. */
async function readUndecided(
  context: Context,
  { id }: Recipient,
  reviewIds: readonly string[],
  reviews: ReadonlyMap<string, ReviewRow>,
): Promise<ReadonlyMap<string, number>> {
  if (reviewIds.length === 0) {
    return new Map();
  }
  const found = new Map(await countLeftAsked(context, id, reviewIds));
  for (const reviewId of reviewIds.filter((one) => reviews.get(one)?.ownerIds.includes(id) === true)) {
    const counts = await countItemOutcomes(context, reviewId);
    found.set(
      reviewId,
      counts.reduce((sum, { outcome, items }) => sum + (endReasonsOfClose.some((reason) => reason === outcome) ? items : 0), 0),
    );
  }
  return found;
}
