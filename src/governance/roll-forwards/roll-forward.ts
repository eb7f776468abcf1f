/**
 * Asking for a roll-forward, making it in the background, and reading it: the owners of the review, Super Administrators and those who read
 * everything may. It is made of frozen snapshots and of the history of grants, so it comes to the same whenever it is made.
 */
import { AppError, invalidField } from '../../errors.ts';
import { enqueueJob, type JobKind } from '../../jobs/index.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findReview, maySeeReview, requireEvidence, type ReviewRow } from '../reviews/index.ts';
import { findRollForward, insertRollForward, type RollForwardRow, updateRollForwardDone, updateRollForwardFailed } from './store.ts';
import { insertLines, type LineFilter, type LineRow, listLines } from './store-lines.ts';

/** The kind of job; its subject is the later review. */
export const rollForwardKind = 'roll-forward.make';

/** Computes what a roll-forward comes to beyond what is counted: 0 where it ties out. */
export function differenceOf({ firstCount, secondCount, counts }: Pick<RollForwardRow, 'firstCount' | 'secondCount' | 'counts'>): number {
  const of = (name: string): number => counts[name] ?? 0;
  const removals = of('REMOVED_DECISION') + of('REMOVED_EXPIRY') + of('REMOVED_LEAVER') + of('REMOVED_UNEXPLAINED');
  return firstCount + of('ADDED') + of('ENTERED_SCOPE') - removals - of('LEFT_SCOPE') - secondCount;
}

function revisionOf(review: ReviewRow, which: string): number {
  if (review.preparedRevision === null || review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError('FAILED_PRECONDITION', `The ${which} has no snapshot: prepare it first.`);
  }
  return review.preparedRevision;
}

/** The earlier review that is asked for, else the predecessor. */
async function requireFirst(context: Context, review: ReviewRow, firstId: string): Promise<ReviewRow> {
  const id = firstId === '' ? review.predecessorId : firstId;
  if (id === null || id === '') {
    throw invalidField('firstAccessReviewId', 'this review has no predecessor: name the earlier review');
  }
  const first = await findReview(context, id);
  if (first === undefined || !maySeeReview(context.actor, first)) {
    throw firstId === ''
      ? new AppError('FAILED_PRECONDITION', 'The predecessor of this review is gone, or you may not see it: name another earlier review.')
      : invalidField('firstAccessReviewId', 'there is no such access review');
  }
  if (first.id === review.id) {
    throw invalidField('firstAccessReviewId', 'must be another review');
  }
  return first;
}

/** Asks for the roll-forward from an earlier review (the predecessor for '') to this one, made anew by a job. */
export async function requestRollForward(context: Context, reviewId: string, firstId: string): Promise<RollForwardRow> {
  const review = await requireEvidence(context, reviewId, 'read its roll-forward');
  const first = await requireFirst(context, review, firstId);
  const secondRevision = revisionOf(review, 'review');
  const firstRevision = revisionOf(first, 'earlier review');
  if (firstRevision > secondRevision || (firstRevision === secondRevision && first.id > review.id)) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The snapshot of the earlier review is later than that of this one: ask for it the other way round.',
    );
  }
  return inTransaction(context, async (inside) => {
    await insertRollForward(inside, { reviewId, firstId: first.id, firstRevision, secondRevision });
    await enqueueJob(inside.db, { tenantId: inside.tenantId, kind: rollForwardKind, subjectId: reviewId }, inside.now);
    await recordEvent(inside, {
      kind: 'roll_forward.requested',
      targetId: reviewId,
      data: { firstReviewId: first.id, firstRevision, secondRevision },
    });
    return (await findRollForward(inside, reviewId)) as RollForwardRow;
  });
}

/** Job that makes roll-forwards: in one piece, in the transaction that records what it came to. */
export const rollForwardJob: JobKind = {
  async handler(context, job) {
    const asked = await findRollForward(context, job.subjectId);
    if (asked === undefined || asked.state !== 'PENDING') {
      return 'finished';
    }
    await insertLines(context, asked);
    await updateRollForwardDone(context, asked.reviewId);
    const made = (await findRollForward(context, asked.reviewId)) as RollForwardRow;
    await recordEvent(context, {
      kind: 'roll_forward.made',
      targetId: asked.reviewId,
      data: {
        firstReviewId: made.firstId,
        firstRevision: made.firstRevision,
        secondRevision: made.secondRevision,
        firstPopulation: made.firstCount,
        lines: made.counts,
        secondPopulation: made.secondCount,
        difference: differenceOf(made),
      },
    });
    return 'finished';
  },
  async onFailed(context, job, error) {
    await updateRollForwardFailed(context, job.subjectId, error.message);
    await recordEvent(context, {
      kind: 'roll_forward.failed',
      targetId: job.subjectId,
      data: { error: error.message },
    });
  },
};

/** The roll-forward of a review; NOT_FOUND where none was made of its snapshot. */
export async function readRollForward(context: Context, reviewId: string): Promise<RollForwardRow> {
  const review = await requireEvidence(context, reviewId, 'read its roll-forward');
  const row = await findRollForward(context, review.id);
  if (row === undefined || row.secondRevision !== review.preparedRevision) {
    throw new AppError('NOT_FOUND', 'There is no roll-forward to the snapshot of this access review: ask for it first.');
  }
  return row;
}

/** A page of its lines; FAILED_PRECONDITION while it is made. */
export async function readLines(
  context: Context,
  reviewId: string,
  filter: LineFilter,
  after: number,
  limit: number,
): Promise<readonly LineRow[]> {
  const row = await readRollForward(context, reviewId);
  if (row.state !== 'DONE') {
    throw new AppError('FAILED_PRECONDITION', row.state === 'PENDING' ? 'The roll-forward is being made.' : 'The roll-forward failed.');
  }
  return listLines(context, reviewId, filter, after, limit);
}
