/**
 * Requesting what was denied: at the close of a review all of it, before that what its policies want at once. What is requested is asked of
 * whoever carries it out, unless the access is gone already.
 */
import type { JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { openRemovalTasks } from '../tasks/index.ts';
import { planSendings } from './sending/index.ts';
import {
  findReviewState,
  type Piece,
  updateGone,
  updateRequested,
  updateRequestedAnew,
  updateStarted,
  updateWithdrawn,
} from './store-request.ts';
import { insertSnapshot, listTaskless, updateRefused, updateTaskIds } from './store-tasks.ts';

/** The kind of the job that requests what a review denied; its subject is the review. */
export const requestKind = 'revocations.request';

/** Removals of one piece; each gets a task. */
const perPiece = 1_000;

/** Outcome of removals that were just requested. */
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
  await planSendings(context, begins);
  return { verified: gone.count, refused: kept.count, started: started.count };
}

/** Ids of one event: so many it names. */
const perEvent = 100;

/**
 * Requests removals anew whose access reappeared and whose task nobody has: it was gone when it was requested, so nobody was asked. Returns how many.
 */
export async function requestAnew(context: Context, appId: string, ids: readonly string[]): Promise<number> {
  const { ids: anew } = await updateRequestedAnew(context, ids);
  for (let at = 0; at < anew.length; at += perEvent) {
    const some = anew.slice(at, at + perEvent);
    const data = { count: some.length, ids: some, ...(await beginRequested(context, some)) };
    await recordEvent(context, { kind: 'revocations.requested_anew', targetId: appId, data });
  }
  return anew.length;
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
      const { count, digest } = piece;
      if (count > 0) {
        const event = {
          kind: 'revocations.withdrawn',
          targetType: 'access_review',
          targetId: job.subjectId,
          data: { count, digest },
        } as const;
        await recordEvent(context, event);
      }
    } else {
      piece = await updateRequested(context, job.subjectId, state !== 'CLOSED', perPiece);
      const { count, digest } = piece;
      const begun = await beginRequested(context, piece.ids);
      if (count > 0) {
        await recordEvent(context, { kind: 'revocations.requested', targetId: job.subjectId, data: { count, digest, ...begun } });
      }
    }
    return piece.count < perPiece ? 'finished' : { cursor: {}, done: job.done + piece.count, total: 0 };
  },
};
