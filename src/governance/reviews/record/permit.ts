/** Rights to see a review and to manage it. What is possible in which state is in lifecycle.ts and changeable.ts. */
import { AppError } from '../../../errors.ts';
import type { Actor, Context } from '../../../context.ts';
import { holds, isSuperAdmin, isSystem, seesEverything } from '../../../foundation/authority/index.ts';
import { listAskedReviews, standsFor } from '../../tasks/index.ts';
import { findReview, lockReview, type ReviewRow, type Visible } from './store.ts';

/** The people a review belongs to, as far as permissions need them. */
type Belongings = Pick<ReviewRow, 'ownerIds' | 'createdById' | 'state'>;

/** True if the caller may know of the review. A deleted one exists for no caller: what it leaves is in tombstones.ts. */
export function maySeeReview(actor: Actor, review: Belongings): boolean {
  if (review.state === 'DELETED') {
    return false;
  }
  if (isSystem(actor) || seesEverything(actor)) {
    return true;
  }
  if (actor.userId === '') {
    return false;
  }
  return review.ownerIds.includes(actor.userId) || (holds(actor, 'reviews.create') && review.createdById === actor.userId);
}

/** True if the caller may manage the review: its owners (not through a credential that only reads) and Super Administrators. */
export function mayManageReview(actor: Actor, review: Belongings): boolean {
  if (review.state === 'DELETED') {
    return false;
  }
  if (isSystem(actor)) {
    return true;
  }
  return isSuperAdmin(actor) || (review.ownerIds.includes(actor.userId) && holds(actor, 'reviews.manage'));
}

/** Returns whose reviews the caller's lists show. */
export function visibleReviews(actor: Actor): Visible {
  return isSystem(actor) || seesEverything(actor) ? 'all' : { userId: actor.userId, created: holds(actor, 'reviews.create') };
}

/** True if the caller reads what a review proves: its owners do, and whoever sees everything. */
export function mayReadEvidence(actor: Actor, { ownerIds }: Pick<Belongings, 'ownerIds'>): boolean {
  return seesEverything(actor) || ownerIds.includes(actor.userId);
}

/** Makes the error for callers who may not know of a review, and for unknown ids. */
export function noSuchReview(): AppError {
  return new AppError('NOT_FOUND', 'There is no such access review.');
}

/** True if the caller is one of the people who may acknowledge the decisions of a review. */
export function isAcknowledger(actor: Actor, { state, acknowledgement }: Pick<ReviewRow, 'state' | 'acknowledgement'>): boolean {
  return actor.userId !== '' && state !== 'DELETED' && (acknowledgement.userIds ?? []).includes(actor.userId);
}

/** Part of a review somebody sees: all of it, or what its reviewers need. */
export type Sight = 'all' | 'reviewers';

/**
 * Lists the caller's sight of each of these reviews; those of which they may not know are left out. Whoever has or had a task in a started review
 * sees what reviewers need, and so do a delegate who stands for such a person now and whoever may acknowledge its decisions.
 */
export async function listSights(context: Context, reviews: readonly ReviewRow[]): Promise<ReadonlyMap<string, Sight>> {
  const { actor } = context;
  const sights = new Map<string, Sight>(reviews.filter((row) => maySeeReview(actor, row)).map((row) => [row.id, 'all']));
  const others = reviews.filter((row) => !sights.has(row.id) && row.startedAt !== null && row.state !== 'DELETED');
  const named = others.filter((row) => isAcknowledger(actor, row)).map((row) => row.id);
  const asked = await listAskedReviews(
    context,
    others.map((row) => row.id),
    standsFor(actor),
  );
  for (const id of [...named, ...asked]) {
    sights.set(id, 'reviewers');
  }
  return sights;
}

/** The review with how much of it the caller sees; NOT_FOUND for nothing, for what the caller may not know of and for what was deleted. */
export async function requireSight(context: Context, id: string): Promise<{ readonly review: ReviewRow; readonly sight: Sight }> {
  return seen(context, await findReview(context, id));
}

async function seen(context: Context, review: ReviewRow | undefined): Promise<{ readonly review: ReviewRow; readonly sight: Sight }> {
  const sight = review === undefined ? undefined : (await listSights(context, [review])).get(review.id);
  if (review === undefined || sight === undefined) {
    throw noSuchReview();
  }
  return { review, sight };
}

async function permitReview(context: Context, found: ReviewRow | undefined, need: 'read' | 'manage'): Promise<ReviewRow> {
  const { review, sight } = await seen(context, found);
  if (need === 'manage' && !mayManageReview(context.actor, review)) {
    throw new AppError('PERMISSION_DENIED', 'Only the owners of this access review and Super Administrators may do this.');
  }
  if (sight === 'reviewers') {
    throw new AppError(
      'PERMISSION_DENIED',
      'A reviewer reads this access review and its own tasks; its owners and administrators do this.',
    );
  }
  return review;
}

/**
 * The review, if the caller may read all of it or manage it: NOT_FOUND for nothing, for what the caller may not know of and for what was
 * deleted; PERMISSION_DENIED for managing what the caller only sees, and for whoever sees no more than reviewers do.
 */
export async function requireReview(context: Context, id: string, need: 'read' | 'manage'): Promise<ReviewRow> {
  return permitReview(context, await findReview(context, id), need);
}

/**
 * The review for those who read what it proves: its owners, and whoever sees everything. Refuses as `requireReview` does for reading, and with
 * PERMISSION_DENIED whoever else may read it; `what` ends the sentence on what they may not.
 */
export async function requireEvidence(context: Context, id: string, what: string): Promise<ReviewRow> {
  const review = await requireReview(context, id, 'read');
  if (!mayReadEvidence(context.actor, review)) {
    throw new AppError('PERMISSION_DENIED', `Only the owners of this access review and administrators who read everything may ${what}.`);
  }
  return review;
}

/** The review to manage, locked until the transaction ends; refuses as `requireReview` does. */
export async function requireLockedReview(context: Context, id: string): Promise<ReviewRow> {
  return permitReview(context, await lockReview(context, id), 'manage');
}
