/**
 * Preparing a review: its scope is checked at once, then a job takes the snapshot and makes one task for each grant in it, piece by piece.
 * A piece is one transaction with the job's cursor, so a kill at any point loses at most the piece under way, and nothing is made twice.
 */
import type { AppError } from '../../../errors.ts';
import { enqueueJob, type ChunkResult, type Job, type JobKind } from '../../../jobs/index.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { holdRevision } from '../../../inventory/ledger/index.ts';
import { listPeopleSources } from '../../../inventory/people/index.ts';
import { countTasks, fillTasks, getItemsMadeSql, removeTasks } from '../../tasks/index.ts';
import { findSnapshotAccuracy, listBrokenSums } from '../evidence/index.ts';
import {
  type ReviewRow,
  findPredecessorId,
  findScheduledStart,
  hasCome,
  judgeMove,
  lockReview,
  requireLockedReview,
  requireReview,
  changeStage,
  updateReview,
} from '../record/index.ts';
import {
  analyzeTables,
  snapshotConditions,
  countItems,
  keepRecord,
  recordConditionFailures,
  findItemsHash,
  getHeldGrants,
  getItemConditions,
  insertDigests,
  insertPeers,
  findWhyEmpty,
  snapshotItems,
  listScopeEntries,
  planConditions,
  readPlans,
  removeItems,
  removeSnapshot,
} from '../../snapshots/index.ts';
import { closeEmpty } from './close-empty.ts';
import { asksChangesOnly, checkPreparable, findBefore, freezeReview, hashReview, readChosen } from '../scope/index.ts';

/** The kind of the job that prepares. */
export const prepareKind = 'review.prepare';

/** Left-over tasks of a reset removed in one transaction. */
const removalsPerChunk = 20_000;

/** Time a prepare lets pass before it looks again whether the inventory can be held still. */
const pauseMs = 500;

/** Progress of a prepare. */
interface PrepareCursor {
  readonly stage: 'clear' | 'freeze' | 'peers' | 'fill';
  /** The prepare this is; a reset in between makes it another. */
  readonly generation: number;
  /** Filling goes on behind this account. */
  readonly appId?: string;
  readonly accountId?: string;
  /** Accounts the next piece should have. */
  readonly accounts?: number;
}

function beginningOf(generation: number): PrepareCursor {
  return { stage: 'clear', generation };
}

/**
 * Moves a draft to PREPARING and returns it. PREPARING already is allowed. FAILED_PRECONDITION in other states, and where no snapshot can be
 * taken of what is chosen: nothing chosen, ids of nothing, members that exclude each other, nothing in scope.
 */
export async function prepareReview(context: Context, id: string): Promise<ReviewRow> {
  const draft = await requireReview(context, id, 'manage');
  if (judgeMove('prepare', changeStage(draft)) === 'already') {
    return draft;
  }
  // As the job will do it, thrown away: what is wrong is said now, not later.
  await checkPreparable(context, draft);
  return inTransaction(context, (inside) => beginPrepare(inside, id));
}

/** Moves a draft whose scope was checked to PREPARING, in the open transaction. */
export async function beginPrepare(inside: Context, id: string): Promise<ReviewRow> {
  const review = await requireLockedReview(inside, id);
  if (judgeMove('prepare', changeStage(review)) === 'already') {
    return review;
  }
  const generation = review.prepareGeneration + 1;
  const jobId = await enqueueJob(
    inside.db,
    { tenantId: inside.tenantId, kind: prepareKind, subjectId: id, cursor: { ...beginningOf(generation) } },
    inside.now,
  );
  await updateReview(inside, id, {
    state: 'PREPARING',
    phase: 'PREPARE',
    phaseError: '',
    phaseJobId: jobId,
    prepareGeneration: generation,
  });
  await recordEvent(inside, { kind: 'review.prepare_requested', targetId: id, data: { generation } });
  return (await lockReview(inside, id)) ?? review;
}

async function doPrepare(context: Context, job: Job, mostItems: number): Promise<ChunkResult> {
  const cursor = job.cursor as unknown as PrepareCursor;
  const review = await lockReview(context, job.subjectId);
  if (review === undefined || review.state !== 'PREPARING' || review.phaseJobId !== job.id) {
    return 'finished';
  }
  if (review.prepareGeneration !== cursor.generation) {
    // Reset and prepared again while a piece was under way: the new prepare was given this job, which starts over for it.
    return { cursor: { ...beginningOf(review.prepareGeneration) }, done: 0, total: 0 };
  }
  switch (cursor.stage) {
    case 'clear':
      return clear(context, review, cursor, job);
    case 'freeze':
      return freeze(context, review, cursor, mostItems);
    case 'peers':
      return countPeers(context, review, cursor, job);
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

async function freeze(context: Context, review: ReviewRow, cursor: PrepareCursor, mostItems: number): Promise<ChunkResult> {
  const revision = await holdRevision(context);
  if (revision === undefined) {
    // An import is writing. Waiting here would keep the review, and with it whoever wants to reset it.
    return { cursor: { ...cursor }, done: 0, total: 0, runAt: new Date(context.now.getTime() + pauseMs) };
  }
  // By date nobody is there to mend an empty scope, and that it was empty is what the review was to find out.
  const isUnattended = review.triggered || hasCome(findScheduledStart(review.document), context.now);
  const snapshot = await freezeReview(context, review, { id: review.id, revision }).catch((error: unknown) => {
    const why = isUnattended ? findWhyEmpty(error) : undefined;
    if (why === undefined) {
      throw error;
    }
    return why;
  });
  if (typeof snapshot === 'string') {
    await (review.triggered ? dropReview(context, review) : closeEmpty(context, review, revision, snapshot));
    return 'finished';
  }
  await analyzeTables(context, ['review_accounts', 'review_people', 'review_entitlements', 'task_subject_assignments']);
  const accuracy = await findSnapshotAccuracy(context, review.id);
  const eventId = newId(context.now);
  const kept = await keepRecord(context, { id: review.id, revision }, snapshot.items, eventId);
  const total = countItems(kept.verdicts);
  await recordConditionFailures(context, snapshotConditions(context, review, snapshot.items), snapshot.plans);
  if (total > mostItems) {
    await refuseQuota(context, review, total, mostItems);
    return 'finished';
  }
  const scopeHash = await hashReview(context, review, revision, context.now);
  await updateReview(context, review.id, {
    preparedRevision: revision,
    sourcesFrozenAt: context.now,
    scopeHash,
    itemsHash: '',
    expectedTicketCount: total,
    accuracy,
    errorState: '',
    predecessorId: (await findPredecessorId(context, review.id)) ?? null,
  });
  await recordEvent(context, {
    id: eventId,
    kind: 'review.snapshot_taken',
    targetId: review.id,
    data: {
      revision,
      items: total,
      fallbackSubjects: snapshot.fallbacks,
      unassignedSubjects: snapshot.unassigned,
      peopleSources: await listPeopleSources(context),
    },
    evidence: kept.digests,
  });
  return { cursor: { ...cursor, stage: 'peers' }, done: 0, total };
}

async function countPeers(context: Context, review: ReviewRow, cursor: PrepareCursor, job: Job): Promise<ChunkResult> {
  await insertPeers(context, review.id, review.preparedRevision ?? 0);
  await analyzeTables(context, ['review_peers']);
  return { cursor: { ...cursor, stage: 'fill', appId: '', accountId: '' }, done: 0, total: job.total };
}

/** Takes a review with more items than this installation allows back to a draft; the snapshot goes. */
async function refuseQuota(context: Context, review: ReviewRow, items: number, mostItems: number): Promise<void> {
  await removeTasks(context, review.id, removalsPerChunk);
  await removeSnapshot(context, review.id);
  const error = `The review would ask about ${items} items; this installation allows ${mostItems}. Narrow its scope, or split it into several reviews.`;
  await returnToDraft(context, review, error, 'SELECTION_QUOTA');
}

/**
 * Takes back a review that a change of somebody made who has no access in the scope of its template: there is nothing to ask, and nobody has anything to
 * mend.
 */
async function dropReview(context: Context, review: ReviewRow): Promise<void> {
  await removeSnapshot(context, review.id);
  const deleteReason = 'The people it was made for have no access in the scope of its template.';
  await updateReview(context, review.id, { state: 'DELETED', deletedAt: context.now, deleteReason });
  await recordEvent(context, {
    kind: 'review.dropped',
    targetId: review.id,
    data: {
      displayName: review.document.displayName,
      accessReviewTemplateId: review.document.accessReviewTemplateId ?? '',
      reason: deleteReason,
    },
  });
}

/** A prepare that failed for good. What happens by date does not try it again before somebody changes the review. */
async function returnToDraft(context: Context, review: ReviewRow, error: string, errorState: ReviewRow['errorState']): Promise<void> {
  const scheduleStopped = hasCome(findScheduledStart(review.document), context.now);
  await updateReview(context, review.id, { state: 'DRAFT', phaseError: error, scheduleStopped, errorState });
  await recordEvent(context, {
    kind: 'review.prepare_failed',
    targetId: review.id,
    data: { error, displayName: review.document.displayName, byDate: scheduleStopped },
  });
}

async function fill(context: Context, review: ReviewRow, cursor: PrepareCursor, job: Job): Promise<ChunkResult> {
  // The scope was checked when the snapshot was taken, and cannot change while the review is PREPARING.
  const chosen = await readChosen(context, review);
  const place = { id: review.id, revision: review.preparedRevision ?? 0 };
  const takenAt = review.sourcesFrozenAt ?? context.now;
  const plans = await readPlans(context, review.id);
  const planned = planConditions(context, plans, { createdById: review.createdById, takenAt });
  const items = snapshotItems(context, place, chosen, takenAt, false);
  const held = {
    ...getHeldGrants(context, items),
    conditions: getItemConditions(context.tenantId, review.id, items.holders, planned.items),
  };
  const before = await findBefore(context, review.predecessorId);
  const after = { appId: cursor.appId ?? '', accountId: cursor.accountId ?? '' };
  const progress = await fillTasks(context, review.id, { after, accounts: cursor.accounts }, held, {
    plans,
    judging: { takenAt, before, carries: asksChangesOnly(chosen.entries) },
  });
  if (progress.after !== undefined) {
    await insertDigests(context, review.id, getItemsMadeSql(context.tenantId, review.id, progress.idPrefix));
    return { cursor: { ...cursor, ...progress.after, accounts: progress.accounts }, done: job.done + progress.added, total: job.total };
  }
  await finish(context, review);
  return 'finished';
}

async function finish(context: Context, review: ReviewRow): Promise<void> {
  await removeItems(context, review.id);
  await analyzeTables(context, ['tasks', 'task_assignments']);
  const counts = await countTasks(context, review.id);
  const itemsHash = await findItemsHash(context, review.id);
  const isPartial = asksChangesOnly(await listScopeEntries(context, review.id));
  const carried = isPartial ? { carried: counts.tasks - counts.open, carriedFrom: review.predecessorId ?? '' } : {};
  const brokenSums = await listBrokenSums(context, review.id, counts.tasks);
  if (brokenSums.length > 0) {
    context.log.error({ review: review.id, sums: brokenSums }, 'what a review rests on does not add up');
  }
  const startAt = findScheduledStart(review.document);
  await updateReview(context, review.id, {
    state: startAt === undefined ? 'REVIEW' : 'PENDING',
    expectedTicketCount: counts.tasks,
    itemsHash,
  });
  await recordEvent(context, {
    kind: 'review.prepared',
    targetId: review.id,
    data: {
      tasks: counts.tasks,
      unassigned: counts.unassigned,
      ...carried,
      inputHash: review.scopeHash,
      itemsHash,
      brokenSums: brokenSums.length > 0 ? brokenSums : undefined,
    },
  });
}

async function failPrepare(context: Context, job: Job, error: AppError): Promise<void> {
  const review = await lockReview(context, job.subjectId);
  // By its job and not by its generation: a prepare that was given this job while it failed would wait for it for ever.
  if (review === undefined || review.state !== 'PREPARING' || review.phaseJobId !== job.id) {
    return;
  }
  await returnToDraft(context, review, error.message, '');
}

/** Makes the prepare job, with the most items that this installation allows a review. */
export function createPrepareJob(mostItems = Number.MAX_SAFE_INTEGER): JobKind {
  return { handler: (context, job) => doPrepare(context, job, mostItems), onFailed: failPrepare };
}
