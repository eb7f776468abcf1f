/**
 * Closing a review: from the moment it is accepted nothing is decided any more; a job ends what nobody decided, piece by piece.
 */
import { enqueueJob, type Job, type JobKind } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { countTasks, endUndecided, updateTasksState } from '../tasks/index.ts';
import { stageOf } from './changeable.ts';
import { textOf } from './document.ts';
import { judgeMove } from './moves.ts';
import { requireLockedReview } from './permit.ts';
import { lockReview, type ReviewRow, updateReview } from './store.ts';

/** The kind of the job that closes. */
export const closeKind = 'review.close';

/** What close does to tasks nobody decided. */
export type CloseDecision = 'REVOKED' | 'SKIP' | 'NO_ACTION';

const ends = {
  REVOKED: { outcome: 'DECERTIFIED', reason: 'REVOKED_AT_CLOSE' },
  SKIP: { outcome: 'CANCELLED', reason: 'SKIPPED_AT_CLOSE' },
  NO_ACTION: { outcome: '', reason: 'NO_ACTION_AT_CLOSE' },
} as const;

function readDecision(name: string): CloseDecision | undefined {
  const short = name.replace(/^CLOSE_DECISION_/, '');
  return short in ends ? (short as CloseDecision) : undefined;
}

/**
 * Accepts the close of an open review and returns it. `decision` is CLOSE_DECISION_...; unspecified takes the review's
 * autoCloseDecision, and that unspecified, skip. Closing and closed already are allowed. FAILED_PRECONDITION in other states.
 */
export function closeReview(context: Context, id: string, decision: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    if (judgeMove('close', stageOf(review)) === 'already') {
      return review;
    }
    await beginClose(inside, review, decision);
    return (await lockReview(inside, id)) ?? review;
  });
}

/** Accepts the close of a locked open review, in the open transaction. */
export async function beginClose(context: Context, review: ReviewRow, decision: string): Promise<void> {
  const chosen = readDecision(decision) ?? readDecision(textOf(review.document, 'autoCloseDecision')) ?? 'SKIP';
  await updateTasksState(context, review.id, 'CLOSING');
  const jobId = await enqueueJob(context.db, { tenantId: context.tenantId, kind: closeKind, subjectId: review.id }, context.now);
  await updateReview(context, review.id, { closing: true, closeDecision: chosen, phase: 'CLOSE', phaseError: '', phaseJobId: jobId });
  await recordEvent(context, {
    kind: 'review.close_requested',
    targetType: 'access_review',
    targetId: review.id,
    data: { decision: chosen },
  });
}

/** How a close is done. It is tried for ever: a review that is being closed has no other way to go. */
export const closeJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context: Context, job: Job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'OPEN' || !review.closing) {
      return 'finished';
    }
    const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
    const total = job.total > 0 ? job.total : (await countTasks(context, review.id)).open;
    const piece = await endUndecided(context, review.id, after, ends[readDecision(review.closeDecision) ?? 'SKIP']);
    if (piece.after !== undefined) {
      return { cursor: { after: piece.after }, done: job.done + piece.ended, total };
    }
    await updateTasksState(context, review.id, 'CLOSED');
    await updateReview(context, review.id, { state: 'CLOSED', closing: false, closedAt: context.now });
    await recordEvent(context, {
      kind: 'review.closed',
      targetType: 'access_review',
      targetId: review.id,
      data: { decision: review.closeDecision, undecided: job.done + piece.ended },
    });
    return 'finished';
  },
};
