/** SQL that gives the templates of one owner to another, and follows what goes on as others in their lists. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getMergesSql, getNamesMergedSql, getRenamedSql, type Merge } from '../../../inventory/ledger/index.ts';

/** Gives the templates that a person owns to another, and returns how many, with the first of them by name. */
export function moveTemplates(
  { db, tenantId, now }: Context,
  fromId: string,
  intoId: string,
  most: number,
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  return db.one(
    sql`WITH gone AS (
        DELETE FROM template_owners o USING review_templates t WHERE o.tenant_id = ${tenantId} AND o.user_id = ${fromId} AND t.tenant_id = ${tenantId}
          AND t.id = o.template_id RETURNING t.id, coalesce(t.document ->> 'displayName', '') AS display_name),
      added AS (
        INSERT INTO template_owners (tenant_id, template_id, user_id, created_at) SELECT ${tenantId}, g.id, ${intoId}, ${now} FROM gone g
        ON CONFLICT DO NOTHING)
      SELECT (SELECT count(*) FROM gone) AS count, ARRAY(SELECT g.display_name FROM gone g ORDER BY g.id LIMIT ${most}) AS names`,
  );
}

/** Lets templates that chose entitlements of an app which went choose those that stay. */
export async function moveChosenEntitlements({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`WITH gone AS (
        DELETE FROM template_entitlements e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.entitlement_id = m.from_id RETURNING e.template_id, m.into_id, e.created_at)
      INSERT INTO template_entitlements (tenant_id, template_id, app_id, entitlement_id, created_at)
      SELECT ${tenantId}, g.template_id, ${appId}, g.into_id, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}

/** The same of resource types. */
export async function moveChosenTypes({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`WITH gone AS (
        DELETE FROM template_resource_types e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.resource_type_id = m.from_id RETURNING e.template_id, m.into_id, e.created_at)
      INSERT INTO template_resource_types (tenant_id, template_id, app_id, resource_type_id, created_at)
      SELECT ${tenantId}, g.template_id, ${appId}, g.into_id, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}

/** Lets what templates say name what stays. */
export async function renameInTemplates({ db, tenantId }: Context, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE review_templates t SET document = ${getRenamedSql(sql`t.document`, merges)}
      WHERE t.tenant_id = ${tenantId} AND t.deleted_at IS NULL AND ${getNamesMergedSql(sql`t.document`, merges)}`,
  );
}
