/**
 * Who may see a review and who may manage it. What is possible in which state is in lifecycle.ts and changeable.ts.
 */
import { AppError } from '../../errors.ts';
import type { Actor, RoleName, Context } from '../../context.ts';
import { isSuperAdmin, seesEverything } from '../directory/index.ts';
import { findReview, lockReview, type ReviewRow, type Visible } from './store.ts';

/** The people a review belongs to, as far as permissions need them. */
type Belongings = Pick<ReviewRow, 'ownerIds' | 'createdById' | 'state'>;

const rolesThatWrite: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'BASIC_USER'];

/** Whether the caller may know of the review. A deleted one is only for those who see everything. */
export function maySeeReview(actor: Actor, review: Belongings): boolean {
  if (actor.kind === 'system' || seesEverything(actor)) {
    return true;
  }
  if (review.state === 'DELETED' || actor.userId === '') {
    return false;
  }
  return review.ownerIds.includes(actor.userId) || (actor.roles.has('CAMPAIGN_ADMINISTRATOR') && review.createdById === actor.userId);
}

/** Whether the caller may manage the review: its owners (not through a credential that only reads) and Super Administrators. */
export function mayManageReview(actor: Actor, review: Belongings): boolean {
  if (actor.kind === 'system') {
    return true;
  }
  if (review.state === 'DELETED') {
    return false;
  }
  return isSuperAdmin(actor) || (review.ownerIds.includes(actor.userId) && rolesThatWrite.some((role) => actor.roles.has(role)));
}

/** Whose reviews the caller's lists show. */
export function visibleReviews(actor: Actor): Visible {
  return actor.kind === 'system' || seesEverything(actor)
    ? 'all'
    : { userId: actor.userId, created: actor.roles.has('CAMPAIGN_ADMINISTRATOR') };
}

/** What callers get who may not know of a review, and what an unknown id gets. */
export function noSuchReview(): AppError {
  return new AppError('NOT_FOUND', 'There is no such access review.');
}

function permitReview(actor: Actor, review: ReviewRow | undefined, need: 'read' | 'manage'): ReviewRow {
  if (review === undefined || !maySeeReview(actor, review) || (need === 'manage' && review.state === 'DELETED')) {
    throw noSuchReview();
  }
  if (need === 'manage' && !mayManageReview(actor, review)) {
    throw new AppError('PERMISSION_DENIED', 'Only the owners of this access review and Super Administrators may do this.');
  }
  return review;
}

/**
 * The review, if the caller may read or manage it: NOT_FOUND for nothing, for what the caller may not know of and for managing what was
 * deleted; PERMISSION_DENIED for managing what the caller only sees.
 */
export async function requireReview(context: Context, id: string, need: 'read' | 'manage'): Promise<ReviewRow> {
  return permitReview(context.actor, await findReview(context, id), need);
}

/** The review to manage, locked until the transaction ends; refuses as `requireReview` does. */
export async function requireLockedReview(context: Context, id: string): Promise<ReviewRow> {
  return permitReview(context.actor, await lockReview(context, id), 'manage');
}
