/** Note on the second review in the summary of a closed review, whichever of the two ends last. */
import type { Context } from '../../../context.ts';
import { describeSecondReview } from './insights.ts';
import { lockReview, reviewSlot, updateReview } from '../record/index.ts';

/** Adds what the second review of a closed review came to to its summary, in the open transaction. One that is not closed yet says it at its close. */
export async function noteSecondReview(context: Context, reviewId: string): Promise<void> {
  const review = await lockReview(context, reviewId);
  const counts = await reviewSlot.get().findSecondReviewCounts(context, reviewId);
  if (review?.state === 'CLOSED' && counts !== undefined) {
    await updateReview(context, reviewId, {
      insights: [review.insights, ...describeSecondReview(counts)].filter((line) => line !== '').join('\n'),
    });
  }
}
