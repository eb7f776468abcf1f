/**
 * Rules for what a review does to its tasks as a whole: it makes them piece by piece, opens them, and ends them. Of a review this module knows its
 * id, its state and its managers.
 */
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import type { Plans } from '../../policies/index.ts';
import { endOpenTasks, updateTasksState } from './store-bulk.ts';
import { findChunkEnd, insertTasksFromSnapshot } from './store-fill.ts';
import { eventOfItems } from './store-item-lines.ts';
import type { Judging } from './store-judge.ts';
import type { AccountKey, HeldGrants } from '../../snapshots/index.ts';
import { removePendingOf } from '../decisions/index.ts';
import type { EndReason, TaskOutcome } from '../task/index.ts';

/** Tasks made in one transaction, about: half a second's work. */
const wantedPerChunk = 40_000;

/** Accounts of a first piece, when nobody knows yet how much each holds, and of any. */
const accountsOfFirstChunk = 500;
const fewestAccounts = 50;
const maxAccounts = 20_000;

/** Tasks ended in one transaction. */
const tasksPerChunk = 10_000;

/** Progress of filling a review, and what the last piece added. */
export interface FillProgress {
  /** Undefined when the snapshot is done. */
  readonly after: AccountKey | undefined;
  readonly added: number;
  /** Count of accounts the next piece should have. */
  readonly accounts: number;
  /** Prefix of the ids of the tasks of this piece, and of no other. */
  readonly idPrefix: string;
}

/** The size of the next piece: as many accounts as have `wantedPerChunk` tasks going by the last one, but at most four times as many as that. */
function nextAccounts(accounts: number, added: number): number {
  const wanted = Math.min(accounts * 4, Math.round((accounts * wantedPerChunk) / Math.max(1, added)));
  return Math.max(fewestAccounts, Math.min(maxAccounts, wanted));
}

/** Makes the tasks of the next accounts of a snapshot, with one event for the piece. The caller keeps where it stands in the same transaction. */
export async function fillTasks(
  context: Context,
  reviewId: string,
  from: { after: AccountKey; accounts?: number | undefined },
  held: HeldGrants,
  by: { readonly plans: Plans; readonly judging: Judging },
): Promise<FillProgress> {
  const { after, accounts = accountsOfFirstChunk } = from;
  const end = await findChunkEnd(context, reviewId, after, accounts);
  if (end === undefined) {
    return { after: undefined, added: 0, accounts, idPrefix: '' };
  }
  const idPrefix = newIdPrefix(context.now);
  const { evidence, ...result } = await insertTasksFromSnapshot(context, reviewId, { after, end, idPrefix }, held, by);
  await recordEvent(context, {
    id: eventOfItems(idPrefix),
    evidence: { tasks: evidence },
    kind: 'review.tasks_made',
    targetId: reviewId,
    data: { ...result, from: after, to: end },
  });
  return { after: end, added: result.count, accounts: nextAccounts(accounts, result.count), idPrefix };
}

/**
 * Ends the next open tasks of a review that nobody decided, and behind the last drops what was staged; `after` is undefined when nothing is left.
 * One event for the piece.
 */
export async function endUndecided(
  context: Context,
  reviewId: string,
  after: string,
  end: { outcome: TaskOutcome; reason: EndReason },
): Promise<{ after: string | undefined; ended: number }> {
  const result = await endOpenTasks(context, reviewId, after, tasksPerChunk, end);
  if (result.last === null && (await dropPending(context, reviewId)) === tasksPerChunk) {
    // There may be more of them.
    return { after, ended: 0 };
  }
  return recordEnded(context, reviewId, result, end);
}

/** Drops the next decisions of a review that were staged and never submitted, and counts them; how many. */
async function dropPending(context: Context, reviewId: string): Promise<number> {
  const count = await removePendingOf(context, reviewId, tasksPerChunk);
  if (count > 0) {
    await recordEvent(context, { kind: 'review.pending_dropped', targetId: reviewId, data: { count } });
  }
  return count;
}

async function recordEnded(
  context: Context,
  reviewId: string,
  result: { count: number; digest: string; last: string | null },
  end: { outcome: TaskOutcome; reason: EndReason },
): Promise<{ after: string | undefined; ended: number }> {
  if (result.count > 0) {
    const { count, digest } = result;
    await recordEvent(context, {
      kind: 'review.tasks_ended',
      targetId: reviewId,
      data: { count, digest, outcome: end.outcome, reason: end.reason },
    });
  }
  return { after: result.last ?? undefined, ended: result.count };
}

/** Shows nothing of a review for decision any more; its open tasks are ended by `endUndecided`. */
export async function cancelTasks(context: Context, reviewId: string): Promise<void> {
  await updateTasksState(context, reviewId, 'CANCELLED');
}
