/**
 * The review before another one, as its items are compared with those before.
 */
import type { Context } from '../../../context.ts';
import { type Before, getItemsAskedSql } from '../../tasks/index.ts';
import { findReview } from '../record/index.ts';
import { getWasInheritedSql, type Predecessor } from '../../snapshots/index.ts';

/** The review before, if it was prepared with all that a comparison reads. */
export async function findComparable(context: Context, predecessorId: string | null | undefined): Promise<Predecessor | undefined> {
  const review = predecessorId ? await findReview(context, predecessorId) : undefined;
  return review === undefined || review.preparedRevision === null || review.itemsHash === ''
    ? undefined
    : { id: review.id, revision: review.preparedRevision, items: getItemsAskedSql(context, review.id) };
}

/** The review before as those who make tasks compare with it. */
export async function findBefore(context: Context, predecessorId: string | null): Promise<Before | undefined> {
  const predecessor = await findComparable(context, predecessorId);
  return predecessor === undefined
    ? undefined
    : {
        reviewId: predecessor.id,
        revision: predecessor.revision,
        wasInherited: getWasInheritedSql(context.tenantId, predecessor.revision),
      };
}
