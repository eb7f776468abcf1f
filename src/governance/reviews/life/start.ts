/**
 * Starting a staged review: its tasks are shown and decided from then on. The tasks themselves are not touched: their review is opened.
 */
import { AppError } from '../../../errors.ts';
import { enqueueJob, type Job, type JobKind } from '../../../jobs/index.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import {
  type BeginPlace,
  beginStart as beginningOfTasks,
  beginTasks,
  countTasks,
  handOver,
  openTasks,
  updateSignatureTerms,
} from '../../tasks/index.ts';
import { flaggedSources } from '../evidence/index.ts';
import {
  type ReviewRow,
  findSignatureTerms,
  freshSchedule,
  judgeMove,
  lockReview,
  requireLockedReview,
  changeStage,
  updateReview,
} from '../record/index.ts';
import { requireStartable } from '../scope/index.ts';

/** The kind of the job that starts. */
export const startKind = 'review.start';

/**
 * Moves a staged review to STARTING and returns it; STARTING and OPEN already are allowed. FAILED_PRECONDITION in other states, where
 * anything has no reviewer, and where its due date has passed or its signatures cannot be given.
 */
export function startReview(context: Context, id: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    if (judgeMove('start', changeStage(review)) === 'already') {
      return review;
    }
    await beginStart(inside, review);
    return (await lockReview(inside, id)) ?? review;
  });
}

/** Moves a locked review that may start to STARTING, in the open transaction; refuses as `startReview` does. */
export async function beginStart(context: Context, review: ReviewRow): Promise<void> {
  await requireStartable(context, review);
  const counts = await countTasks(context, review.id);
  if (counts.unassigned > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `${counts.unassigned} of ${counts.tasks} items have no reviewer: preview lists them. Reset the review, give them one (a manager, an app owner, another owner of the review), and prepare it again.`,
    );
  }
  const jobId = await enqueueJob(context.db, { tenantId: context.tenantId, kind: startKind, subjectId: review.id }, context.now);
  await updateReview(context, review.id, { ...freshSchedule, state: 'STARTING', phase: 'START', phaseError: '', phaseJobId: jobId });
  await recordEvent(context, {
    kind: 'review.start_requested',
    targetId: review.id,
    data: { tasks: counts.tasks, flaggedSources: flaggedSources(review.accuracy) },
  });
}

/** Job that starts a review: tasks that no person decides are ended piece by piece, reviewers who left hand on, then the review is opened. */
export const startJob: JobKind = {
  async handler(context: Context, job: Job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'STARTING') {
      return 'finished';
    }
    const { place, done } = await beginTasks(context, review.id, (job.cursor.place as BeginPlace | undefined) ?? beginningOfTasks);
    if (place !== undefined) {
      return { cursor: { place: { ...place } }, done: job.done + done, total: 0 };
    }
    await updateSignatureTerms(context, review.id, findSignatureTerms(review.document) ?? null);
    await openTasks(context, review.id);
    await handOver(context, 'CERTIFY', review.id);
    await updateReview(context, review.id, { state: 'OPEN', startedAt: context.now, watchedAt: context.now });
    await recordEvent(context, {
      kind: 'review.started',
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
        targetId: review.id,
        data: { error: error.message },
      });
    }
  },
};
