/**
 * The way in which grants and accounts change a few at a time: manually, by an identity provider, because their time is over. The caller has
 * locked the app's row (requireLockedApp), takes a revision late, and writes the event; these keep the counts. Everything is a fixed number
 * of statements for a whole set. A file's difference is in apply-difference.ts.
 */
import { getNameKey } from '../../lib/names/same-name.ts';
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { newId } from '../../wire/ids.ts';
import { counts } from './counts.ts';
import {
  getAccountsNowSql,
  getIsUnkeptSql,
  insertAccountChanges,
  insertAccounts,
  updateAccountSources,
  updateAccounts,
  updateEndedAccounts,
} from './store-accounts.ts';
import {
  type AccessChange,
  getGainsSql,
  getGrantWithEndSql,
  getLackingGrantsSql,
  getPairsSql,
  insertFewGrants,
  type Pair,
  updateAppAccessSource,
  updateFewEndedGrants,
  updateGrants,
} from './store-grants.ts';
import {
  getAccountSourceSql,
  getNewAccountsSql,
  getPushedAccountSql,
  getRevivedAccountsSql,
  listIdsByKey,
  type NewAccount,
  type PushedContent,
} from './store-one-account.ts';

/** A change of one app's grants: its revision, and the source that makes it (sources.source_no; 0 for manual). */
export interface GrantChange extends AccessChange {
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
  return pairs.length === 0 ? [] : give(context, change, pairs, { sourceNo: change.sourceNo, isDerived: false, deprovisionAt });
}

async function give(
  context: Context,
  change: AccessChange,
  pairs: readonly Pair[],
  all: Parameters<typeof getLackingGrantsSql>[3],
): Promise<Pair[]> {
  const given = await insertFewGrants(context, change, getLackingGrantsSql(context, change.appId, pairs, all));
  await count(context, change.appId, given, 1);
  return given;
}

/** Ends what is held and of this source, and returns what was ended. */
export async function endGrants(context: Context, change: GrantChange, pairs: readonly Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) {
    return [];
  }
  const ended = await updateFewEndedGrants(context, change, { rows: getPairsSql(pairs), where: sql`g.source_no = ${change.sourceNo}` });
  await count(context, change.appId, ended, -1);
  return ended;
}

/** Sets until when an open grant is given, null for no end, and keeps what it said before this revision. */
export function changeGrantEnd(context: Context, change: AccessChange, pair: Pair, at: Date | null): Promise<void> {
  return updateGrants(context, change, getGrantWithEndSql(context, change.appId, pair, at));
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
  const { appId, sourceNo } = change;
  const keys = accounts.map((account) => getNameKey(account.externalId));
  const ids = await listIdsByKey(context, appId, keys);
  const [former, fresh] = [true, false].map((isFormer) =>
    accounts
      .filter(({ externalId }) => ids.has(getNameKey(externalId)) === isFormer)
      .map((account) => ({ ...account, id: newId(context.now) })),
  ) as [NewAccount[], NewAccount[]];
  if (former.length > 0) {
    await keepAccounts(context, change, [...ids.values()]);
    await updateAccounts(context, appId, getRevivedAccountsSql(context, appId, former, sourceNo));
  }
  if (fresh.length > 0) {
    await insertAccounts(context, change, getNewAccountsSql(fresh, sourceNo));
  }
  for (const { externalId, id } of fresh) {
    ids.set(getNameKey(externalId), id);
  }
  const entitlementId = await counts.get().getAppAccessId(context, appId);
  const pairs = [...ids.values()].map((accountId) => ({ entitlementId, accountId }));
  await give(context, change, pairs, { sourceNo, isDerived: true, deprovisionAt: null });
  await counts.get().updateUserCount(context, appId, ids.size);
  return new Map(accounts.map(({ externalId }) => [externalId, ids.get(getNameKey(externalId)) ?? '']));
}

/** Ends accounts with all they hold, whatever source gave it, and returns what was ended, app access included. */
export async function endAccounts(context: Context, change: GrantChange, accountIds: readonly string[]): Promise<Pair[]> {
  if (accountIds.length === 0) {
    return [];
  }
  const ended = await updateFewEndedGrants(context, change, { where: sql`g.account_id = ANY (${accountIds})` });
  await count(context, change.appId, ended, -1);
  const these = sql`a.id = ANY (${accountIds}) AND a.status <> 'DELETED'`;
  await insertAccountChanges(context, change, getAccountsNowSql(context, change, these));
  await counts
    .get()
    .updateUserCount(context, change.appId, -(await updateEndedAccounts(context, change.appId, { where: these }, context.now)));
  return ended;
}

/** Keeps what accounts say now, as what they said before this revision. To be called before the change, in its transaction. */
export function keepAccounts(context: Context, change: AccessChange, accountIds: readonly string[]): Promise<void> {
  const these = sql`a.id = ANY (${accountIds}) AND ${getIsUnkeptSql(context, change)}`;
  return insertAccountChanges(context, change, getAccountsNowSql(context, change, these));
}

/** Makes an account say what is pushed of it, and belong to the source that says it. */
export function pushAccount(context: Context, appId: string, pushed: PushedContent): Promise<void> {
  return updateAccounts(context, appId, getPushedAccountSql(context, appId, pushed));
}

/** Hands an account over to another source, 0 for manual, with its app access. */
export async function handOverAccount(context: Context, appId: string, accountId: string, sourceNo: number): Promise<void> {
  await updateAccountSources(context, appId, getAccountSourceSql(accountId, sourceNo));
  await updateAppAccessSource(context, appId, accountId, sourceNo);
}

async function count(context: Context, appId: string, pairs: readonly Pair[], step: 1 | -1): Promise<void> {
  if (pairs.length > 0) {
    await counts.get().updateGrantCounts(context, appId, getGainsSql(pairs, step));
  }
}
