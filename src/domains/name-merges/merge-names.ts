/**
 * Making accounts one that were kept apart because their names were written in two ways. A job of each tenant that has any, called for by the upgrade:
 * piece by piece, each in one transaction with its place, so that it goes on after a kill. Nothing makes such accounts any more.
 */
import { isAppError } from '../../errors.ts';
import { quoteName } from '../../lib/names/visible-text.ts';
import type { Context } from '../../context.ts';
import type { JobKind } from '../../jobs/index.ts';
import { recordEvent } from '../audit/index.ts';
import { listAccountsByIds, moveAccountOwners, requireLockedApp } from '../catalog/index.ts';
import { moveAlerts } from '../conflicts/index.ts';
import { lockMatching } from '../identity/index.ts';
import { type AccountMerge, listTwins, mergeAccounts, takeRevision, type TwinRow, updateKeyHolders } from '../ledger/index.ts';
import { moveRemovals } from '../revocations/index.ts';
import { movePushedAccounts } from '../scim/index.ts';
import { moveScopeAccounts } from '../snapshots/index.ts';

/** The kind of the job; its subject is the tenant. Migrations call for it by this name. */
export const mergeNamesKind = 'names.merge';

/** Accounts of one transaction. */
const perChunk = 200;

/** Merges what is left, app by app. */
export const mergeNamesJob: JobKind = {
  // Giving up would leave two accounts of one name, of which imports know one.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const after = { appId: String(job.cursor.appId ?? ''), id: String(job.cursor.id ?? '') };
    const { appId } = (await listTwins(context, after, 1))[0] ?? {};
    if (appId === undefined) {
      return 'finished';
    }
    // Found anew behind the lock: an import may have ended some meanwhile.
    const isThere = await isAppThere(context, appId);
    const twins = (await listTwins(context, after, perChunk)).filter((one) => one.appId === appId);
    if (isThere && twins.length > 0) {
      await mergeTwins(context, appId, twins);
    }
    const last = twins.at(-1);
    // Those of a deleted app are passed over, and so is an app none of whose is left.
    const id = last?.id ?? (after.appId === appId ? after.id : '');
    return { cursor: { appId, id }, done: job.done + twins.length, total: 0 };
  },
};

function isAppThere(context: Context, appId: string): Promise<boolean> {
  return requireLockedApp(context, appId).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, 'NOT_FOUND')) {
        return false;
      }
      throw error;
    },
  );
}

/** Pairs of an account and the oldest of its name. Of an oldest one that is a twin itself, who has the key goes on as it. */
function pairTwins(twins: readonly TwinRow[]): AccountMerge[] {
  const into = new Map<string, string>();
  for (const { id, keptId, holderId } of twins) {
    if (id !== keptId) {
      into.set(id, keptId);
    }
    if (holderId !== null && holderId !== keptId) {
      into.set(holderId, keptId);
    }
  }
  return [...into].map(([fromId, intoId]) => ({ fromId, intoId }));
}

async function mergeTwins(context: Context, appId: string, twins: readonly TwinRow[]): Promise<void> {
  const merges = pairTwins(twins);
  if (merges.length === 0) {
    // Alone of their names by now: they have the keys, so that imports find them.
    await updateKeyHolders(context, appId, twins);
    return;
  }
  const accounts = await listAccountsByIds(context, [...new Set(merges.flatMap((one) => [one.fromId, one.intoId]))]);
  const nameOf = (id: string): string => quoteName(accounts.get(id)?.externalId ?? '');
  await lockMatching(context, false);
  const revision = await takeRevision(context, appId, 'MANUAL');
  const moved = await mergeAccounts(context, { appId, revision }, merges);
  await updateKeyHolders(context, appId, twins);
  await moveAccountOwners(context, appId, merges);
  await movePushedAccounts(context, appId, merges);
  await moveAlerts(context, appId, merges);
  await moveScopeAccounts(context, appId, merges);
  await moveRemovals(context, appId, merges);
  for (const { fromId, intoId } of merges) {
    await recordEvent(context, {
      kind: 'account.merged',
      targetId: intoId,
      data: { appId, revision, fromId, fromName: nameOf(fromId), name: nameOf(intoId), grantsGained: moved.get(intoId) ?? 0 },
    });
  }
}
