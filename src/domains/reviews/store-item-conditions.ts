/**
 * SQL of the items of a snapshot that are evaluated one by one (review_items), and of conditions over items that the database evaluates. Rows are
 * there only while a snapshot is prepared.
 */
import { fixed, listOf, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { entitlementFacts, type FrozenEntitlement, frozenFacts, type FrozenAccount } from './store-conditions.ts';
import { getItemJoins } from './store-frozen-places.ts';
import { getItemRows, type SnapshotItems } from './store-items.ts';

/** The key of an item. */
export interface ItemKey {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
}

/** Before the first. */
export const firstItem: ItemKey = { appId: '', accountId: '', entitlementId: '' };

/** Keeps the items that policies with these ids decide, to be evaluated one by one; how many. Stops behind `limit`. */
export function insertItems(context: Context, items: SnapshotItems, policyIds: readonly string[], limit: number): Promise<number> {
  return context.db.run(
    sql`INSERT INTO review_items (tenant_id, review_id, app_id, account_id, entitlement_id, granted_at, ends_at)
      SELECT ${context.tenantId}, ${items.id}, h.app_id, h.account_id, h.entitlement_id, coalesce(h.granted_at, h.created_at), h.deprovision_at
      FROM ${getItemRows(context, items)} AND e.policy_id = ANY (${policyIds}::text[]) LIMIT ${limit}`,
  );
}

/** An item as expressions see it. */
export interface FrozenItem extends Omit<FrozenAccount, 'principalKind'> {
  readonly principalKind: FrozenAccount['principalKind'];
  readonly entitlement: FrozenEntitlement;
  readonly grantedAt: Date | null;
  readonly endsAt: Date | null;
  readonly monitorIds: readonly string[];
}

/** The facts of items `x` (app_id, account_id, entitlement_id, granted_at, ends_at), which are ordered so. */
function itemFacts(tenantId: string, snapshotId: string, rows: Sql): Sql {
  const of = (alias: string): Sql => sql`${fixed(alias)}.tenant_id = ${tenantId} AND ${fixed(alias)}.review_id = ${snapshotId}`;
  return sql`SELECT ${frozenFacts}, to_jsonb(e.*) AS entitlement, x.granted_at AS "grantedAt", x.ends_at AS "endsAt", coalesce(y.monitor_ids, '{}') AS "monitorIds"
    FROM (${rows}) x
    JOIN review_accounts a ON ${of('a')} AND a.app_id = x.app_id AND a.account_id = x.account_id
    LEFT JOIN review_people p ON ${of('p')} AND p.user_id = a.user_id
    CROSS JOIN LATERAL (SELECT ${entitlementFacts} FROM review_entitlements e
      WHERE ${of('e')} AND e.app_id = x.app_id AND e.entitlement_id = x.entitlement_id OFFSET 0) e
    LEFT JOIN review_conflict_grants y ON ${of('y')} AND y.app_id = x.app_id AND y.account_id = x.account_id AND y.entitlement_id = x.entitlement_id
    ORDER BY x.app_id, x.account_id, x.entitlement_id`;
}

/** The next items that are evaluated one by one, or those that a condition failed for, by the number that says so. */
export function listFrozenItems(
  { db, tenantId }: Context,
  snapshotId: string,
  page: { readonly after: ItemKey } | { readonly failure: number },
  limit: number,
): Promise<FrozenItem[]> {
  const which =
    'after' in page
      ? sql`(i.app_id, i.account_id, i.entitlement_id) > (${page.after.appId}, ${page.after.accountId}, ${page.after.entitlementId})`
      : sql`${page.failure}::smallint = ANY (i.conditions)`;
  return db.rows<FrozenItem>(
    itemFacts(
      tenantId,
      snapshotId,
      sql`SELECT i.* FROM review_items i WHERE i.tenant_id = ${tenantId} AND i.review_id = ${snapshotId} AND ${which}
        ORDER BY i.app_id, i.account_id, i.entitlement_id LIMIT ${limit}`,
    ),
  );
}

/** Keeps what holds for items and what failed. */
export async function updateItemConditions(
  { db, tenantId }: Context,
  snapshotId: string,
  kept: readonly (ItemKey & { readonly numbers: readonly number[] })[],
): Promise<void> {
  if (kept.length > 0) {
    await db.run(
      sql`UPDATE review_items r SET conditions = n.numbers
        FROM jsonb_to_recordset(${JSON.stringify(kept)}) AS n ("appId" text, "accountId" text, "entitlementId" text, numbers smallint[])
        WHERE r.tenant_id = ${tenantId} AND r.review_id = ${snapshotId} AND r.app_id = n."appId" AND r.account_id = n."accountId"
          AND r.entitlement_id = n."entitlementId"`,
    );
  }
}

/** Removes them all. */
export async function removeItems({ db, tenantId }: Context, snapshotId: string): Promise<void> {
  await db.run(sql`DELETE FROM review_items WHERE tenant_id = ${tenantId} AND review_id = ${snapshotId}`);
}

/** How many items a snapshot that the planner knows has, and for how many of them each of these conditions fails. */
export async function countItemsAndFailures(
  context: Context,
  items: SnapshotItems,
  conditions: readonly Sql[],
): Promise<{ count: number; failures: number[] }> {
  const joins = getItemJoins(
    context.tenantId,
    items.id,
    conditions.map((one) => ({ sql: one })),
  );
  const failures = conditions.map((one) => sql`count(*) FILTER (WHERE (${one}) IS NULL)`);
  return context.db.one(
    sql`SELECT count(*)::integer AS count, ARRAY[${listOf(failures)}]::integer[] AS failures FROM ${getItemRows(context, items, joins)}`,
  );
}

/** Some of the items that a condition fails for. */
export function listFailedItems(context: Context, items: SnapshotItems, condition: Sql, limit: number): Promise<FrozenItem[]> {
  const joins = getItemJoins(context.tenantId, items.id, [{ sql: condition }]);
  const rows = sql`SELECT h.app_id, h.account_id, h.entitlement_id, coalesce(h.granted_at, h.created_at) AS granted_at, h.deprovision_at AS ends_at
    FROM ${getItemRows(context, items, joins)} AND (${condition}) IS NULL ORDER BY h.app_id, h.account_id, h.entitlement_id LIMIT ${limit}`;
  return context.db.rows<FrozenItem>(itemFacts(context.tenantId, items.id, rows));
}
