/** Planning when a source fetches next. */
import type { Context } from '../../context.ts';
import { callJobs } from '../../jobs/index.ts';
import { type FetchSource, updateNextFetch } from '../sources/index.ts';
import { findFetcher } from './fetchers/index.ts';
import { findNext, scheduleOf } from './schedule.ts';

/** The name that the queue knows the job by that finds due sources. */
export const tickKind = 'fetch.tick';

/** Calls for the job that finds due sources. */
async function callForTick({ db, tenantId, now }: Context): Promise<void> {
  await callJobs(db, [{ tenantId, kind: tickKind, subjectId: tenantId, runAt: now }]);
}

/** Sets the next moment of a source by its schedule; none where it does not fetch, is paused or deleted. */
export async function planNext(context: Context, source: FetchSource): Promise<void> {
  const fetches = findFetcher(source.kind) !== undefined && source.deletedAt === null && source.pausedAt === null;
  const next = fetches ? findNext(await scheduleOf(context, source), context.now) : undefined;
  await updateNextFetch(context, source.id, next ?? null);
  if (next !== undefined) {
    await callForTick(context);
  }
}
