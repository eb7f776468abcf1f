/**
 * Deleting an app: the request takes it out of sight, and a job ends its grants and accounts piece by piece. Both are one revision, that of
 * the request: whoever reads the inventory as of it or later leaves deleted apps out, and as of any revision before it a grant says the same
 * whether its end is written already or not.
 */
import { inTransaction, type Context } from '../../../context.ts';
import { enqueueJob, type JobKind } from '../../../jobs/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { lockAppName, removeApp, requireApp, requireLockedApp } from '../../catalog/index.ts';
import { removeDirectory } from '../../identity/index.ts';
import { type AppEnd, endNextAccounts, endNextGrants, takeRevision } from '../../ledger/index.ts';
import { removeSourcesOf } from '../../sources/index.ts';
import { countOpenGrants, hasLiveAccess } from './store-delete-app.ts';

/** The kind of the job that ends what a deleted app had; its subject is the app. */
export const endAccessKind = 'app.end-access';

/** Grants that one chunk ends: about a second. */
export const grantsChunk = 20_000;

/** Accounts that one chunk ends, each of which keeps what it said. */
export const accountsChunk = 10_000;

/** Place of the job: behind a grant, or behind an account once all grants are ended. */
interface EndCursor {
  readonly revision: number;
  /** Time the app was deleted: ISO 8601. */
  readonly at: string;
  readonly entitlementId?: string;
  readonly accountId?: string;
  readonly areGrantsEnded?: boolean;
}

/**
 * Deletes an app and all that is in it: from then on nobody finds it, and its name is free. Nothing of it is erased, since reviews and
 * events report it; its grants end with a revision, so that the history says when, and open reviews end their tasks about them as about
 * any access that is gone. Takes as long as marking its resources and entitlements does; its grants and accounts are ended by a job. Waits
 * for an import into it. NOT_FOUND for none.
 */
export function deleteApp(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { displayName } = await requireApp(inside, id);
    await lockAppName(inside, displayName);
    const app = await requireLockedApp(inside, id);
    const grantCount = await countOpenGrants(inside, id);
    const revision = (await hasLiveAccess(inside, id)) ? await takeRevision(inside, id, 'MANUAL') : undefined;
    await removeApp(inside, id);
    await removeSourcesOf(inside, id);
    await removeDirectory(inside, id);
    await recordEvent(inside, {
      kind: 'app.deleted',
      targetId: id,
      data: { displayName: app.displayName, ownerIds: [...app.ownerIds], userCount: app.userCount, grantCount, revision: revision ?? null },
    });
    if (revision !== undefined) {
      const cursor = { revision, at: inside.now.toISOString() };
      await enqueueJob(inside.db, { tenantId: inside.tenantId, kind: endAccessKind, subjectId: id, cursor }, inside.now);
    }
  });
}

/** Ends the grants of a deleted app in the order of their keys, then its accounts; each chunk is reported by one event. */
export const endAccessJob: JobKind = {
  // Giving up would leave access open that nobody sees.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const cursor = job.cursor as unknown as EndCursor;
    const end = { appId: job.subjectId, revision: cursor.revision, at: new Date(cursor.at) };
    const { entitlementId = '', accountId = '' } = cursor;
    if (cursor.areGrantsEnded !== true) {
      const { last, ended, derived } = await endNextGrants(context, end, { entitlementId, accountId }, grantsChunk);
      await recordEnd(context, end, { grants: ended - derived, appAccess: derived, accounts: 0 });
      const next = last ?? { entitlementId: '', accountId: '', areGrantsEnded: true };
      return { cursor: { ...cursor, ...next }, done: job.done + ended, total: 0 };
    }
    const { last, ended } = await endNextAccounts(context, end, accountId, accountsChunk);
    await recordEnd(context, end, { grants: 0, appAccess: 0, accounts: ended });
    return last === undefined ? 'finished' : { cursor: { ...cursor, accountId: last }, done: job.done + ended, total: 0 };
  },
};

/** Totals ended by a chunk; `appAccess` follows from having an account. */
interface Ended {
  readonly grants: number;
  readonly appAccess: number;
  readonly accounts: number;
}

async function recordEnd(context: Context, { appId, revision }: AppEnd, ended: Ended): Promise<void> {
  if (ended.grants + ended.appAccess + ended.accounts > 0) {
    await recordEvent(context, { kind: 'app.access_ended', targetId: appId, data: { revision, ended: { ...ended } } });
  }
}
