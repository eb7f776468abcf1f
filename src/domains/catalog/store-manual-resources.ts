/**
 * SQL that writes resource types and resources by hand. What an import has brought keeps what is written here, since imports only add.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Scope } from '../../scope.ts';

/** What a resource type is made of. */
export interface ResourceTypeContent {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
  readonly traitIds: readonly string[];
}

/** Adds a resource type of nobody's source: its id is its name there. */
export async function insertResourceType(scope: Scope, type: ResourceTypeContent): Promise<void> {
  await scope.db.run(
    `INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, trait_ids, is_manual, created_at, updated_at)
     VALUES ($1, $2, $3, $3, $4, $5, true, $6, $6)`,
    [scope.tenantId, type.appId, type.id, type.displayName, type.traitIds, scope.now],
  );
}

/** Changes the name and the traits of a resource type. */
export async function updateResourceType(scope: Scope, type: ResourceTypeContent): Promise<void> {
  await scope.db.run(
    `UPDATE resource_types SET display_name = $4, trait_ids = $5, updated_at = $6 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [scope.tenantId, type.appId, type.id, type.displayName, type.traitIds, scope.now],
  );
}

/** Marks a resource type deleted. */
export async function removeResourceType(scope: Scope, appId: string, id: string): Promise<void> {
  await scope.db.run(`UPDATE resource_types SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`, [
    scope.tenantId,
    appId,
    id,
    scope.now,
  ]);
}

/** The names of the app's other resource types, of which an app has few. */
export async function listTypeNames(scope: Scope, appId: string, exceptId: string): Promise<string[]> {
  const rows = await scope.db.rows<{ name: string }>(
    `SELECT display_name AS name FROM resource_types WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL AND id <> $3`,
    [scope.tenantId, appId, exceptId],
  );
  return rows.map((row) => row.name);
}

/** How many resources of this type there are. */
export async function countResources(scope: Scope, appId: string, resourceTypeId: string): Promise<number> {
  const { count } = await scope.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM resources WHERE tenant_id = $1 AND app_id = $2 AND resource_type_id = $3 AND deleted_at IS NULL`,
    [scope.tenantId, appId, resourceTypeId],
  );
  return count;
}

/** What a resource is made of. */
export interface ResourceContent {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
  readonly document: JsonObject;
}

/** Adds a resource of nobody's source: its id is its name there. */
export async function insertResource(scope: Scope, resource: ResourceContent & { readonly resourceTypeId: string }): Promise<void> {
  await scope.db.run(
    `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, document, is_manual, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $3, $5, $6, true, $7, $7)`,
    [
      scope.tenantId,
      resource.appId,
      resource.id,
      resource.resourceTypeId,
      resource.displayName,
      JSON.stringify(resource.document),
      scope.now,
    ],
  );
}

/** Changes the content of a resource. */
export async function updateResource(scope: Scope, resource: ResourceContent): Promise<void> {
  await scope.db.run(
    `UPDATE resources SET display_name = $4, document = $5, updated_at = $6 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [scope.tenantId, resource.appId, resource.id, resource.displayName, JSON.stringify(resource.document), scope.now],
  );
}

/**
 * Marks a resource deleted, and with it its entitlements; those below it are below nothing from then on. Returns how many
 * entitlements went.
 */
export async function removeResource(scope: Scope, appId: string, id: string): Promise<number> {
  const key = [scope.tenantId, appId, id, scope.now];
  await scope.db.run(`UPDATE resources SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`, key);
  await scope.db.run(
    `UPDATE resources SET document = document || '{"parentAppResourceId": "", "parentAppResourceTypeId": ""}', updated_at = $4
     WHERE tenant_id = $1 AND app_id = $2 AND document ->> 'parentAppResourceId' = $3`,
    key,
  );
  return scope.db.run(
    `UPDATE entitlements SET deleted_at = $4, updated_at = $4
     WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND deleted_at IS NULL`,
    key,
  );
}

/** A resource of the app by its id alone. */
export function findParent(scope: Scope, appId: string, id: string): Promise<{ resourceTypeId: string } | undefined> {
  return scope.db.maybe<{ resourceTypeId: string }>(
    `SELECT resource_type_id AS "resourceTypeId" FROM resources WHERE tenant_id = $1 AND app_id = $2 AND id = $3 AND deleted_at IS NULL`,
    [scope.tenantId, appId, id],
  );
}

/** The ids of a resource and all above it. */
export async function listAncestorIds(scope: Scope, appId: string, id: string): Promise<string[]> {
  const rows = await scope.db.rows<{ id: string }>(
    `WITH RECURSIVE above (id) AS (
       SELECT $3::text COLLATE "C"
       UNION
       SELECT r.document ->> 'parentAppResourceId' COLLATE "C" FROM above a
       JOIN resources r ON r.tenant_id = $1 AND r.app_id = $2 AND r.id = a.id
       WHERE r.document ->> 'parentAppResourceId' <> '')
     SELECT id FROM above`,
    [scope.tenantId, appId, id],
  );
  return rows.map((row) => row.id);
}
