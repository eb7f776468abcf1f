/** Making accounts of one app one, of which the oldest stays: under one revision, in as many statements for many as for one. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { counts } from './counts.ts';
import { keepAccounts } from './change-access.ts';
import { updateAccounts, updateEndedAccounts } from './store-accounts.ts';
import { type AccessChange, getGainsSql, insertFewGrants, updateFewEndedGrants } from './store-grants.ts';
import { updateLinksOfAdded } from './store-links.ts';
import { type Merge, getMergedAccountsSql, getMovedGrantsSql, updateMerged } from './store-merge.ts';

/**
 * Lets accounts go on as others: what they hold is given to those as it was, and they end. All are there and of this app, which is locked; none that
 * goes on is another's end. Returns how many grants each gained, by its id.
 */
export async function mergeAccounts(
  context: Context,
  change: AccessChange,
  merges: readonly Merge[],
): Promise<ReadonlyMap<string, number>> {
  const fromIds = merges.map((one) => one.fromId);
  await keepAccounts(context, change, [...new Set([...fromIds, ...merges.map((one) => one.intoId)])]);
  const moved = await insertFewGrants(context, change, getMovedGrantsSql(context, change, merges));
  const ended = await updateFewEndedGrants(context, change, { where: sql`g.account_id = ANY (${fromIds})` });
  await updateLinksOfAdded(context, change);
  await counts.get().updateGrantCounts(context, change.appId, getGainsSql(moved, 1));
  await counts.get().updateGrantCounts(context, change.appId, getGainsSql(ended, -1));
  await updateAccounts(context, change.appId, getMergedAccountsSql(context, change, merges));
  const gone = await updateEndedAccounts(context, change.appId, { where: sql`a.id = ANY (${fromIds})` }, context.now);
  await counts.get().updateUserCount(context, change.appId, -gone);
  await updateMerged(context, change.appId, merges);
  return new Map([...Map.groupBy(moved, (one) => one.accountId)].map(([id, pairs]) => [id, pairs.length]));
}
