/**
 * Sealing: giving committed events their positions, without a gap and each exactly once, and their leaves in the tenant's tree. Writers wait
 * for nobody and nobody waits for a writer: a transaction that takes long is sealed when it has committed. When seals happen is decided in
 * sealer.ts and by those who read.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { appendLeaves, emptyRoot, hashLeaf, joinSubtrees, readFrontier } from '../../lib/log/merkle.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { findTenantHost } from '../tenants/index.ts';
import { findUnsealed } from './find-unsealed.ts';
import { makeLeaf, type ReviewPlace } from './leaf.ts';
import { recordOccurrence } from './record-event.ts';
import {
  findLog,
  insertLeaves,
  insertLog,
  insertNodes,
  insertSeal,
  type LogRow,
  listReviewLinks,
  listSealableRows,
  listUnsealed,
  lockLog,
  type NewLeaf,
  type ReviewLink,
  updateLog,
  updateReviewLinks,
} from './store-log.ts';

/** Events of one transaction that seals; more are left to the next. */
const maxPerSeal = 50_000;
/** Events whose content is in memory at once. */
const maxAtOnce = 2_000;
/** Pause between tries of a held lock. */
const retryMs = 20;
/** Time back to look for those whom the arithmetic of snapshots missed. */
const lookBackMs = 24 * 3_600_000;

/** Time sealing may take. */
export interface SealLimits {
  /** Milliseconds after which no further part is begun. */
  readonly forMs: number;
  /** True if the end of another seal is waited for, within that time. */
  readonly waitsForLock: boolean;
  /** Events of one transaction; only tests say otherwise. */
  readonly mostPerSeal?: number;
}

/** `sealed`: everything that was committed before is. `locked`: somebody else seals. `more`: there is more than fits into the time. */
export type SealOutcome = 'sealed' | 'locked' | 'more';

/**
 * Seals what was committed before the call. INTERNAL inside a transaction: the events of one's own would count as seen by its snapshot and would
 * never be sealed. A log that has nothing to seal costs one query, and no lock.
 */
export async function sealLog(context: Context, limits: SealLimits): Promise<SealOutcome> {
  refuseTransaction(context);
  const giveUpAt = performance.now() + limits.forMs;
  const most = limits.mostPerSeal ?? maxPerSeal;
  const log = (await findLog(context)) ?? (await beginLog(context));
  if (log === undefined || log.behindSince !== null) {
    return 'sealed';
  }
  const first = await findUnsealed(context, log, 1);
  // An unfinished first seal has still to take down that it is complete.
  if (first.ids.length === 0 && !first.readsAll) {
    return 'sealed';
  }
  for (;;) {
    const part = await context.db.transaction((db) => sealPart({ ...context, db }, most));
    if (part === 'sealed') {
      return part;
    }
    if (performance.now() >= giveUpAt || (part === 'locked' && !limits.waitsForLock)) {
      return part;
    }
    if (part === 'locked') {
      await delay(retryMs);
    }
  }
}

/**
 * Seals events of the last day that a seal should have seen and did not: never any, unless rows came in past the service (a replication that
 * brings foreign transaction ids). An event `log.late` names them. Returns how many; undefined where others hold the lock.
 */
export async function sealLate(context: Context): Promise<number | undefined> {
  refuseTransaction(context);
  const late = await context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const log = await lockLog(inside);
    if (log === undefined || log.snapshot === null || log.behindSince !== null) {
      return undefined;
    }
    const sinceId = newIdPrefix(new Date(Math.max(0, context.now.getTime() - lookBackMs))).slice(0, 9);
    const { ids } = await listUnsealed(inside, maxPerSeal, { sinceId, seenIn: log.snapshot });
    await appendEvents(inside, log, ids, log.snapshot);
    return { ids, first: log.base + log.size };
  });
  // Not in the transaction that sealed: that one writes no event, since it could never seal its own.
  if (late !== undefined && late.ids.length > 0) {
    const data = { count: late.ids.length, firstPosition: late.first, eventUids: late.ids.slice(0, 100) };
    await recordOccurrence(context, { kind: 'log.late', targetId: context.tenantId, data });
  }
  return late?.ids.length;
}

function refuseTransaction({ db }: Context): void {
  if (db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'a log was to be sealed inside a transaction' });
  }
}

/** The log from its beginning; undefined for a tenant that is being erased. One that was deleted before has no host any more. */
async function beginLog(context: Context): Promise<LogRow | undefined> {
  const host = (await findTenantHost(context.db, context.tenantId)) ?? 'deleted.invalid';
  await insertLog(context, `${host}/log/${context.tenantId}/1`, emptyRoot);
  return findLog(context);
}

/** Seals one part in the open transaction. */
async function sealPart(context: Context, most: number): Promise<SealOutcome> {
  const log = await lockLog(context);
  if (log === undefined) {
    return 'locked';
  }
  const { ids, snapshot } = await findUnsealed(context, log, most);
  const isComplete = ids.length < most;
  // A part leaves the old snapshot, so that the next one finds the rest.
  await appendEvents(context, log, ids, isComplete ? snapshot : log.snapshot);
  return isComplete ? 'sealed' : 'more';
}

/** Puts these events behind the last leaf, in this order: leaves, nodes, links of reviews, and where the log stands then. */
async function appendEvents(context: Context, log: LogRow, ids: readonly string[], snapshot: string | null): Promise<void> {
  let frontier = readFrontier(log.size, log.frontier);
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const eventIds = ids.slice(from, from + maxAtOnce);
    const firstPosition = log.base + frontier.size;
    const leaves = await hashEvents(context, eventIds, firstPosition);
    await insertLeaves(context, firstPosition, leaves);
    const growth = appendLeaves(
      frontier,
      leaves.map(({ hash }) => hash),
    );
    if (growth.completed.length > 0) {
      await insertNodes(context, log.epoch, growth.completed);
    }
    frontier = growth.frontier;
  }
  if (ids.length > 0) {
    await insertSeal(context, log.base + log.size, ids.length);
  }
  if (ids.length > 0 || snapshot !== log.snapshot) {
    const tree = { size: frontier.size, root: joinSubtrees(frontier.hashes), frontier: Buffer.concat(frontier.hashes) };
    await updateLog(context, { epoch: log.epoch, ...tree, snapshot });
  }
}

/** The leaves of these events, each linked to the event of its review before it. */
async function hashEvents(context: Context, ids: readonly string[], firstPosition: number): Promise<NewLeaf[]> {
  const rows = new Map((await listSealableRows(context, ids)).map((row) => [row.id, row]));
  const reviewIds = [...new Set([...rows.values()].map((row) => row.reviewId))].filter((id) => id !== '');
  const before = reviewIds.length === 0 ? [] : await listReviewLinks(context, reviewIds);
  const links = new Map<string, ReviewLink>(before.map((link) => [link.reviewId, link]));
  const leaves = ids.map((id, index) => {
    const row = rows.get(id);
    if (row === undefined) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `the event ${id} is gone while it is sealed` });
    }
    const place = takePlace(links, row.reviewId, firstPosition + index);
    return { eventId: id, hash: hashLeaf(Buffer.from(makeLeaf(context.tenantId, row, place))), place };
  });
  if (links.size > 0) {
    await updateReviewLinks(context, [...links.values()]);
  }
  return leaves;
}

/** The next place in a review's chain, which moves on to this position. */
function takePlace(links: Map<string, ReviewLink>, reviewId: string, position: number): ReviewPlace | undefined {
  if (reviewId === '') {
    return undefined;
  }
  const { number, position: previous } = links.get(reviewId) ?? { number: 0, position: -1 };
  links.set(reviewId, { reviewId, number: number + 1, position });
  return { id: reviewId, number: number + 1, previous };
}
