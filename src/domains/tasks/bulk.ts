/**
 * What a review does to its tasks as a whole, as rules of this module: it makes them piece by piece, opens them, and ends
 * them. Of a review this module knows its id, its state and its managers.
 */
import type { Sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { ROLES } from '../directory/index.ts';
import { findCommonReviewers, insertAssignment } from './store-assign.ts';
import {
  type AccountKey,
  endOpenTasks,
  findChunkEnd,
  insertTasksFromSnapshot,
  listStaleAssignments,
  updateAssignment,
  updateTasksState,
} from './store-bulk.ts';
import type { EndReason, TaskOutcome } from './task.ts';

/** Tasks made in one transaction, about: half a second's work. */
const wantedPerChunk = 40_000;

/** Accounts of a first piece, when nobody knows yet how much each holds, and of any. */
const accountsOfFirstChunk = 500;
const fewestAccounts = 50;
const mostAccounts = 20_000;

/** Tasks ended in one transaction. */
const tasksPerChunk = 10_000;

/** Where filling a review stands, and what the last piece added. */
export interface FillProgress {
  /** Undefined when the snapshot is done. */
  readonly after: AccountKey | undefined;
  readonly added: number;
  /** How many accounts the next piece should have. */
  readonly accounts: number;
}

/** The size of the next piece: as many accounts as have `wantedPerChunk` tasks going by the last one, but at most four times as many as that. */
function nextAccounts(accounts: number, added: number): number {
  const wanted = Math.min(accounts * 4, Math.round((accounts * wantedPerChunk) / Math.max(1, added)));
  return Math.max(fewestAccounts, Math.min(mostAccounts, wanted));
}

/** Makes the tasks of the next accounts of a snapshot, with one event for the piece. The caller keeps where it stands in the same transaction. */
export async function fillTasks(
  context: Context,
  reviewId: string,
  revision: number,
  from: { after: AccountKey; accounts?: number | undefined },
  condition: Sql,
): Promise<FillProgress> {
  const { after, accounts = accountsOfFirstChunk } = from;
  const end = await findChunkEnd(context, reviewId, after, accounts);
  if (end === undefined) {
    return { after: undefined, added: 0, accounts };
  }
  const result = await insertTasksFromSnapshot(context, reviewId, revision, { after, end, idPrefix: newIdPrefix(context.now) }, condition);
  await recordEvent(context, {
    kind: 'review.tasks_made',
    targetType: 'access_review',
    targetId: reviewId,
    data: { ...result, from: after, to: end },
  });
  return { after: end, added: result.count, accounts: nextAccounts(accounts, result.count) };
}

/** Ends the next open tasks of a review that nobody decided; `after` is undefined when none is left. One event for the piece. */
export async function endUndecided(
  context: Context,
  reviewId: string,
  after: string,
  end: { outcome: TaskOutcome; reason: EndReason },
): Promise<{ after: string | undefined; ended: number }> {
  const result = await endOpenTasks(context, reviewId, after, tasksPerChunk, end);
  return recordEnded(context, reviewId, result, end);
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
      targetType: 'access_review',
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

/**
 * Hands open tasks of disabled reviewers on: to the others of their set, else to the managers of the review, else to the Super
 * Administrators. One event per set. Returns how many tasks changed hands and how many have nobody now.
 */
export async function handOver(context: Context, reviewId: string): Promise<{ handed: number; stuck: number }> {
  let handed = 0;
  let stuck = 0;
  const stale = await listStaleAssignments(context, reviewId);
  if (stale.length === 0) {
    return { handed, stuck };
  }
  const common = await findCommonReviewers(context, reviewId, ROLES.SUPER_ADMINISTRATOR.id);
  for (const set of stale) {
    const levels = [set.enabledIds, common.reviewOwners, common.administrators].filter((ids) => ids.length > 0);
    let moved = 0;
    const to: string[] = [];
    for (const ids of levels) {
      // A level that is only the person reviewed leaves that person's tasks behind for the next one.
      const target = await insertAssignment(context, reviewId, ids, 'HANDED_OVER', true);
      moved += await updateAssignment(context, set.id, target);
      to.push(target);
    }
    handed += moved;
    stuck += levels.length === 0 ? 1 : 0;
    if (moved > 0 || levels.length === 0) {
      await recordEvent(context, {
        kind: 'review.reviewer_handed_over',
        targetType: 'access_review',
        targetId: reviewId,
        data: { disabledIds: set.disabledIds, tasks: moved, nobodyLeft: levels.length === 0, assignmentIds: to },
      });
    }
  }
  return { handed, stuck };
}
