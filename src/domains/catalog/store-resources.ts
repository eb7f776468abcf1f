/**
 * SQL that reads resource types and resources. They are written by imports alone.
 */
import type { Scope } from '../../scope.ts';

/** A resource type of an app. */
export interface ResourceTypeRow {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** A resource of an app. */
export interface ResourceRow extends ResourceTypeRow {
  readonly resourceTypeId: string;
  readonly externalId: string;
  /** Open grants of all its entitlements. */
  readonly grantCount: number;
}

const typeColumns = `t.id, t.app_id AS "appId", t.display_name AS "displayName", t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  t.deleted_at AS "deletedAt"`;
const resourceColumns = `r.id, r.app_id AS "appId", r.resource_type_id AS "resourceTypeId", r.external_id AS "externalId",
  r.display_name AS "displayName", r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.deleted_at AS "deletedAt",
  (SELECT coalesce(sum(e.grant_count), 0)::bigint FROM entitlements e
   WHERE e.tenant_id = r.tenant_id AND e.app_id = r.app_id AND e.resource_id = r.id) AS "grantCount"`;

/** The resource type with this id in this app. */
export function findResourceType(scope: Scope, appId: string, id: string): Promise<ResourceTypeRow | undefined> {
  return scope.db.maybe<ResourceTypeRow>(
    `SELECT ${typeColumns} FROM resource_types t WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.id = $3 AND t.deleted_at IS NULL`,
    [scope.tenantId, appId, id],
  );
}

/** A page of an app's resource types by id. */
export function listResourceTypes(scope: Scope, appId: string, after: string, limit: number): Promise<ResourceTypeRow[]> {
  return scope.db.rows<ResourceTypeRow>(
    `SELECT ${typeColumns} FROM resource_types t
     WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.id > $3 AND t.deleted_at IS NULL ORDER BY t.id LIMIT $4`,
    [scope.tenantId, appId, after, limit],
  );
}

/** The resource types with these ids by id, whatever their app. */
export async function listResourceTypesByIds(scope: Scope, ids: readonly string[]): Promise<Map<string, ResourceTypeRow>> {
  const rows = await scope.db.rows<ResourceTypeRow>(
    `SELECT ${typeColumns} FROM resource_types t WHERE t.tenant_id = $1 AND t.id = ANY ($2)`,
    [scope.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The resource with this id in this app and of this type. */
export function findResource(scope: Scope, appId: string, resourceTypeId: string, id: string): Promise<ResourceRow | undefined> {
  return scope.db.maybe<ResourceRow>(
    `SELECT ${resourceColumns} FROM resources r
     WHERE r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = $3 AND r.id = $4 AND r.deleted_at IS NULL`,
    [scope.tenantId, appId, resourceTypeId, id],
  );
}

/** A page of an app's resources of one type by id. */
export function listResources(scope: Scope, appId: string, resourceTypeId: string, after: string, limit: number): Promise<ResourceRow[]> {
  return scope.db.rows<ResourceRow>(
    `SELECT ${resourceColumns} FROM resources r
     WHERE r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = $3 AND r.id > $4 AND r.deleted_at IS NULL ORDER BY r.id LIMIT $5`,
    [scope.tenantId, appId, resourceTypeId, after, limit],
  );
}

/** The resources with these ids by id, whatever their app. */
export async function listResourcesByIds(scope: Scope, ids: readonly string[]): Promise<Map<string, ResourceRow>> {
  const rows = await scope.db.rows<ResourceRow>(`SELECT ${resourceColumns} FROM resources r WHERE r.tenant_id = $1 AND r.id = ANY ($2)`, [
    scope.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}
