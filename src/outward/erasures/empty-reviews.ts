/** Content of reviews goes when their years are over, unless a legal hold keeps it: the job, and whether there is anything to do. */
import type { Context } from '../../context.ts';
import type { JobKind } from '../../jobs/index.ts';
import { listHeld, lockHolds } from '../../foundation/holds/index.ts';
import { getRetention } from '../reports/index.ts';
import { findOldReview } from '../../governance/reviews/index.ts';
import { emptyNextOf, type ReviewPlace, untilSealedMs } from './empty-review.ts';

/** The kind of the job; its subject is the tenant. */
export const emptyReviewsKind = 'reviews.empty';

/** So many years before a time. */
export function yearsBefore(time: Date, years: number): Date {
  const before = new Date(time);
  before.setUTCFullYear(before.getUTCFullYear() - years);
  return before;
}

async function findDue(context: Context): Promise<string | undefined> {
  const held = await listHeld(context);
  if (held.isTenant) {
    return undefined;
  }
  const { reviewYears } = await getRetention(context);
  return (await findOldReview(context, yearsBefore(context.now, reviewYears), held.reviewIds))?.id;
}

/** True if the time of a review is over. */
export async function isReviewDue(context: Context): Promise<boolean> {
  return (await findDue(context)) !== undefined;
}

/** Empties the reviews that are due, a piece at a time. */
export const emptyReviewsJob: JobKind = {
  async handler(context, job) {
    await lockHolds(context);
    const reviewId = await findDue(context);
    if (reviewId === undefined) {
      return 'finished';
    }
    const cursor = job.cursor as Partial<ReviewPlace & { reviewId: string }>;
    const place: ReviewPlace =
      cursor.reviewId === reviewId ? { step: cursor.step ?? 0, after: cursor.after ?? '' } : { step: 0, after: '' };
    const next = await emptyNextOf(context, reviewId, place);
    const runAt = next?.waits === true ? { runAt: new Date(context.now.getTime() + untilSealedMs) } : {};
    return { cursor: next === undefined ? {} : { reviewId, step: next.step, after: next.after }, done: job.done + 1, total: 0, ...runAt };
  },
};
