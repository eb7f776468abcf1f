/** Jobs of this module: scheduled fetches, what follows when a source is paused or deleted, and held fetches that nobody decided on. */
import type { Context } from '../../context.ts';
import { callDue, type Job, type JobKind, removeEffect } from '../../jobs/index.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findNextFetch, listDueSources, lockFetchSource } from '../sources/index.ts';
import { askForFetch } from './ask.ts';
import { lookAtAgeOf, lookAtAges } from './freshness.ts';
import { endHeld } from './hold.ts';
import { planNext, tickKind } from './plan.ts';
import { countMoments, scheduleOf } from './schedule.ts';
import { heldForMs } from './states.ts';
import { moveFetch } from './move-fetch.ts';
import { removeOtherFiles } from './store-files.ts';
import { findUnderWay, listHeldSince, lockFetch, removeEndedFetches } from './store.ts';

const dueKind = 'fetch.due';
/** The name that the queue knows the job by that follows what happens to a source. */
export const followKind = 'fetch.follow';
/** The name of the job that looks after held fetches. */
export const lookKind = 'fetch.look';

const heldPerChunk = 100;
const keepQuietMs = 90 * 24 * 3_600_000;

const tickJob: JobKind = {
  // Giving up would silently end all schedules.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  handler: (context, job) => callDue(context, job, { kind: tickKind, dueKind, list: listDueSources, findNextMoment: findNextFetch }),
};

/** One fetch, however many moments have passed: the others were missed, and an event counts them. */
async function beginDue(context: Context, { subjectId }: Job): Promise<'finished'> {
  const source = await lockFetchSource(context, subjectId);
  if (source === undefined || source.nextAt === null || source.nextAt > context.now) {
    return 'finished';
  }
  if (source.deletedAt !== null) {
    await planNext(context, source);
    return 'finished';
  }
  const missed = countMoments(await scheduleOf(context, source), source.nextAt, context.now) - 1;
  if (missed > 0) {
    const { appId, displayName } = source;
    await recordEvent(context, { kind: 'connector.fetch_missed', targetId: source.id, data: { appId, displayName, count: missed } });
  }
  await askForFetch(context, source, { reason: 'SCHEDULED' });
  await planNext(context, source);
  return 'finished';
}

/** Ends fetches that are under way of a source that is paused or deleted, plans its next moment anew, and looks how old its data are. */
async function follow(context: Context, { subjectId }: Job): Promise<'finished'> {
  const source = await lockFetchSource(context, subjectId);
  if (source === undefined) {
    return 'finished';
  }
  if (source.deletedAt !== null || source.pausedAt !== null) {
    const error = `The source was ${source.deletedAt === null ? 'paused' : 'deleted'}.`;
    const found = await findUnderWay(context, source.id);
    if (found !== undefined) {
      // Whoever works on it loses the lease and stops.
      await removeEffect(context.db, context.tenantId, found.id);
      await moveFetch(context, found.id, found.state === 'WAITING' ? 'SKIPPED' : 'FAILED', { error });
    }
  }
  if (source.deletedAt !== null) {
    await removeOtherFiles(context, source.id, '');
  }
  await planNext(context, source);
  await lookAtAgeOf(context, source.id);
  return 'finished';
}

async function look(context: Context): Promise<'finished'> {
  for (const id of await listHeldSince(context, new Date(context.now.getTime() - heldForMs), heldPerChunk)) {
    const fetch = await lockFetch(context, id);
    if (fetch?.state === 'HELD') {
      await endHeld(context, fetch, 'Nobody decided on it for 14 days.');
    }
  }
  await lookAtAges(context);
  await removeEndedFetches(context, new Date(context.now.getTime() - keepQuietMs));
  return 'finished';
}

/** The jobs, by the names that the queue knows them by. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [tickKind, tickJob],
  [dueKind, { maxAttempts: Number.MAX_SAFE_INTEGER, handler: beginDue }],
  [followKind, { handler: follow }],
  [lookKind, { handler: look }],
]);
