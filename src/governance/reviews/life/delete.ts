/**
 * Deleting a review: a tombstone stays, with who, when and why.
 */
import { AppError, invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { enqueueJob } from '../../../jobs/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { isSuperAdmin } from '../../../foundation/authority/index.ts';
import { lockHolds, refuseHeld } from '../../../foundation/holds/index.ts';
import { cancelTasks } from '../../tasks/index.ts';
import { deletableBy, insteadOfDelete, nameStage, requireLockedReview, changeStage, updateReview } from '../record/index.ts';
import { endDeletedKind } from './end-deleted.ts';

const maxReasonLength = 10_000;

/** Reason in the tombstone where whoever deleted gave none. */
const noReason = 'no reason given';

/**
 * Deletes a review. FAILED_PRECONDITION, naming the state, where it cannot be deleted; PERMISSION_DENIED where the caller may not. Nothing is
 * erased: its row, its tasks and their history stay. From the commit on it answers NOT_FOUND to everybody and nothing of it is decided; a job
 * ends its open tasks. Clients of the public API cannot send a reason, so there may be none, and the tombstone says so.
 */
export function deleteReview(context: Context, id: string, reason: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    const stage = changeStage(review);
    const by = deletableBy[stage];
    if (by === 'nobody') {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The review is ${nameStage(stage)} and cannot be deleted: ${insteadOfDelete[stage] ?? 'it is gone'}.`,
      );
    }
    const given = reason.trim() || noReason;
    if (by === 'superAdministrators' && !isSuperAdmin(inside.actor)) {
      throw new AppError('PERMISSION_DENIED', `The review is ${nameStage(stage)}: only a Super Administrator can delete it now.`);
    }
    if (given.length > maxReasonLength) {
      throw invalidField('reason', `must have at most ${maxReasonLength} characters`);
    }
    await lockHolds(inside);
    await refuseHeld(inside, [id], 'The review cannot be deleted');
    await updateReview(inside, id, { state: 'DELETED', deletedAt: inside.now, deletedById: inside.actor.userId, deleteReason: given });
    if (stage !== 'DRAFT') {
      await cancelTasks(inside, id);
      await enqueueJob(inside.db, { tenantId: inside.tenantId, kind: endDeletedKind, subjectId: id }, inside.now);
    }
    await recordEvent(inside, {
      kind: 'review.deleted',
      targetId: id,
      data: { displayName: review.document.displayName, state: review.state, reason: given },
    });
  });
}
