/**
 * The end of much access at once: what a source delivered, what is held of an entitlement, all there is in an app.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { counts } from './counts.ts';
import { getAccountsNowSql, insertAccountChanges, updateAccountSources, updateEndedAccounts } from './store-accounts.ts';
import { findAccountAt, findGrantAt, getHandedOverSql, getIsAppAccessSql } from './store-ends.ts';
import { endToldLinks } from './store-links.ts';
import { type AccessChange, type Pair, updateEndedGrants, updateGrantsEndedAt } from './store-grants.ts';

/** Ends the open grants of an entitlement and returns how many there were. The entitlement goes with them, so its count is not kept. */
export function endGrantsOf(context: Context, change: AccessChange, entitlementId: string): Promise<number> {
  return updateEndedGrants(context, change, { where: sql`g.entitlement_id = ${entitlementId}` });
}

/**
 * Ends the grants and accounts of a source. The accounts that `others` selects (`id`, `source_no`), since another source reports them, stay
 * and are that one's from then on. App access goes with its account, whoever brought that first.
 */
export async function endDelivered(context: Context, change: AccessChange, sourceNo: number, others: Sql): Promise<void> {
  const { appId } = change;
  const ofSource = sql`a.source_no = ${sourceNo} AND a.status <> 'DELETED'`;
  await updateAccountSources(context, appId, getHandedOverSql(context, appId, others, ofSource));
  await updateEndedGrants(context, change, { where: getIsAppAccessSql(context, appId, ofSource) });
  await insertAccountChanges(context, change, getAccountsNowSql(context, change, ofSource));
  const ended = await updateEndedAccounts(context, appId, { where: ofSource }, context.now);
  await updateEndedGrants(context, change, { where: sql`g.source_no = ${sourceNo} AND NOT g.is_derived` });
  await endToldLinks(context, change, sql`l.source_no = ${sourceNo}`);
  await counts.get().updateAllGrantCounts(context, appId);
  await counts.get().updateUserCount(context, appId, -ended);
}

/** The deletion of an app, as what its grants and accounts end by. */
export interface AppEnd extends AccessChange {
  /** Time the app was deleted. */
  readonly at: Date;
}

/**
 * Ends up to `limit` open grants of a deleted app behind a key, in the order of the index of open grants. Returns the last key, undefined
 * where none follows, how many ended, and how many were app access that follows from having an account.
 */
export async function endNextGrants(
  context: Context,
  end: AppEnd,
  after: Pair,
  limit: number,
): Promise<{ last: Pair | undefined; ended: number; derived: number }> {
  const behind = sql`(g.entitlement_id, g.account_id) > (${after.entitlementId}, ${after.accountId})`;
  const last = await findGrantAt(context, end.appId, behind, limit);
  // Said only where there is an end, so that the index is read no further.
  const where =
    last === undefined ? behind : sql`${behind} AND (g.entitlement_id, g.account_id) <= (${last.entitlementId}, ${last.accountId})`;
  if (last === undefined) {
    await endToldLinks(context, end, sql`TRUE`);
  }
  return { last, ...(await updateGrantsEndedAt(context, end, { where }, end.at)) };
}

/**
 * Deletes up to `limit` accounts of a deleted app behind an id, and keeps what they said before. Returns the last id, undefined where none
 * follows, and how many were not deleted before.
 */
export async function endNextAccounts(
  context: Context,
  end: AppEnd,
  after: string,
  limit: number,
): Promise<{ last: string | undefined; ended: number }> {
  const behind = sql`a.id > ${after} AND a.status <> 'DELETED'`;
  const last = await findAccountAt(context, end.appId, behind, limit);
  const where = last === undefined ? behind : sql`${behind} AND a.id <= ${last}`;
  await insertAccountChanges(context, end, getAccountsNowSql(context, end, where));
  return { last, ended: await updateEndedAccounts(context, end.appId, { where }, end.at) };
}
