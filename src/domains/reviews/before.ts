/**
 * The review before another one, as its items are compared with those before.
 */
import type { Context } from '../../context.ts';
import type { Before } from '../tasks/index.ts';
import { findReview } from './store.ts';
import { getWasInherited, type Predecessor } from './store-difference.ts';

/** The review before, if it was prepared with all that a comparison reads. */
export async function findComparable(context: Context, predecessorId: string | null | undefined): Promise<Predecessor | undefined> {
  const review = predecessorId ? await findReview(context, predecessorId) : undefined;
  return review === undefined || review.preparedRevision === null || review.itemsHash === ''
    ? undefined
    : { id: review.id, revision: review.preparedRevision };
}

/** The review before as those who make tasks compare with it. */
export async function findBefore(context: Context, predecessorId: string | null): Promise<Before | undefined> {
  const predecessor = await findComparable(context, predecessorId);
  return predecessor === undefined
    ? undefined
    : { reviewId: predecessor.id, revision: predecessor.revision, wasInherited: getWasInherited(context.tenantId, predecessor.revision) };
}
