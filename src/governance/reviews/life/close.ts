/**
 * Closing a review: from the moment it is accepted nothing is decided any more; a job ends what nobody decided, piece by piece.
 */
import { AppError } from '../../../errors.ts';
import { enqueueJob, type Job, type JobKind } from '../../../jobs/index.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { exemptCertified } from '../../conflicts/index.ts';
import { endUnsigned } from '../../../foundation/signatures/index.ts';
import { countRemovals } from '../../revocations/index.ts';
import { countOutcomes, countRelations, countSigned, countTasks, endUndecided, listUnsigned, updateTasksState } from '../../tasks/index.ts';
import { keepArrivals } from '../arrivals/index.ts';
import { describeOutcome, describeSecondReview, findFlagged, requireAcknowledged } from '../evidence/index.ts';
import {
  type CloseDecision,
  type ReviewRow,
  freshSchedule,
  judgeMove,
  lockReview,
  nameStage,
  requireLockedReview,
  reviewSlot,
  changeStage,
  updateReview,
} from '../record/index.ts';

/** The kind of the job that closes. */
export const closeKind = 'review.close';

const ends: Readonly<Record<CloseDecision, Parameters<typeof endUndecided>[3]>> = {
  REVOKED: { outcome: 'DECERTIFIED', reason: 'REVOKED_AT_CLOSE' },
  SKIP: { outcome: 'CANCELLED', reason: 'SKIPPED_AT_CLOSE' },
  NO_ACTION: { outcome: '', reason: 'NO_ACTION_AT_CLOSE' },
};

function readDecision(name: string): CloseDecision | undefined {
  const short = name.replace(/^CLOSE_DECISION_/, '');
  return short in ends ? (short as CloseDecision) : undefined;
}

/** Refuses a close that asks for something else than the one that was accepted: it would change nothing, and say that all is well. */
function refuseOther(review: ReviewRow, decision: string): void {
  const asked = readDecision(decision);
  if (asked !== undefined && asked !== review.closeDecision) {
    const stage = nameStage(changeStage(review));
    throw new AppError(
      'FAILED_PRECONDITION',
      `The review is ${stage}, with CLOSE_DECISION_${review.closeDecision} for undecided tasks: it cannot be closed again with CLOSE_DECISION_${asked}.`,
      { violations: [{ field: 'decision', description: `the review was closed with CLOSE_DECISION_${review.closeDecision}` }] },
    );
  }
}

/**
 * Accepts the close of an open review and returns it. `decision` is CLOSE_DECISION_...; unspecified takes the review's
 * autoCloseDecision, and that unspecified, skip. Closing and closed already are allowed, unless another decision is named.
 * FAILED_PRECONDITION in other states, and for that.
 */
export function closeReview(context: Context, id: string, decision: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    if (judgeMove('close', changeStage(review)) === 'already') {
      refuseOther(review, decision);
      return review;
    }
    await beginClose(inside, review, decision);
    return (await lockReview(inside, id)) ?? review;
  });
}

/** Accepts the close of a locked open review, in the open transaction. FAILED_PRECONDITION where it has to be acknowledged first. */
export async function beginClose(context: Context, review: ReviewRow, decision: string): Promise<void> {
  const chosen = readDecision(decision) ?? readDecision(review.document.autoCloseDecision ?? '') ?? 'SKIP';
  await updateTasksState(context, review.id, 'CLOSING');
  // Behind the lock that keeps decisions out: what was acknowledged is what is closed.
  await requireAcknowledged(context, review);
  const jobId = await enqueueJob(context.db, { tenantId: context.tenantId, kind: closeKind, subjectId: review.id }, context.now);
  await updateReview(context, review.id, {
    ...freshSchedule,
    closing: true,
    closeDecision: chosen,
    phase: 'CLOSE',
    phaseError: '',
    phaseJobId: jobId,
  });
  await recordEvent(context, {
    kind: 'review.close_requested',
    targetId: review.id,
    data: { decision: chosen },
  });
}

/** Job of a close. It is tried for ever: a review that is being closed has no other way to go. */
export const closeJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context: Context, job: Job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'OPEN' || !review.closing) {
      return 'finished';
    }
    const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
    const total = job.total > 0 ? job.total : (await countTasks(context, review.id)).open;
    const piece = await endUndecided(context, review.id, after, ends[review.closeDecision || 'SKIP']);
    if (piece.after !== undefined) {
      return { cursor: { after: piece.after }, done: job.done + piece.ended, total };
    }
    await updateTasksState(context, review.id, 'CLOSED');
    if (review.document.exemptCertifiedAccessConflicts === true) {
      await exemptCertified(context, { id: review.id, displayName: review.document.displayName ?? '' });
    }
    const undecided = job.done + piece.ended;
    const unsigned = await listUnsigned(context, review.id);
    const ended = await endUnsigned(context, review.id);
    const eventId = newId(context.now);
    const { arrived, evidence } = await keepArrivals(context, review, eventId);
    const second = await reviewSlot.get().findSecondReviewCounts(context, review.id);
    const outcome = describeOutcome(
      await countOutcomes(context, review.id),
      { decision: review.closeDecision, undecided, unsigned, signed: await countSigned(context, review.id), arrived },
      await countRelations(context, review.id),
      await findFlagged(context, { ...review, closedAt: context.now }),
      await countRemovals(context, review.id),
    );
    const insights = [outcome, ...(second === undefined ? [] : describeSecondReview(second))].join('\n');
    await updateReview(context, review.id, { state: 'CLOSED', closing: false, closedAt: context.now, insights, arrived });
    await recordEvent(context, {
      id: eventId,
      kind: 'review.closed',
      targetId: review.id,
      data: {
        decision: review.closeDecision,
        undecided,
        ...(ended > 0 ? { unsigned: ended } : {}),
        ...(arrived === null ? {} : { arrived }),
      },
      evidence,
    });
    return 'finished';
  },
};
