/** Facts for the sections of a mail: read in one go, so that no notice asks the database by itself. */
import type { Context } from '../../../context.ts';
import { findOwnTimeZone } from '../../directory/index.ts';
import { listReviewsByIds, type ReviewRow } from '../../reviews/index.ts';
import { listAsked, listRecipients, type Recipient } from './store-facts.ts';
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
  return {
    recipient,
    now: context.now,
    timeZone: await findOwnTimeZone(context, recipient.id),
    people: await listRecipients(
      context,
      places.filter((id) => id !== ''),
    ),
    reviews: await listReviewsByIds(context, reviewIds),
    open: (onBehalfId, reviewId) =>
      asked.reduce((sum, one) => sum + (one.onBehalfId === onBehalfId && one.reviewId === reviewId ? one.tasks : 0), 0),
    asks: (onBehalfId, taskId) => asked.some((one) => one.onBehalfId === onBehalfId && one.taskId === taskId),
    subjects: await readSubjectFacts(context, recipient.id, notices),
    linkTo,
  };
}
