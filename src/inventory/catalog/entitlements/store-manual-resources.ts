/**
 * SQL that writes resource types and resources manually. What an import has brought keeps what is written here, since imports only add.
 */
import type { AppResourceJson } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../../context.ts';

/** Contents of a resource type. */
export interface ResourceTypeContent {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
  readonly traitIds: readonly string[];
}

/** Adds a manual resource type: its id is its name there. */
export async function insertResourceType(context: Context, type: ResourceTypeContent): Promise<void> {
  await context.db.run(
    `INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, trait_ids, is_manual, created_at, updated_at)
     VALUES ($1, $2, $3, $3, $4, $5, true, $6, $6)`,
    [context.tenantId, type.appId, type.id, type.displayName, type.traitIds, context.now],
  );
}

/** Changes the name and the traits of a resource type. */
export async function updateResourceType(context: Context, type: ResourceTypeContent): Promise<void> {
  await context.db.run(
    `UPDATE resource_types SET display_name = $4, trait_ids = $5, updated_at = $6 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [context.tenantId, type.appId, type.id, type.displayName, type.traitIds, context.now],
  );
}

/** Marks a resource type deleted. */
export async function removeResourceType(context: Context, appId: string, id: string): Promise<void> {
  await context.db.run(`UPDATE resource_types SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`, [
    context.tenantId,
    appId,
    id,
    context.now,
  ]);
}

/** The names of the app's other resource types, of which an app has few. */
export function listTypeNames(context: Context, appId: string, exceptId: string): Promise<{ id: string; displayName: string }[]> {
  return context.db.rows(
    `SELECT id, display_name AS "displayName" FROM resource_types
     WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL AND id <> $3 ORDER BY id`,
    [context.tenantId, appId, exceptId],
  );
}

/** Counts the resources of this type. */
export function countResources(context: Context, appId: string, resourceTypeId: string): Promise<number> {
  return context.db.value<number>(
    `SELECT count(*) AS count FROM resources WHERE tenant_id = $1 AND app_id = $2 AND resource_type_id = $3 AND deleted_at IS NULL`,
    [context.tenantId, appId, resourceTypeId],
  );
}

/** Contents of a resource. */
export interface ResourceContent {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
  readonly document: AppResourceJson;
}

/** Adds a manual resource: its id is its name there. */
export async function insertResource(context: Context, resource: ResourceContent & { readonly resourceTypeId: string }): Promise<void> {
  await context.db.run(
    `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, document, is_manual, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $3, $5, $6, true, $7, $7)`,
    [
      context.tenantId,
      resource.appId,
      resource.id,
      resource.resourceTypeId,
      resource.displayName,
      JSON.stringify(resource.document),
      context.now,
    ],
  );
}

/** Changes the content of a resource. Where it lies below nothing from now on (`isBelow` false), what its source says of that goes too. */
export async function updateResource(context: Context, resource: ResourceContent, isBelow: boolean): Promise<void> {
  await context.db.run(
    `UPDATE resources SET display_name = $4, document = $5, source_parent_id = CASE WHEN $7 THEN source_parent_id ELSE '' END, updated_at = $6
     WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [context.tenantId, resource.appId, resource.id, resource.displayName, JSON.stringify(resource.document), context.now, isBelow],
  );
}

/**
 * Marks a resource deleted, and with it its entitlements; those below it are below nothing from then on. Returns how many
 * entitlements went.
 */
export async function removeResource(context: Context, appId: string, id: string): Promise<number> {
  const key = [context.tenantId, appId, id, context.now];
  await context.db.run(`UPDATE resources SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`, key);
  await context.db.run(
    `UPDATE resources SET source_parent_id = '',
       document = CASE WHEN document ->> 'parentAppResourceId' <> '' THEN document || '{"parentAppResourceId": "", "parentAppResourceTypeId": ""}' ELSE document END,
       updated_at = $4
     WHERE tenant_id = $1 AND app_id = $2 AND parent_id = $3`,
    key,
  );
  return context.db.run(
    `UPDATE entitlements SET deleted_at = $4, updated_at = $4
     WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND deleted_at IS NULL`,
    key,
  );
}

/** A resource of the app by its id alone. */
export function findParent(context: Context, appId: string, id: string): Promise<{ resourceTypeId: string } | undefined> {
  return context.db.maybe<{ resourceTypeId: string }>(
    `SELECT resource_type_id AS "resourceTypeId" FROM resources WHERE tenant_id = $1 AND app_id = $2 AND id = $3 AND deleted_at IS NULL`,
    [context.tenantId, appId, id],
  );
}

/** The ids of a resource and all above it. */
export function listAncestorIds(context: Context, appId: string, id: string): Promise<string[]> {
  return context.db.column<string>(
    `WITH RECURSIVE above (id) AS (
       SELECT $3::text COLLATE "C"
       UNION
       SELECT r.parent_id FROM above a
       JOIN resources r ON r.tenant_id = $1 AND r.app_id = $2 AND r.id = a.id
       WHERE r.parent_id <> '')
     SELECT id FROM above`,
    [context.tenantId, appId, id],
  );
}
