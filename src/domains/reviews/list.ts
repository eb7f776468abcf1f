/**
 * Reading reviews: a page of those the caller may see. One of them is permit.ts's requireReview.
 */
import type { Scope } from '../../scope.ts';
import { visibleReviews } from './permit.ts';
import { listReviews, type ReviewRow } from './store.ts';

/** Up to `limit` of the reviews the caller may see, by id (the order of their creation), deleted ones left out. */
export function readReviews(scope: Scope, after: string, limit: number): Promise<ReviewRow[]> {
  return listReviews(scope, visibleReviews(scope.actor), after, limit);
}
