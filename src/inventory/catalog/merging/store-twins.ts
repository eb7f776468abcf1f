/**
 * SQL of resource types, resources and entitlements whose name another one has by its key, as a release before stored them: which they are, which of
 * them have the keys, and that they went on as others.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getMergesSql, type Merge, type TwinRow } from '../../ledger/index.ts';

/** Kind of what is merged here. */
export type MergedKind = 'RESOURCE_TYPE' | 'RESOURCE' | 'ENTITLEMENT';

/** The table of a kind, and the column in which those of one name agree besides their app. */
const tables: Readonly<Record<MergedKind, { readonly table: Sql; readonly beside: string }>> = {
  RESOURCE_TYPE: { table: fixed('resource_types'), beside: 'app_id' },
  RESOURCE: { table: fixed('resources'), beside: 'resource_type_id' },
  ENTITLEMENT: { table: fixed('entitlements'), beside: 'resource_id' },
};

/** The next twins of a kind, by app and id: found as those of accounts are (`listAccountTwins`). */
export function listTwins(
  { db, tenantId }: Context,
  kind: MergedKind,
  after: { readonly appId: string; readonly id: string },
  limit: number,
): Promise<TwinRow[]> {
  const { table, beside } = tables[kind];
  const column = fixed(beside);
  return db.rows<TwinRow>(
    sql`SELECT t.app_id AS "appId", t.id, t.key, k.id AS "keptId", h.id AS "holderId" FROM (
        SELECT a.app_id, a.id, a.${column} AS beside, name_key(a.external_id) AS key, name_key(a.external_id) || chr(32) AS behind FROM ${table} a
        WHERE a.tenant_id = ${tenantId} AND a.twin > 0 AND a.merged_into_id IS NULL AND a.deleted_at IS NULL
          AND (a.app_id, a.id) > (${after.appId}, ${after.id})
        ORDER BY a.app_id, a.id LIMIT ${limit}) t
      CROSS JOIN LATERAL (SELECT min(n.id) AS id FROM (
        SELECT a.id, a.external_id FROM ${table} a WHERE a.tenant_id = ${tenantId} AND a.app_id = t.app_id AND a.${column} = t.beside
          AND a.deleted_at IS NULL AND a.external_key >= t.key AND a.external_key < t.behind OFFSET 0) n
        WHERE name_key(n.external_id) = t.key) k
      LEFT JOIN ${table} h ON h.tenant_id = ${tenantId} AND h.app_id = t.app_id AND h.${column} = t.beside AND h.external_key = t.key
        AND h.deleted_at IS NULL
      ORDER BY t.app_id, t.id`,
  );
}

/** The names of these in their source, by id. */
export async function listSourceNames({ db, tenantId }: Context, kind: MergedKind, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`SELECT x.id, x.external_id AS name FROM ${tables[kind].table} x WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${[...ids]})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Deletes those that go on as others, and notes as which. Whoever has the key of the name leaves it: behind it comes the number of the oldest, taken from
 * below.
 */
export async function updateMergedTwins(
  { db, tenantId, now }: Context,
  kind: MergedKind,
  appId: string,
  merges: readonly Merge[],
): Promise<void> {
  const { table } = tables[kind];
  await db.run(
    sql`UPDATE ${table} a SET deleted_at = ${now}, updated_at = ${now}, merged_into_id = m.into_id,
        twin = CASE WHEN a.twin <> 0 THEN a.twin ELSE -k.twin END
      FROM (${getMergesSql(merges)}) AS m
      JOIN ${table} k ON k.tenant_id = ${tenantId} AND k.app_id = ${appId} AND k.id = m.into_id
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = m.from_id`,
  );
}

/** Gives those that stay the keys of their names, where none that is there has them. */
export async function updateTwinKeys({ db, tenantId }: Context, kind: MergedKind, appId: string, twins: readonly TwinRow[]): Promise<void> {
  const { table, beside } = tables[kind];
  const column = fixed(beside);
  const kept = sql`SELECT k.id, k.${column} AS beside, k.twin, n.key
    FROM (SELECT DISTINCT * FROM unnest(${twins.map((one) => one.keptId)}::text[], ${twins.map((one) => one.key)}::text[]) AS u (id, key)) n
    JOIN ${table} k ON k.tenant_id = ${tenantId} AND k.app_id = ${appId} AND k.id = n.id AND k.twin > 0`;
  await db.run(
    sql`UPDATE ${table} a SET twin = -n.twin FROM (${kept}) AS n
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.${column} = n.beside AND a.external_key = n.key AND a.deleted_at IS NOT NULL`,
  );
  await db.run(
    sql`UPDATE ${table} a SET twin = 0 FROM (${kept}) AS n WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = n.id
      AND NOT EXISTS (SELECT FROM ${table} o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.${column} = n.beside AND o.external_key = n.key)`,
  );
}

/**
 * Selects what stands in one of those that go, of its kind, with the number that it gets behind its key where it goes on: `id`, `into_id` and `twin`. Of
 * one name it is 0 for the first, where the oldest has none; then they fall together by it.
 */
export function getMovedTwinsSql({ tenantId }: Context, kind: 'RESOURCE' | 'ENTITLEMENT', appId: string, merges: readonly Merge[]): Sql {
  const { table, beside } = tables[kind];
  const column = fixed(beside);
  return sql`SELECT t.id, t.into_id,
      (CASE WHEN o.most IS NULL THEN -1 ELSE o.most END + row_number() OVER (PARTITION BY t.into_id, t.key ORDER BY t.is_gone, t.id))::smallint AS twin
    FROM (
      SELECT a.id, m.into_id, a.deleted_at IS NOT NULL AS is_gone, name_key(a.external_id) AS key, name_key(a.external_id) || chr(32) AS behind
      FROM (${getMergesSql(merges)}) AS m
      JOIN ${table} a ON a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.${column} = m.from_id) t
    CROSS JOIN LATERAL (SELECT max(abs(n.twin)) AS most FROM (
      SELECT x.twin, x.external_id FROM ${table} x WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.${column} = t.into_id
        AND x.external_key >= t.key AND x.external_key < t.behind OFFSET 0) n
      WHERE name_key(n.external_id) = t.key) o`;
}
