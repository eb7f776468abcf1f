/**
 * Preparing a review: its scope is checked at once, then a job takes the snapshot and makes one task for each grant in it, piece by piece.
 * A piece is one transaction with the job's cursor, so a kill at any point loses at most the piece under way, and nothing is made twice.
 */
import type { AppError } from '../../errors.ts';
import { enqueueJob, type ChunkResult, type Job, type JobKind } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { countTasks, fillTasks, removeTasks } from '../tasks/index.ts';
import { stageOf } from './changeable.ts';
import { checkPreparable, chosenBy, conditionOf, freezeReview } from './freeze.ts';
import { judgeMove } from './moves.ts';
import { requireLockedReview, requireReview } from './permit.ts';
import { lockReview, type ReviewRow, updateReview } from './store.ts';
import { countItems, removeSnapshot, analyzeTables } from './store-prepare.ts';
import { findScheduledStart } from './timers.ts';

/** The kind of the job that prepares. */
export const prepareKind = 'review.prepare';

/** Left-over tasks of a reset removed in one transaction. */
const removalsPerChunk = 20_000;

/** Where a prepare stands. */
interface PrepareCursor {
  readonly stage: 'clear' | 'freeze' | 'fill';
  /** The prepare this is; a reset in between makes it another. */
  readonly generation: number;
  /** Filling goes on behind this account. */
  readonly appId?: string;
  readonly accountId?: string;
  /** How many accounts the next piece should have. */
  readonly accounts?: number;
}

/**
 * Moves a draft to PREPARING and returns it. PREPARING already is allowed. FAILED_PRECONDITION in other states, and where no snapshot can be
 * taken of what is chosen: nothing chosen, ids of nothing, members that exclude each other, nothing in scope.
 */
export async function prepareReview(context: Context, id: string): Promise<ReviewRow> {
  const draft = await requireReview(context, id, 'manage');
  if (judgeMove('prepare', stageOf(draft)) === 'already') {
    return draft;
  }
  // As the job will do it, thrown away: what is wrong is said now, not later.
  await checkPreparable(context, draft);
  return inTransaction(context, (inside) => beginPrepare(inside, id));
}

/** Moves a draft whose scope was checked to PREPARING, in the open transaction. */
export async function beginPrepare(inside: Context, id: string): Promise<ReviewRow> {
  const review = await requireLockedReview(inside, id);
  if (judgeMove('prepare', stageOf(review)) === 'already') {
    return review;
  }
  const generation = review.prepareGeneration + 1;
  const cursor: PrepareCursor = { stage: 'clear', generation };
  const jobId = await enqueueJob(
    inside.db,
    { tenantId: inside.tenantId, kind: prepareKind, subjectId: id, cursor: { ...cursor } },
    inside.now,
  );
  await updateReview(inside, id, {
    state: 'PREPARING',
    phase: 'PREPARE',
    phaseError: '',
    phaseJobId: jobId,
    prepareGeneration: generation,
  });
  await recordEvent(inside, { kind: 'review.prepare_requested', targetType: 'access_review', targetId: id, data: { generation } });
  return (await lockReview(inside, id)) ?? review;
}

async function doPrepare(context: Context, job: Job): Promise<ChunkResult> {
  const cursor = job.cursor as unknown as PrepareCursor;
  const review = await lockReview(context, job.subjectId);
  if (review === undefined || review.state !== 'PREPARING' || review.prepareGeneration !== cursor.generation) {
    return 'finished';
  }
  switch (cursor.stage) {
    case 'clear':
      return clear(context, review, cursor, job);
    case 'freeze':
      return freeze(context, review, cursor);
    case 'fill':
      return fill(context, review, cursor, job);
  }
}

async function clear(context: Context, review: ReviewRow, cursor: PrepareCursor, job: Job): Promise<ChunkResult> {
  if ((await removeTasks(context, review.id, removalsPerChunk)) === removalsPerChunk) {
    return { cursor: { ...cursor }, done: 0, total: job.total };
  }
  await removeSnapshot(context, review.id);
  return { cursor: { ...cursor, stage: 'freeze' }, done: 0, total: 0 };
}

async function freeze(context: Context, review: ReviewRow, cursor: PrepareCursor): Promise<ChunkResult> {
  const snapshot = await freezeReview(context, review, review.id);
  await analyzeTables(context, ['review_accounts', 'review_entitlements', 'task_subject_assignments']);
  const total = await countItems(context, {
    reviewId: review.id,
    revision: snapshot.revision,
    condition: conditionOf(context, snapshot.chosen),
  });
  await updateReview(context, review.id, { preparedRevision: snapshot.revision, sourcesFrozenAt: context.now, expectedTicketCount: total });
  await recordEvent(context, {
    kind: 'review.snapshot_taken',
    targetType: 'access_review',
    targetId: review.id,
    data: { revision: snapshot.revision, items: total, fallbackSubjects: snapshot.fallbacks, unassignedSubjects: snapshot.unassigned },
  });
  return { cursor: { ...cursor, stage: 'fill', appId: '', accountId: '' }, done: 0, total };
}

async function fill(context: Context, review: ReviewRow, cursor: PrepareCursor, job: Job): Promise<ChunkResult> {
  // The scope was checked when the snapshot was taken, and cannot change while the review is PREPARING.
  const chosen = chosenBy(review);
  const after = { appId: cursor.appId ?? '', accountId: cursor.accountId ?? '' };
  const condition = conditionOf(context, chosen, review.sourcesFrozenAt ?? undefined);
  const progress = await fillTasks(context, review.id, review.preparedRevision ?? 0, { after, accounts: cursor.accounts }, condition);
  if (progress.after !== undefined) {
    return { cursor: { ...cursor, ...progress.after, accounts: progress.accounts }, done: job.done + progress.added, total: job.total };
  }
  await finish(context, review);
  return 'finished';
}

async function finish(context: Context, review: ReviewRow): Promise<void> {
  await analyzeTables(context, ['tasks', 'task_assignments']);
  const counts = await countTasks(context, review.id);
  const startAt = findScheduledStart(review.document);
  await updateReview(context, review.id, { state: startAt === undefined ? 'REVIEW' : 'PENDING', expectedTicketCount: counts.tasks });
  await recordEvent(context, {
    kind: 'review.prepared',
    targetType: 'access_review',
    targetId: review.id,
    data: { tasks: counts.tasks, unassigned: counts.unassigned },
  });
}

async function failPrepare(context: Context, job: Job, error: AppError): Promise<void> {
  const cursor = job.cursor as unknown as PrepareCursor;
  const review = await lockReview(context, job.subjectId);
  if (review === undefined || review.state !== 'PREPARING' || review.prepareGeneration !== cursor.generation) {
    return;
  }
  await updateReview(context, review.id, { state: 'DRAFT', phaseError: error.message });
  await recordEvent(context, {
    kind: 'review.prepare_failed',
    targetType: 'access_review',
    targetId: review.id,
    data: { error: error.message },
  });
}

/** How a prepare is done. */
export const prepareJob: JobKind = { handler: doPrepare, onFailed: failPrepare };
