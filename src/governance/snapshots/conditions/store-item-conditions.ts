/**
 * SQL of the items of a snapshot that are evaluated one by one (review_items), and of conditions over items that the database evaluates. Rows are
 * there only while a snapshot is prepared.
 */
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { entitlementFacts, type FrozenEntitlement, frozenFacts, type FrozenAccount } from './store-conditions.ts';
import { getItemJoinsSql } from './store-frozen-places.ts';
import { getItemRowsSql, type SnapshotItems } from '../items/index.ts';

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
      FROM ${getItemRowsSql(context, items)} AND e.policy_id = ANY (${policyIds}::text[]) LIMIT ${limit}`,
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

/**
 * The facts of items `x` (app_id, account_id, entitlement_id, granted_at, ends_at), which are ordered so. Each is looked up by its key: the planner does
 * not know yet how many rows were frozen, and would read all of a snapshot for each item.
 */
function itemFacts(tenantId: string, snapshotId: string, rows: Sql): Sql {
  const of = (alias: string): Sql => sql`${fixed(alias)}.tenant_id = ${tenantId} AND ${fixed(alias)}.review_id = ${snapshotId}`;
  return sql`SELECT ${frozenFacts}, to_jsonb(e.*) AS entitlement, x.granted_at AS "grantedAt", x.ends_at AS "endsAt", coalesce(y.monitor_ids, '{}') AS "monitorIds"
    FROM (${rows}) x
    CROSS JOIN LATERAL (SELECT * FROM review_accounts a WHERE ${of('a')} AND a.app_id = x.app_id AND a.account_id = x.account_id OFFSET 0) a
    LEFT JOIN LATERAL (SELECT * FROM review_people p WHERE ${of('p')} AND p.user_id = a.user_id OFFSET 0) p ON true
    JOIN LATERAL (SELECT ${entitlementFacts} FROM review_entitlements e
      WHERE ${of('e')} AND (e.app_id, e.entitlement_id) >= (x.app_id, x.entitlement_id) ORDER BY e.app_id, e.entitlement_id LIMIT 1) e
      ON e."appId" = x.app_id AND e.id = x.entitlement_id
    LEFT JOIN LATERAL (SELECT y.monitor_ids FROM review_conflict_grants y
      WHERE ${of('y')} AND y.app_id = x.app_id AND y.account_id = x.account_id AND y.entitlement_id = x.entitlement_id OFFSET 0) y ON true
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

/** Counts for how many items of a snapshot that the planner knows each of these conditions fails. */
export function countItemFailures(context: Context, items: SnapshotItems, conditions: readonly Sql[]): Promise<number[]> {
  const joins = getItemJoinsSql(
    context.tenantId,
    items.id,
    items.holders,
    conditions.map((one) => ({ sql: one })),
  );
  const failures = conditions.map((one) => sql`count(*) FILTER (WHERE (${one}) IS NULL)`);
  return context.db.value<number[]>(
    sql`SELECT ARRAY[${joinSql(failures)}]::integer[] AS failures FROM ${getItemRowsSql(context, items, joins)}`,
  );
}

/** Some of the items that a condition fails for. */
export function listFailedItems(context: Context, items: SnapshotItems, condition: Sql, limit: number): Promise<FrozenItem[]> {
  const joins = getItemJoinsSql(context.tenantId, items.id, items.holders, [{ sql: condition }]);
  const rows = sql`SELECT h.app_id, h.account_id, h.entitlement_id, coalesce(h.granted_at, h.created_at) AS granted_at, h.deprovision_at AS ends_at
    FROM ${getItemRowsSql(context, items, joins)} AND (${condition}) IS NULL ORDER BY h.app_id, h.account_id, h.entitlement_id LIMIT ${limit}`;
  return context.db.rows<FrozenItem>(itemFacts(context.tenantId, items.id, rows));
}
