/**
 * Reading and replacing the people who manage a review.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { updateTaskManagers } from '../../tasks/index.ts';
import { nameStage, type Stage, changeStage } from './changeable.ts';
import { requireLockedReview, requireReview } from './permit.ts';
import { freshSchedule, updateReview } from './store.ts';
import { listOwners, type OwnerRow, updateOwners } from './store-owners.ts';
import { listOwnerViolations, maxOwners } from './validate-owners.ts';
import { refuseViolations } from './validate-review.ts';

/** Stages in which the owners are what they were. */
const fixedIn: readonly Stage[] = ['CLOSING', 'CLOSED'];

/** A page of the owners of a review by their ids. */
export async function readOwners(context: Context, reviewId: string, after: string, limit: number): Promise<OwnerRow[]> {
  await requireReview(context, reviewId, 'read');
  return listOwners(context, reviewId, after, limit);
}

/**
 * Makes these people the owners of a review and returns them. From then on they, and not those before, see and decide its tasks.
 * INVALID_ARGUMENT for none, too many, and whoever is not an enabled person; FAILED_PRECONDITION once close was accepted.
 */
export function setOwners(context: Context, reviewId: string, userIds: readonly string[]): Promise<OwnerRow[]> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, reviewId);
    const after = [...new Set(userIds)].sort();
    const added = after.filter((id) => !review.ownerIds.includes(id));
    const removed = review.ownerIds.filter((id) => !after.includes(id));
    if (added.length + removed.length > 0) {
      const before = { userIds: review.ownerIds };
      await refuseStale(inside, { targetId: reviewId, kinds: ['review.owners_changed'], before, isSet: true });
      const stage = changeStage(review);
      if (fixedIn.includes(stage)) {
        throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stage)}: its owners cannot be changed any more.`);
      }
      refuseViolations(userIds.length === 0 ? [{ field: 'userIds', description: 'must name at least one person' }] : []);
      refuseViolations(await listOwnerViolations(inside, userIds, 'userIds'));
      await updateOwners(inside, reviewId, after);
      await updateTaskManagers(inside, reviewId, after);
      await updateReview(inside, reviewId, freshSchedule);
      await recordEvent(inside, {
        kind: 'review.owners_changed',
        targetId: reviewId,
        data: { added, removed, ownerIds: after },
      });
    }
    return listOwners(inside, reviewId, '', maxOwners);
  });
}
