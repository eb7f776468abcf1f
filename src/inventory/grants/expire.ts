/**
 * The end of grants that were granted manually until a date, and of manual accounts whose app access was. A change of a date calls for the job of the
 * tenant, which ends what is due and calls for itself again at the earliest date that is left.
 */
import { isAppError } from '../../errors.ts';
import { callAgain, callJobs, type JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { endAccounts, endGrants, takeRevision } from '../ledger/index.ts';
import { findNextExpiry, listDueGrants } from './store-expiry.ts';

/** The kind of the job; its subject is the tenant. */
export const expireKind = 'grants.expire';

/** Grants that one chunk ends: a revision and an event each time. */
export const expiryChunk = 1000;

/** Has somebody look at the dates once this transaction has committed. */
export async function scheduleExpiry(context: Context): Promise<void> {
  await callJobs(context.db, [{ tenantId: context.tenantId, kind: expireKind, subjectId: context.tenantId, runAt: context.now }]);
}

/** Ends what is due, app by app; then calls for itself at the next date, where there is one. */
export const expireJob: JobKind = {
  // Giving up would leave people with access whose time is over.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const next = await findNextExpiry(context);
    if (next === undefined) {
      return 'finished';
    }
    if (next.at.getTime() > context.now.getTime()) {
      await callAgain(
        context.db,
        { tenantId: context.tenantId, kind: expireKind, subjectId: context.tenantId, runAt: next.at },
        context.now,
      );
      return 'finished';
    }
    return { cursor: {}, done: job.done + (await expire(context, next.appId)), total: 0 };
  },
};

/** Ends up to a chunk of what is due in one app, and returns how many grants it ended. */
async function expire(context: Context, appId: string): Promise<number> {
  const isThere = await requireLockedApp(context, appId).then(
    () => true,
    (error: unknown) => {
      // Deleted since it was found: its grants stay as they were.
      if (isAppError(error, 'NOT_FOUND')) {
        return false;
      }
      throw error;
    },
  );
  const due = isThere ? await listDueGrants(context, appId, expiryChunk) : [];
  if (due.length === 0) {
    return 0;
  }
  const change = { appId, revision: await takeRevision(context, appId, 'EXPIRY'), sourceNo: 0 };
  const accountIds = due.flatMap((one) => (one.isAppAccess ? [one.accountId] : []));
  const ended = [
    ...(await endGrants(
      context,
      change,
      due.filter((one) => !one.isAppAccess),
    )),
    ...(await endAccounts(context, change, accountIds)),
  ];
  await recordEvent(context, {
    kind: 'grants.expired',
    targetId: appId,
    data: { revision: change.revision, count: ended.length, grants: ended, accountIds },
  });
  return ended.length;
}
