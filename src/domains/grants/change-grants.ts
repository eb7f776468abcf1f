/**
 * The one way in which grants and accounts change other than by a file: manually, by an identity provider, because their time is over. The
 * caller has locked the app's row (requireLockedApp), takes a revision late, and writes the event; these keep the counts. Everything is a
 * fixed number of statements for a whole set.
 */
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import {
  insertAccounts,
  insertGrants,
  type NewAccount,
  type Pair,
  updateAccountCount,
  updateEndedAccounts,
  updateEndedGrants,
  updateGrantCounts,
  updateGrantsOfEndedAccounts,
} from './store-change.ts';
import { getAppAccessId } from './store-state.ts';

/** A change of one app's grants: its revision, and the source that makes it (sources.source_no; 0 for manual changes). */
export interface GrantChange {
  readonly appId: string;
  readonly revision: number;
  readonly sourceNo: number;
}

/**
 * Gives what is not held yet, until `deprovisionAt` where that is set, and returns what was given. A grant that is open stays as it is and
 * the source's it is of. What this same revision ended may be given again, but not ended a second time.
 */
export async function giveGrants(
  context: Context,
  change: GrantChange,
  pairs: readonly Pair[],
  deprovisionAt: Date | null = null,
): Promise<Pair[]> {
  const given = pairs.length === 0 ? [] : await insertGrants(context, { ...change, isDerived: false, deprovisionAt }, pairs);
  await count(context, change.appId, given, 1);
  return given;
}

/** Ends what is held and of this source, and returns what was ended. */
export async function endGrants(context: Context, change: GrantChange, pairs: readonly Pair[]): Promise<Pair[]> {
  const ended = pairs.length === 0 ? [] : await updateEndedGrants(context, change.appId, change.revision, change.sourceNo, pairs);
  await count(context, change.appId, ended, -1);
  return ended;
}

/**
 * Makes accounts of this source with their app access and returns their ids by external id. One of that name that was deleted comes back
 * under its old id. None of the names may be in use.
 */
export async function addAccounts(
  context: Context,
  change: GrantChange,
  accounts: readonly Omit<NewAccount, 'id'>[],
): Promise<Map<string, string>> {
  if (accounts.length === 0) {
    return new Map();
  }
  const wanted = accounts.map((account) => ({ ...account, id: newId(context.now) }));
  const ids = await insertAccounts(context, change.appId, change.revision, change.sourceNo, wanted);
  const entitlementId = await getAppAccessId(context, change.appId);
  const pairs = [...ids.values()].map((accountId) => ({ entitlementId, accountId }));
  await count(context, change.appId, await insertGrants(context, { ...change, isDerived: true, deprovisionAt: null }, pairs), 1);
  await updateAccountCount(context, change.appId, ids.size);
  return ids;
}

/** Ends accounts with all they hold, whatever source gave it, and returns what was ended, app access included. */
export async function endAccounts(context: Context, change: GrantChange, accountIds: readonly string[]): Promise<Pair[]> {
  if (accountIds.length === 0) {
    return [];
  }
  const ended = await updateGrantsOfEndedAccounts(context, change.appId, change.revision, accountIds);
  await count(context, change.appId, ended, -1);
  await updateAccountCount(context, change.appId, -(await updateEndedAccounts(context, change.appId, change.revision, accountIds)));
  return ended;
}

async function count(context: Context, appId: string, pairs: readonly Pair[], step: 1 | -1): Promise<void> {
  if (pairs.length > 0) {
    await updateGrantCounts(context, appId, pairs, step);
  }
}
