/**
 * Matching the accounts that could be one person's, after that person alone has changed. Matching all of them is in match-accounts.ts.
 */
import type { Context } from '../../context.ts';
import { type RevisionCause, takeRevision, updateOwners } from '../ledger/index.ts';
import type { Rematch } from './match-accounts.ts';
import { lockMatching } from './store-match.ts';
import { getDifferingAccountsSql, listDifferingOf, lockAppsOf, type PersonKeys } from './store-match-person.ts';

/** Most changes reported one by one. */
const maxTold = 100;

/** Changes made by matching, and the revisions it took. */
export interface PersonRematch extends Rematch {
  readonly revisions: readonly number[];
}

/**
 * Matches again the accounts of these people, and those with an address, an employee id or a user name that one of them has or had: `before`
 * is what they had. As matchAccounts, it is to be called inside the transaction of the change, after it and before any revision is taken;
 * but only apps where an owner changes are locked, and waited for, in the order of their ids. Whoever holds another app's lock already must
 * hold the lock of roles, too, as an import of people does, and wait for locks for moments only (setLockWait): an import that matches holds
 * its app and waits for us. Costs what the accounts of one person cost, found through indexes.
 */
export async function matchPerson(
  context: Context,
  userIds: readonly string[],
  before: readonly PersonKeys[],
  cause: RevisionCause,
): Promise<PersonRematch> {
  await lockMatching(context, true);
  const seen = await listDifferingOf(context, userIds, before, undefined);
  if (seen.length === 0) {
    return { changed: 0, apps: 0, first: [], revisions: [] };
  }
  const appIds = [...new Set(seen.map((one) => one.appId))];
  await lockAppsOf(context, appIds);
  const byApp = Map.groupBy(await listDifferingOf(context, userIds, before, appIds), (one) => one.appId);
  const first: Rematch['first'][number][] = [];
  const revisions: number[] = [];
  for (const [appId, accounts] of byApp) {
    const moved = accounts.filter((one) => one.from !== one.to);
    // Only how many people match may have changed, which is no revision.
    const revision = moved.length > 0 ? await takeRevision(context, appId, cause) : 0;
    await updateOwners(context, { appId, revision }, getDifferingAccountsSql(accounts), 0);
    first.push(...moved.map(({ accountId, from, to }) => ({ appId, accountId, from, to })));
    if (revision > 0) {
      revisions.push(revision);
    }
  }
  return { changed: first.length, apps: revisions.length, first: first.slice(0, maxTold), revisions };
}
