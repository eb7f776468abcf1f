/**
 * SQL that says what a group is in the catalog, which writes it: a resource of type "group", and the entitlement of its members.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** A group to be. */
export interface NewGroup {
  readonly typeId: string;
  readonly resourceId: string;
  readonly entitlementId: string;
  /** Under which the resource is known in its app. */
  readonly externalId: string;
  readonly displayName: string;
}

/** The resource type of groups of an app, deleted or not; undefined where it has none. */
export function findGroupType(context: Context, appId: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    sql`SELECT id FROM resource_types_public WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND external_key = 'group'`,
  );
}

/** The type of groups, as the catalog adds it. */
export function getGroupTypeSql(id: string): Sql {
  return sql`SELECT ${id}::text AS id, 'group' AS external_id, 'Group' AS display_name`;
}

/** The resource that a group is, as the catalog adds it. */
export function getGroupResourceSql(group: NewGroup): Sql {
  return sql`SELECT ${group.resourceId}::text AS id, ${group.typeId}::text AS resource_type_id, ${group.externalId}::text AS external_id,
    ${group.displayName}::text AS display_name`;
}

/** The entitlement of a group's members, as the catalog adds it. */
export function getGroupEntitlementSql(group: NewGroup): Sql {
  return sql`SELECT ${group.entitlementId}::text AS id, ${group.typeId}::text AS resource_type_id, ${group.resourceId}::text AS resource_id,
    'member' AS external_id, ${`${group.displayName} member`}::text AS display_name`;
}
