/** Comments of a review, and who may read whose. */
import type { Context } from '../../../context.ts';
import { managesTask, seesAllTasks } from '../task/index.ts';
import { type CommentRow, listComments } from './store-comments.ts';
import { getTaskReview } from './submit.ts';

/**
 * Comments of a review behind the one with this id, the newest first; of one person where `userId` is not empty. Those who manage the review or read
 * everything see all of them, others their own. NOT_FOUND for whoever may not know of the review.
 */
export async function readComments(
  context: Context,
  { reviewId, userId }: { readonly reviewId: string; readonly userId: string },
  after: string | undefined,
  limit: number,
): Promise<CommentRow[]> {
  const { actor } = context;
  const review = await getTaskReview(context, reviewId);
  const seesAll = seesAllTasks(actor) || managesTask(actor, review);
  if (!seesAll && userId !== '' && userId !== actor.userId) {
    return [];
  }
  return listComments(context, { reviewId, userId: seesAll ? userId || undefined : actor.userId }, after, limit);
}
