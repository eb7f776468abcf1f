/**
 * In which state a review can be deleted, and by whom: the delete column of the life of a review, total over its states.
 */
import { isSuperAdmin } from '../../../foundation/authority/index.ts';
import type { Actor } from '../../../context.ts';
import { type Stage, changeStage } from './changeable.ts';
import { mayManageReview } from './permit.ts';
import type { ReviewRow } from './store.ts';

/** People who may delete: those who manage it, a Super Administrator alone, or nobody. */
export type DeletableBy = 'managers' | 'superAdministrators' | 'nobody';

/** Right to delete a review in each stage. */
export const deletableBy: Readonly<Record<Stage, DeletableBy>> = {
  DRAFT: 'managers',
  PREPARING: 'nobody',
  REVIEW: 'managers',
  PENDING: 'managers',
  STARTING: 'nobody',
  OPEN: 'superAdministrators',
  CLOSING: 'nobody',
  CLOSED: 'nobody',
  DELETED: 'nobody',
};

/** Advice where nobody may delete. */
export const insteadOfDelete: Readonly<Partial<Record<Stage, string>>> = {
  PREPARING: 'reset it to a draft first',
  STARTING: 'wait until it is open',
  CLOSING: 'a review that ran is kept',
  CLOSED: 'a review that ran is kept',
};

/** True if this caller could delete this review now. */
export function mayDeleteReview(actor: Actor, review: ReviewRow): boolean {
  const by = deletableBy[changeStage(review)];
  return by === 'managers' ? mayManageReview(actor, review) : by === 'superAdministrators' && isSuperAdmin(actor);
}
