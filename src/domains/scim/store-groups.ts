/**
 * SQL of what groups are in the catalog: a resource of type "group", and the entitlement of its members.
 */
import type { Context } from '../../context.ts';

/** A group to be. */
export interface NewGroup {
  readonly appId: string;
  readonly sourceNo: number;
  readonly resourceId: string;
  readonly entitlementId: string;
  /** Under which the resource is known in its app. */
  readonly externalId: string;
  readonly displayName: string;
}

const entitlementName = (group: string): string => `${group} member`;

/** Adds the resource type of groups where the app has none, and returns its id. */
export async function insertGroupType(context: Context, appId: string, newTypeId: string): Promise<string> {
  const { id } = await context.db.one<{ id: string }>(
    `INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, created_at, updated_at) VALUES ($1, $2, $3, 'group', 'Group', $4, $4)
     ON CONFLICT (tenant_id, app_id, external_id) DO UPDATE SET deleted_at = NULL RETURNING id`,
    [context.tenantId, appId, newTypeId, context.now],
  );
  return id;
}

/** Adds a group to the catalog. */
export async function insertGroup(context: Context, typeId: string, group: NewGroup): Promise<void> {
  await context.db.run(
    `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [context.tenantId, group.appId, group.resourceId, typeId, group.externalId, group.displayName, context.now],
  );
  await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, source_no, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'member', $6, $7, $8, $8)`,
    [
      context.tenantId,
      group.appId,
      group.entitlementId,
      typeId,
      group.resourceId,
      entitlementName(group.displayName),
      group.sourceNo,
      context.now,
    ],
  );
}

/** Gives a group its name, and brings it back where it was deleted. A name that somebody gave the entitlement manually stays. */
export async function updateGroup(context: Context, appId: string, entitlementId: string, displayName: string): Promise<void> {
  const values = [context.tenantId, appId, entitlementId, displayName, context.now];
  await context.db.run(
    `UPDATE entitlements e SET deleted_at = NULL, updated_at = $5,
       display_name = CASE WHEN e.display_name = r.display_name || ' member' THEN $4 || ' member' ELSE e.display_name END
     FROM resources r
     WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND r.tenant_id = $1 AND r.app_id = $2 AND r.id = e.resource_id
       AND (e.deleted_at IS NOT NULL OR r.display_name <> $4)`,
    values,
  );
  await context.db.run(
    `UPDATE resources r SET deleted_at = NULL, updated_at = $5, display_name = $4
     FROM entitlements e
     WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND r.tenant_id = $1 AND r.app_id = $2 AND r.id = e.resource_id
       AND (r.deleted_at IS NOT NULL OR r.display_name <> $4)`,
    values,
  );
}

/** Marks a group's entitlement and resource as deleted, unless somebody holds the entitlement still; whether it was. */
export async function removeGroup(context: Context, appId: string, entitlementId: string): Promise<boolean> {
  const values = [context.tenantId, appId, entitlementId, context.now];
  const removed = await context.db.run(
    `UPDATE entitlements SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3 AND grant_count = 0`,
    values,
  );
  if (removed > 0) {
    await context.db.run(
      `UPDATE resources r SET deleted_at = $4, updated_at = $4 FROM entitlements e
       WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND r.tenant_id = $1 AND r.app_id = $2 AND r.id = e.resource_id`,
      values,
    );
  }
  return removed > 0;
}
