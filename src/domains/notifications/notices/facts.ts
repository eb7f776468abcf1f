/** Facts for the sections of a mail: read in one go, so that no notice asks the database by itself. */
import type { Context } from '../../../context.ts';
import { findOwnTimeZone } from '../../directory/index.ts';
import { listReviewsByIds, type ReviewRow } from '../../reviews/index.ts';
import { countOpenAsked, hasDelegate, listRecipients, listTasksAsked, type Recipient } from './store-facts.ts';
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
  const open = new Map<string, ReadonlyMap<string, number>>();
  const asked = new Map<string, ReadonlySet<string>>();
  for (const place of places) {
    const personId = place === '' ? recipient.id : place;
    const share = place !== '' ? 'delegated' : (await hasDelegate(context, recipient.id)) ? 'left' : 'all';
    const mine = asking.filter(({ onBehalfId }) => onBehalfId === place);
    open.set(place, await countOpenAsked(context, personId, share, [...new Set(mine.map(({ reviewId }) => reviewId))]));
    const taskIds = mine.filter(({ kind }) => kind === 'TASK_REMINDED').map(({ subjectId }) => subjectId);
    asked.set(place, taskIds.length === 0 ? new Set() : await listTasksAsked(context, personId, share, taskIds));
  }
  return {
    recipient,
    now: context.now,
    timeZone: await findOwnTimeZone(context, recipient.id),
    people: await listRecipients(
      context,
      places.filter((id) => id !== ''),
    ),
    reviews: await listReviewsByIds(context, reviewIds),
    open: (onBehalfId, reviewId) => open.get(onBehalfId)?.get(reviewId) ?? 0,
    asks: (onBehalfId, taskId) => asked.get(onBehalfId)?.has(taskId) === true,
    subjects: await readSubjectFacts(context, recipient.id, notices),
    linkTo,
  };
}
