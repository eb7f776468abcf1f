/**
 * SQL of resource types, resources and entitlements that stay where others went: what only those said of themselves, and what stood in them.
 */
import type { Context } from '../../../context.ts';
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import { getMergesSql, getNamesMergedSql, getRenamedSql, type Merge } from '../../ledger/index.ts';
import { getMovedTwinsSql } from './store-twins.ts';

/** The value of a column in the oldest of those `y` that went and say something there, as a column of that name; null where none does. */
const firstSaid = (column: string, isSaid: string): Sql =>
  fixed(`(array_agg(y.${column} ORDER BY y.id) FILTER (WHERE ${isSaid}))[1] AS ${column}`);

/** Tells the entitlements that stay what only the others said: people's words and choices, their source, and when they were last used. */
export async function updateMergedEntitlements({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  const texts = ['certify_policy_id', 'alias', 'slug', 'risk_level_value_id'];
  const said = texts.map((column) => fixed(`${column} = CASE WHEN e.${column} = '' THEN coalesce(n.${column}, '') ELSE e.${column} END`));
  const chosen = texts.map((column) => firstSaid(column, `y.${column} <> ''`));
  await db.run(
    sql`UPDATE entitlements e SET ${joinSql(said)},
        description = CASE WHEN e.description = '' THEN coalesce(n.description, '') ELSE e.description END,
        source_description = CASE WHEN e.description = '' AND n.description IS NOT NULL THEN n.source_description ELSE e.source_description END,
        compliance_framework_value_ids = e.compliance_framework_value_ids
          || ARRAY(SELECT v FROM unnest(n.frameworks) AS v WHERE v <> ALL (e.compliance_framework_value_ids)),
        document = coalesce(n.document, '{}') || e.document, source_no = CASE WHEN e.source_no = 0 THEN coalesce(n.source_no, 0) ELSE e.source_no END,
        last_used_at = greatest(e.last_used_at, n.last_used_at), updated_at = ${now}
      FROM (
        SELECT m.into_id, ${joinSql(chosen)}, ${firstSaid('description', "y.description <> ''")},
          (array_agg(y.source_description ORDER BY y.id) FILTER (WHERE y.description <> ''))[1] AS source_description,
          coalesce(array_agg(DISTINCT w.id) FILTER (WHERE w.id IS NOT NULL), '{}') AS frameworks,
          ${firstSaid('document', "y.document <> '{}'")}, ${firstSaid('source_no', 'y.source_no > 0')}, max(y.last_used_at) AS last_used_at
        FROM (${getMergesSql(merges)}) AS m
        JOIN entitlements y ON y.tenant_id = ${tenantId} AND y.app_id = ${appId} AND y.id = m.from_id
        LEFT JOIN LATERAL unnest(y.compliance_framework_value_ids) AS w (id) ON true GROUP BY m.into_id) n
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = n.into_id`,
  );
}

/** Tells the resources that stay what only the others said, and puts below them what lay below those. */
export async function updateMergedResources({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE resources r SET document = coalesce(n.document, '{}') || r.document,
        source_description = CASE WHEN r.document ? 'description' OR n.document IS NULL THEN r.source_description ELSE n.source_description END,
        source_parent_id = CASE WHEN r.source_parent_id = '' THEN coalesce(n.source_parent_id, '') ELSE r.source_parent_id END, updated_at = ${now}
      FROM (
        SELECT m.into_id, ${firstSaid('source_parent_id', "y.source_parent_id NOT IN ('', m.into_id)")},
          (array_agg(CASE WHEN y.parent_id = m.into_id THEN y.document - 'parentAppResourceId' - 'parentAppResourceTypeId' ELSE y.document END ORDER BY y.id)
            FILTER (WHERE y.document <> '{}'))[1] AS document,
          (array_agg(y.source_description ORDER BY y.id) FILTER (WHERE y.document <> '{}'))[1] AS source_description
        FROM (${getMergesSql(merges)}) AS m
        JOIN resources y ON y.tenant_id = ${tenantId} AND y.app_id = ${appId} AND y.id = m.from_id GROUP BY m.into_id) n
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.id = n.into_id`,
  );
  // None lies below itself.
  await db.run(
    sql`UPDATE resources r SET source_parent_id = CASE WHEN r.source_parent_id <> m.from_id THEN r.source_parent_id WHEN r.id = m.into_id THEN '' ELSE m.into_id END,
        document = CASE WHEN r.id = m.into_id AND r.document ->> 'parentAppResourceId' = m.from_id
          THEN r.document - 'parentAppResourceId' - 'parentAppResourceTypeId' ELSE ${getRenamedSql(sql`r.document`, merges)} END, updated_at = ${now}
      FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND m.from_id IN (r.parent_id, r.source_parent_id)`,
  );
}

/** Puts the entitlements of resources that go on those that stay, from this revision on, and returns how many each got. */
export async function moveEntitlements(
  context: Context,
  { appId, revision }: { readonly appId: string; readonly revision: number },
  merges: readonly Merge[],
): Promise<Map<string, number>> {
  const { db, tenantId, now } = context;
  return readMoved(
    await db.rows(
      sql`WITH moved AS (
          UPDATE entitlements e SET resource_id = n.into_id, twin = n.twin, moved_from_id = e.resource_id, moved_revision = ${revision}, updated_at = ${now}
          FROM (${getMovedTwinsSql(context, 'ENTITLEMENT', appId, merges)}) AS n
          WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = n.id RETURNING n.into_id)
        SELECT into_id AS id, count(*) AS count FROM moved GROUP BY into_id`,
    ),
  );
}

/** Tells the resource types that stay what only the others said. */
export async function updateMergedTypes({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE resource_types t SET trait_ids = y.trait_ids, updated_at = ${now}
      FROM (${getMergesSql(merges)}) AS m
      JOIN resource_types y ON y.tenant_id = ${tenantId} AND y.app_id = ${appId} AND y.id = m.from_id
      WHERE t.tenant_id = ${tenantId} AND t.app_id = ${appId} AND t.id = m.into_id AND t.trait_ids = '{}' AND y.trait_ids <> '{}'`,
  );
}

/** Makes the resources of types that go, with their entitlements, those of the types that stay, and returns how many each got. */
export async function moveResources(context: Context, appId: string, merges: readonly Merge[]): Promise<Map<string, number>> {
  const { db, tenantId, now } = context;
  const moved = await db.rows<{ id: string; count: number }>(
    sql`WITH moved AS (
        UPDATE resources r SET resource_type_id = n.into_id, twin = n.twin, updated_at = ${now}
        FROM (${getMovedTwinsSql(context, 'RESOURCE', appId, merges)}) AS n
        WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.id = n.id RETURNING n.into_id)
      SELECT into_id AS id, count(*) AS count FROM moved GROUP BY into_id`,
  );
  await db.run(
    sql`UPDATE entitlements e SET resource_type_id = m.into_id, updated_at = ${now} FROM (${getMergesSql(merges)}) AS m
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.resource_type_id = m.from_id`,
  );
  await db.run(
    sql`UPDATE resources r SET document = ${getRenamedSql(sql`r.document`, merges)}, updated_at = ${now}
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.document <> '{}' AND ${getNamesMergedSql(sql`r.document`, merges)}`,
  );
  return readMoved(moved);
}

function readMoved(rows: readonly { readonly id: string; readonly count: number }[]): Map<string, number> {
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Lets what people wrote into entitlements, of any app, name the entitlements that stay: who gives and takes them by others does so still. */
export async function renameInEntitlements({ db, tenantId, now }: Context, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE entitlements e SET document = ${getRenamedSql(sql`e.document`, merges)}, updated_at = ${now}
      WHERE e.tenant_id = ${tenantId} AND e.document <> '{}' AND e.deleted_at IS NULL AND ${getNamesMergedSql(sql`e.document`, merges)}`,
  );
}

/** The value with the ids of what stays in place of those of resource types, resources and entitlements that went on as others: for what is made of it anew. */
export async function nameStanding<T extends object>({ db, tenantId }: Context, value: T): Promise<T> {
  const text = JSON.stringify(value);
  const merged = (table: string): Sql =>
    sql`SELECT x.id, x.merged_into_id FROM ${fixed(table)} x WHERE x.tenant_id = ${tenantId} AND x.merged_into_id IS NOT NULL AND position(x.id IN ${text}::text) > 0`;
  const row = await db.one<{ value: T | null }>(
    sql`SELECT rename_ids(${text}::jsonb, n.from_ids, n.into_ids) AS value FROM (
      SELECT array_agg(m.id) AS from_ids, array_agg(m.merged_into_id) AS into_ids
      FROM (${merged('resource_types')} UNION ALL ${merged('resources')} UNION ALL ${merged('entitlements')}) m) n
      WHERE n.from_ids IS NOT NULL UNION ALL SELECT NULL LIMIT 1`,
  );
  return row.value ?? value;
}
