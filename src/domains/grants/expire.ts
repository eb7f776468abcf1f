/**
 * The end of grants that were given by hand until a date, and of accounts made by hand whose app access was: one job for each tenant, which
 * sleeps until the earliest of these dates.
 */
import { isAppError } from '../../errors.ts';
import { enqueueJobBy, type JobKind } from '../../jobs/index.ts';
import type { Scope } from '../../scope.ts';
import { recordEvent } from '../audit/index.ts';
import { requireLockedApp, takeRevision } from '../catalog/index.ts';
import { endAccounts, endGrants } from './change-grants.ts';
import { findNextExpiry, listDueGrants } from './store-expiry.ts';

/** The kind of the job; its subject is the tenant. */
export const expireKind = 'grants.expire';

/** Grants that one chunk ends: a revision and an event each time. */
export const expiryChunk = 1000;

/** Has somebody look at this date at the latest. To be called before the app is locked, as the job does. */
export async function scheduleExpiry(scope: Scope, at: Date): Promise<void> {
  await enqueueJobBy(scope.db, { tenantId: scope.tenantId, kind: expireKind, subjectId: scope.tenantId, runAt: at }, scope.now);
}

/** Ends what is due, app by app; then waits for the next date, or ends where there is none. */
export const expireJob: JobKind = {
  // Giving up would leave people with access whose time is over.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(scope, job) {
    const next = await findNextExpiry(scope);
    if (next === undefined) {
      return 'finished';
    }
    if (next.at.getTime() > scope.now.getTime()) {
      return { cursor: {}, done: job.done, total: 0, runAt: next.at };
    }
    return { cursor: {}, done: job.done + (await expire(scope, next.appId)), total: 0 };
  },
};

/** Ends up to a chunk of what is due in one app, and returns how many grants it ended. */
async function expire(scope: Scope, appId: string): Promise<number> {
  const isThere = await requireLockedApp(scope, appId).then(
    () => true,
    (error: unknown) => {
      // Deleted since it was found: its grants stay as they were.
      if (isAppError(error, 'NOT_FOUND')) {
        return false;
      }
      throw error;
    },
  );
  const due = isThere ? await listDueGrants(scope, appId, expiryChunk) : [];
  if (due.length === 0) {
    return 0;
  }
  const change = { appId, revision: await takeRevision(scope, appId, 'EXPIRY'), sourceNo: 0 };
  const accountIds = due.flatMap((one) => (one.isAppAccess ? [one.accountId] : []));
  const ended = [
    ...(await endGrants(
      scope,
      change,
      due.filter((one) => !one.isAppAccess),
    )),
    ...(await endAccounts(scope, change, accountIds)),
  ];
  await recordEvent(scope, {
    kind: 'grants.expired',
    targetType: 'app',
    targetId: appId,
    data: { revision: change.revision, count: ended.length, grants: ended, accountIds },
  });
  return ended.length;
}
