/**
 * SQL that writes what sources deliver: resource types, resources and entitlements, set by set. The sets come as pieces of SQL, so that a file
 * and an identity provider go through the same statements. Sources only add: what is made manually is in the files beside this one.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Adds resource types and returns how many; `rows` selects `id`, `external_id` and `display_name`. */
export function insertResourceTypes(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.run(
    sql`INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
      SELECT ${context.tenantId}, ${appId}, r.id, r.external_id, r.display_name, ${context.now}, ${context.now} FROM (${rows}) AS r`,
  );
}

/** Adds resources and returns how many; `rows` selects `id`, `resource_type_id`, `external_id` and `display_name`. */
export function insertResources(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.run(
    sql`INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
      SELECT ${context.tenantId}, ${appId}, r.id, r.resource_type_id, r.external_id, r.display_name, ${context.now}, ${context.now}
      FROM (${rows}) AS r`,
  );
}

/** Adds entitlements of a source and returns how many; `rows` selects `id`, `resource_type_id`, `resource_id`, `external_id` and `display_name`. */
export function insertEntitlements(context: Context, appId: string, sourceNo: number, rows: Sql): Promise<number> {
  return context.db.run(
    sql`INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, source_no, created_at, updated_at)
      SELECT ${context.tenantId}, ${appId}, r.id, r.resource_type_id, r.resource_id, r.external_id, r.display_name, ${sourceNo},
        ${context.now}, ${context.now}
      FROM (${rows}) AS r`,
  );
}

/** Brings back the resource types that were deleted, of those whose `id` is selected, and returns how many. */
export function updateDeletedResourceTypes(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.run(
    sql`UPDATE resource_types t SET deleted_at = NULL, updated_at = ${context.now} FROM (${rows}) AS r
      WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND t.deleted_at IS NOT NULL`,
  );
}

/** Brings back the resources that were deleted, of those whose `id` is selected, and returns how many. */
export function updateDeletedResources(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.run(
    sql`UPDATE resources t SET deleted_at = NULL, updated_at = ${context.now} FROM (${rows}) AS r
      WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND t.deleted_at IS NOT NULL`,
  );
}

/**
 * Puts resources below others, as their source says; `rows` selects `id`, `parent_id` and `is_new`. Returns how many of those that are not new lay
 * elsewhere.
 */
export function updateParents(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.value<number>(
    sql`WITH moved AS (
        UPDATE resources t SET source_parent_id = r.parent_id, updated_at = ${context.now} FROM (${rows}) AS r
        WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND t.source_parent_id <> r.parent_id
        RETURNING r.is_new)
      SELECT count(*) FILTER (WHERE NOT is_new) AS count FROM moved`,
  );
}

/** Brings back the entitlements that were deleted, of those whose `id` is selected, and returns how many. */
export function updateDeletedEntitlements(context: Context, appId: string, rows: Sql): Promise<number> {
  return context.db.run(
    sql`UPDATE entitlements t SET deleted_at = NULL, updated_at = ${context.now} FROM (${rows}) AS r
      WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = r.id AND t.deleted_at IS NOT NULL`,
  );
}

/**
 * Gives the resource of an entitlement, a group at its source, this name, and brings both back where they were deleted. A name that somebody
 * gave the entitlement manually stays.
 */
export async function updateGroup(context: Context, appId: string, entitlementId: string, displayName: string): Promise<void> {
  const { tenantId, now } = context;
  const both = sql`e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = ${entitlementId}
    AND r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.id = e.resource_id`;
  await context.db.run(
    sql`UPDATE entitlements e SET deleted_at = NULL, updated_at = ${now},
        display_name = CASE WHEN e.display_name = r.display_name || ' member' THEN ${displayName} || ' member' ELSE e.display_name END
      FROM resources r WHERE ${both} AND (e.deleted_at IS NOT NULL OR r.display_name <> ${displayName})`,
  );
  await context.db.run(
    sql`UPDATE resources r SET deleted_at = NULL, updated_at = ${now}, display_name = ${displayName}
      FROM entitlements e WHERE ${both} AND (r.deleted_at IS NOT NULL OR r.display_name <> ${displayName})`,
  );
}

/** Marks an entitlement and its resource, a group at its source, as deleted, unless somebody holds the entitlement still; whether it was. */
export async function removeGroup(context: Context, appId: string, entitlementId: string): Promise<boolean> {
  const { tenantId, now } = context;
  const removed = await context.db.run(
    sql`UPDATE entitlements SET deleted_at = ${now}, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND id = ${entitlementId} AND grant_count = 0`,
  );
  if (removed > 0) {
    await context.db.run(
      sql`UPDATE resources r SET deleted_at = ${now}, updated_at = ${now} FROM entitlements e
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = ${entitlementId}
          AND r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.id = e.resource_id`,
    );
  }
  return removed > 0;
}
