/**
 * Requesting what was denied: at the close of a review all of it, before that what its policies want at once. What is requested is asked of
 * whoever carries it out, unless the access is gone already.
 */
import type { JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { openRemovalTasks } from '../tasks/index.ts';
import { findReviewState, type Piece, updateGone, updateRequested, updateStarted, updateWithdrawn } from './store-request.ts';
import { insertSnapshot, listTaskless, updateRefused, updateTaskIds } from './store-tasks.ts';

/** The kind of the job that requests what a review denied; its subject is the review. */
export const requestKind = 'revocations.request';

/** Removals of one piece; each gets a task. */
const perPiece = 1_000;

/** Writes the one event of a piece, if anything changed. */
async function recordPiece(context: Context, kind: string, reviewId: string, piece: Piece, more: object = {}): Promise<void> {
  if (piece.count > 0) {
    const { count, digest } = piece;
    await recordEvent(context, { kind, targetType: 'access_review', targetId: reviewId, data: { count, digest, ...more } });
  }
}

/** What becomes of removals that were just requested. */
interface Begun {
  readonly verified: number;
  readonly refused: number;
  readonly started: number;
}

/**
 * Carries on with removals that were just requested: those whose access is gone are proven, the others get their tasks. Where a policy asks nobody
 * whether it may be removed, it begins.
 */
export async function beginRequested(context: Context, ids: readonly string[]): Promise<Begun> {
  const gone = await updateGone(context, ids);
  const begins: string[] = [];
  const refused = new Map<string, string>();
  for (const [batchId, group] of Map.groupBy(await listTaskless(context, ids), (row) => row.batchId)) {
    await insertSnapshot(
      context,
      batchId,
      group.map(({ id }) => id),
    );
    const managerIds = group[0]?.managerIds ?? [];
    const items = group.map(({ id: _id, batchId: _batch, managerIds: _managers, ...item }) => item);
    const opened = await openRemovalTasks(context, { id: batchId, managerIds }, items);
    const taskIds = new Map<string, string>();
    for (const [at, { id }] of group.entries()) {
      const task = opened[at];
      if (task !== undefined) {
        taskIds.set(id, task.taskId);
        if (task.refusal !== undefined) {
          refused.set(id, task.refusal);
        } else if (task.isProvision) {
          begins.push(id);
        }
      }
    }
    await updateTaskIds(context, taskIds);
  }
  const kept = await updateRefused(context, refused);
  const started = await updateStarted(context, begins, 'PROVISION');
  return { verified: gone.count, refused: kept.count, started: started.count };
}

/** Requests the denied removals of a review piece by piece, or withdraws those of a deleted one. Tried for ever: nobody else would ask for them. */
export const requestJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const state = await findReviewState(context, job.subjectId);
    if (state === undefined) {
      return 'finished';
    }
    let piece: Piece;
    if (state === 'DELETED') {
      piece = await updateWithdrawn(context, job.subjectId, perPiece);
      await recordPiece(context, 'revocations.withdrawn', job.subjectId, piece);
    } else {
      piece = await updateRequested(context, job.subjectId, state !== 'CLOSED', perPiece);
      await recordPiece(context, 'revocations.requested', job.subjectId, piece, await beginRequested(context, piece.ids));
    }
    return piece.count < perPiece ? 'finished' : { cursor: {}, done: job.done + piece.count, total: 0 };
  },
};
