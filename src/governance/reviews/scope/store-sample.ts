/** SQL of a few items of a snapshot to look at: of as many accounts as were chosen, one of each before a second of any. */
import { empty, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { endHashJoins, getItemRowsSql, type PrincipalKind, setHashJoins, type SnapshotItems } from '../../snapshots/index.ts';

/** One item with the names that people know it by. */
export interface SampleItem {
  readonly appId: string;
  readonly appName: string;
  readonly entitlementId: string;
  readonly entitlement: string;
  readonly accountId: string;
  readonly principalKind: PrincipalKind;
  readonly userId: string | null;
  readonly name: string;
  readonly grantedAt: Date | null;
}

/** Some items of these accounts or resources, which of them by the seed. Grows with what these hold, and with nothing else. */
export async function listSampleItems(
  context: Context,
  items: SnapshotItems,
  { accountIds, seed, limit }: { readonly accountIds: readonly string[]; readonly seed: string; readonly limit: number },
): Promise<SampleItem[]> {
  // The entitlements may have been frozen in this very transaction: the planner takes them for none, and would loop over them.
  await setHashJoins(context);
  const rows = await context.db.rows<SampleItem>(
    sql`SELECT x.app_id AS "appId", x.app_name AS "appName", x.entitlement_id AS "entitlementId", x.entitlement, x.account_id AS "accountId",
       x.principal_kind AS "principalKind", x.user_id AS "userId", coalesce(nullif(a.user_display_name, ''), a.external_id) AS name,
       x.granted_at AS "grantedAt"
     FROM (
       SELECT h.app_id, h.account_id, h.principal_kind, h.user_id, h.entitlement_id, h.granted_at, e.app_display_name AS app_name,
         e.display_name AS entitlement,
         row_number() OVER (PARTITION BY h.account_id ORDER BY md5(${seed} || h.entitlement_id), h.entitlement_id) AS place
       FROM ${getItemRowsSql(context, items, empty, accountIds)}) x
     JOIN ${items.holders.getAccounts(accountIds)} a ON a.app_id = x.app_id AND a.account_id = x.account_id
     ORDER BY x.place, md5(${seed} || x.account_id), x.account_id LIMIT ${limit}`,
  );
  await endHashJoins(context);
  return rows;
}
