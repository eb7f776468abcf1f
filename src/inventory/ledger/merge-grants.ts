/** Giving what is held of entitlements that go on as others to those: under one revision, in as many statements for a million grants as for one. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { counts } from './counts.ts';
import { type AccessChange, insertGrants, updateEndedGrants, updateGrants } from './store-grants.ts';
import { updateLinksOfAdded, updateToldLinks } from './store-links.ts';
import type { Merge } from './store-merge.ts';
import {
  getGainedSql,
  getLostSql,
  getRenamedPathsSql,
  getTakenGrantsSql,
  getToldAnewSql,
  hasPathsThrough,
  listGained,
} from './store-merge-grants.ts';

/**
 * Gives what is held of entitlements to those that they go on as, as it was, and ends it; paths and links lead through those from then on. All are of this
 * app, which is locked; none that goes on is another's end. Returns how many grants each gained, by its id.
 */
export async function mergeGrants(context: Context, change: AccessChange, merges: readonly Merge[]): Promise<ReadonlyMap<string, number>> {
  const fromIds = merges.map((one) => one.fromId);
  await insertGrants(context, change, getTakenGrantsSql(context, change, merges));
  await updateEndedGrants(context, change, { where: sql`g.entitlement_id = ANY (${fromIds})` });
  await updateLinksOfAdded(context, change);
  if (await hasPathsThrough(context, change.appId, fromIds)) {
    await updateGrants(context, change, getRenamedPathsSql(context, change, merges));
  }
  await updateToldLinks(context, change, getToldAnewSql(context, change.appId, merges));
  const gained = await listGained(context, change, merges);
  await counts.get().updateGrantCounts(context, change.appId, getGainedSql(gained));
  await counts.get().updateGrantCounts(context, change.appId, getLostSql(context, change, fromIds));
  return new Map(gained.map(({ id, gained: count }) => [id, count]));
}
