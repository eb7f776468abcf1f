/**
 * Reading what deleted reviews leave: the review as it was last, who deleted it, when and why. Only for those who see everything; to others a
 * deleted review never was.
 */
import type { Context } from '../../../context.ts';
import { seesEverything } from '../../../foundation/authority/index.ts';
import { type ReviewRow, findReview, listDeletedReviews, noSuchReview } from '../record/index.ts';

function requireReader(context: Context): void {
  if (!seesEverything(context.actor)) {
    throw noSuchReview();
  }
}

/** The deleted review with this id; NOT_FOUND for one that is there, for nothing, and for callers who do not see everything. */
export async function readTombstone(context: Context, id: string): Promise<ReviewRow> {
  requireReader(context);
  const review = await findReview(context, id);
  if (review?.state !== 'DELETED') {
    throw noSuchReview();
  }
  return review;
}

/** Up to `limit` deleted reviews by id (the order of their creation); NOT_FOUND for callers who do not see everything. */
export async function readTombstones(context: Context, after: string, limit: number): Promise<ReviewRow[]> {
  requireReader(context);
  return listDeletedReviews(context, after, limit);
}
