/**
 * Starting a staged review: its tasks are shown and decided from then on. The tasks themselves are not touched: their review is opened.
 */
import { AppError } from '../../errors.ts';
import { asObject } from '../../lib/json.ts';
import { enqueueJob, type Job, type JobKind } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { countTasks, handOver, updateTasksState } from '../tasks/index.ts';
import { stageOf } from './changeable.ts';
import { judgeMove } from './moves.ts';
import { requireLockedReview } from './permit.ts';
import { lockReview, type ReviewRow, updateReview } from './store.ts';

/** The kind of the job that starts. */
export const startKind = 'review.start';

function requiresSignature(review: ReviewRow): boolean {
  return asObject(review.document.signatureConfig).requireSignature === true;
}

/**
 * Moves a staged review to STARTING and returns it; STARTING and OPEN already are allowed. FAILED_PRECONDITION in other states, where
 * anything has no reviewer, and where signatures are required, which nobody can give yet.
 */
export function startReview(context: Context, id: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    if (judgeMove('start', stageOf(review)) === 'already') {
      return review;
    }
    await beginStart(inside, review);
    return (await lockReview(inside, id)) ?? review;
  });
}

/** Moves a locked review that may start to STARTING, in the open transaction; refuses as `startReview` does. */
export async function beginStart(context: Context, review: ReviewRow): Promise<void> {
  if (requiresSignature(review)) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The review requires signatures (signatureConfig.requireSignature), but signing is not available yet, so it cannot start. Turn requireSignature off to start it without signatures.',
      { violations: [{ field: 'signatureConfig.requireSignature', description: 'signing is not available' }] },
    );
  }
  const counts = await countTasks(context, review.id);
  if (counts.unassigned > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `${counts.unassigned} of ${counts.tasks} items have no reviewer: preview lists them. Reset the review, give them one (a manager, an app owner, another owner of the review), and prepare it again.`,
    );
  }
  const jobId = await enqueueJob(context.db, { tenantId: context.tenantId, kind: startKind, subjectId: review.id }, context.now);
  await updateReview(context, review.id, { state: 'STARTING', phase: 'START', phaseError: '', phaseJobId: jobId });
  await recordEvent(context, {
    kind: 'review.start_requested',
    targetType: 'access_review',
    targetId: review.id,
    data: { tasks: counts.tasks },
  });
}

/** How a start is done: reviewers who can no longer decide hand on, then the review is opened. */
export const startJob: JobKind = {
  async handler(context: Context, job: Job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'STARTING') {
      return 'finished';
    }
    await handOver(context, review.id);
    await updateTasksState(context, review.id, 'OPEN');
    await updateReview(context, review.id, { state: 'OPEN', startedAt: context.now });
    await recordEvent(context, {
      kind: 'review.started',
      targetType: 'access_review',
      targetId: review.id,
      data: { tasks: review.expectedTicketCount ?? 0 },
    });
    return 'finished';
  },
  async onFailed(context, job, error) {
    const review = await lockReview(context, job.subjectId);
    if (review?.state === 'STARTING') {
      await updateReview(context, review.id, { state: 'REVIEW', phaseError: error.message });
      await recordEvent(context, {
        kind: 'review.start_failed',
        targetType: 'access_review',
        targetId: review.id,
        data: { error: error.message },
      });
    }
  },
};
