/**
 * Looking after what connectors carry out: what is not theirs any more is ended, hosts that are silent lose their tasks, and what was carried out gets a sync that
 * proves it. One job of the tenant, which calls for itself while something is under way.
 */
import type { Context } from '../../../context.ts';
import { callAgain, type JobKind } from '../../../jobs/index.ts';
import { endSilentTasks, giveUpRemoval } from '../../../inventory/connector-tasks/index.ts';
import { fetchForProof } from '../../../inventory/fetches/index.ts';
import { findFetchSource } from '../../../inventory/sources/index.ts';
import { recordLeft } from './record-left.ts';
import { listSourcesWithSent, listUnfit, listUnproven, moveSending, updateProofAsked } from './store.ts';

/** The kind of the job; its subject is the tenant. */
export const lookKind = 'revocations.sendings';

const perPiece = 500;
const pauseMs = 60_000;
/** A sync waits so long for other removals of the connector to end, so that one proves them all. */
const gatherMs = 4 * 60_000;

/** Ends the sendings that are not wanted any more; false where there are none. */
async function endUnfit(context: Context): Promise<boolean> {
  const rows = await listUnfit(context, perPiece);
  for (const { id, taskId, reason } of rows) {
    if (taskId !== '') {
      await giveUpRemoval(context, taskId, 'The removal is not wanted any more.');
    }
    await (reason === '' ? moveSending(context, id, 'OVERTAKE') : moveSending(context, id, 'LEAVE', { reason }));
  }
  const left = rows.flatMap((row) => (row.reason === '' ? [] : [{ ...row, reason: row.reason }]));
  for (const group of Map.groupBy(left, ({ sourceId, reason }) => `${sourceId} ${reason}`).values()) {
    const [first] = group;
    if (first !== undefined) {
      const ids = group.map(({ id }) => id);
      await recordLeft(context, { id: first.sourceId, appId: first.appId, displayName: first.sourceName }, first.reason, ids);
    }
  }
  return rows.length > 0;
}

/** Asks for syncs that prove what was carried out; true if some have to be asked for later. */
async function askForProofs(context: Context): Promise<boolean> {
  let isLater = false;
  for (const { sourceId, since, isBusy } of await listUnproven(context)) {
    const source = await findFetchSource(context, sourceId);
    if (source === undefined) {
      continue;
    }
    const gathers = isBusy && context.now.getTime() - since.getTime() < gatherMs;
    if (!gathers && (await fetchForProof(context, source))) {
      await updateProofAsked(context, sourceId);
    } else {
      isLater = true;
    }
  }
  return isLater;
}

/** Looks once, and again after a minute while something is under way. */
export const lookJob: JobKind = {
  // Giving up would leave removals that nobody carries out.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    if (await endUnfit(context)) {
      return { cursor: {}, done: job.done + 1, total: 0 };
    }
    const sources = await listSourcesWithSent(context);
    for (const sourceId of sources) {
      await endSilentTasks(context, sourceId);
    }
    const isLater = await askForProofs(context);
    if (isLater || sources.length > 0) {
      const { tenantId, now } = context;
      await callAgain(context.db, { tenantId, kind: lookKind, subjectId: tenantId, runAt: new Date(now.getTime() + pauseMs) }, now);
    }
    return 'finished';
  },
};
