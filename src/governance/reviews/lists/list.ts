/**
 * Reading reviews: a page of those the caller may see. One of them is permit.ts's requireReview.
 */
import type { Context } from '../../../context.ts';
import { type ReviewRow, listReviews, visibleReviews } from '../record/index.ts';

/** Up to `limit` of the reviews the caller may see, by id (the order of their creation), deleted ones left out. */
export function readReviews(context: Context, after: string, limit: number): Promise<ReviewRow[]> {
  return listReviews(context, visibleReviews(context.actor), after, limit);
}
