/**
 * Taking a staged review back to a draft. Its tasks were never shown; they are removed by a job, or by the next prepare.
 */
import { cancelJob, enqueueJob, type JobKind } from '../../../jobs/index.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { removeTasks } from '../../tasks/index.ts';
import { type ReviewRow, freshSchedule, judgeMove, lockReview, requireLockedReview, changeStage, updateReview } from '../record/index.ts';
import { nameStanding } from '../../../inventory/catalog/index.ts';
import { removeSnapshot, updateStandingIds } from '../../snapshots/index.ts';

/** The kind of the job that removes what a prepare made. */
export const clearKind = 'review.clear';

const removalsPerChunk = 20_000;

/** Moves a review that is staged or being prepared back to DRAFT and returns it; FAILED_PRECONDITION in other states. */
export function resetReview(context: Context, id: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    judgeMove('reset', changeStage(review));
    if (review.state === 'PREPARING' && review.phaseJobId !== '') {
      await cancelJob(inside.db, inside.tenantId, review.phaseJobId, inside.now);
    }
    await updateStandingIds(inside, id);
    await updateReview(inside, id, {
      ...freshSchedule,
      document: await nameStanding(inside, review.document),
      state: 'DRAFT',
      accuracy: null,
      errorState: '',
      phase: '',
      phaseError: '',
      phaseJobId: '',
      scopeHash: '',
      itemsHash: '',
      prepareGeneration: review.prepareGeneration + 1,
    });
    await enqueueJob(inside.db, { tenantId: inside.tenantId, kind: clearKind, subjectId: id }, inside.now);
    await recordEvent(inside, { kind: 'review.reset', targetId: id, data: { from: review.state } });
    return (await lockReview(inside, id)) ?? review;
  });
}

/** Removes tasks and snapshot while the review is a draft; a prepare that began meanwhile does it itself. */
export const clearJob: JobKind = {
  async handler(context, job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'DRAFT') {
      return 'finished';
    }
    const removed = await removeTasks(context, review.id, removalsPerChunk);
    if (removed === removalsPerChunk) {
      return { cursor: {}, done: job.done + removed, total: 0 };
    }
    await removeSnapshot(context, review.id);
    return 'finished';
  },
};
