/**
 * SQL that brings the resource types, resources and entitlements named in a grants file into an app's catalog. They are only ever added:
 * a file of grants cannot say that an entitlement nobody holds is gone.
 */
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import type { KindCounts } from './types.ts';

/** How many rows of each table the file names, how many of them are new, and how many were deleted before and are there again. */
export interface EntitlementCounts {
  readonly resourceTypes: KindCounts;
  readonly resources: KindCounts;
  readonly entitlements: KindCounts;
}

/** Numbers the entitlements of the file from 1: `import_entitlements`. Number 0 stands for the app access. */
export async function stageEntitlementNumbers(context: Context): Promise<void> {
  await context.db.run(`CREATE TEMP TABLE import_entitlements (
      no integer NOT NULL, resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      entitlement text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_entitlements
     SELECT row_number() OVER (), resource_type, resource, entitlement
     FROM (SELECT DISTINCT resource_type, resource, entitlement FROM import_grants) AS g`,
    [],
  );
  await context.db.run('ANALYZE import_entitlements');
}

/**
 * Adds what the app does not have yet, and gives each number its id: `import_entitlement_ids`. Each step meets one table of the catalog by
 * its whole key: with a part of it (every resource has an entitlement called "assigned") a join would multiply the file with the catalog.
 * What was deleted is there again. Grants are counted later.
 */
export async function insertEntitlements(
  context: Context,
  appId: string,
  appAccessId: string,
  sourceNo: number,
): Promise<EntitlementCounts> {
  const resourceTypes = await insertResourceTypes(context, appId);
  const resources = await insertResources(context, appId);
  await context.db.run(`CREATE TEMP TABLE import_entitlement_ids (no integer NOT NULL, id text COLLATE "C" NOT NULL, is_new boolean NOT NULL,
      resource_type_id text COLLATE "C" NOT NULL, resource_id text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_entitlement_ids
     SELECT n.no, coalesce(e.id, $3 || id_suffix(n.no)), e.id IS NULL, r.resource_type_id, r.id
     FROM import_entitlements n
     JOIN import_resources r ON r.resource_type = n.resource_type AND r.resource = n.resource
     LEFT JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = $2 AND e.resource_id = r.id AND e.external_id = n.entitlement
     UNION ALL SELECT 0, $4, false, '', ''`,
    [context.tenantId, appId, newIdPrefix(context.now), appAccessId],
  );
  await context.db.run('ANALYZE import_entitlement_ids');
  const added = await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, source_no, created_at, updated_at)
     SELECT $1, $2, i.id, i.resource_type_id, i.resource_id, n.entitlement, n.resource || ' ' || n.entitlement, $4, $3, $3
     FROM import_entitlement_ids i JOIN import_entitlements n ON n.no = i.no
     WHERE i.is_new`,
    [context.tenantId, appId, context.now, sourceNo],
  );
  const changed = await updateDeleted(context, appId, 'entitlements', 'import_entitlement_ids');
  const { count } = await context.db.one<{ count: number }>('SELECT count(*) FROM import_entitlements', []);
  const entitlements = { added, changed, removed: 0, total: count };
  return { resourceTypes, resources, entitlements };
}

/** Brings back what was deleted and is named again, and returns how many. The table names are ours, nothing from outside. */
async function updateDeleted(context: Context, appId: string, table: string, named: string): Promise<number> {
  return context.db.run(
    `UPDATE ${table} t SET deleted_at = NULL, updated_at = $3 FROM ${named} n
     WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.id = n.id AND NOT n.is_new AND t.deleted_at IS NOT NULL`,
    [context.tenantId, appId, context.now],
  );
}

/** Adds the new resource types, and gives each of the file its id: `import_resource_types`. */
async function insertResourceTypes(context: Context, appId: string): Promise<KindCounts> {
  await context.db.run(`CREATE TEMP TABLE import_resource_types (resource_type text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
      is_new boolean NOT NULL) ON COMMIT DROP`);
  const total = await context.db.run(
    `INSERT INTO import_resource_types
     SELECT n.resource_type, coalesce(t.id, $3 || id_suffix(row_number() OVER ())), t.id IS NULL
     FROM (SELECT DISTINCT resource_type FROM import_entitlements) AS n
     LEFT JOIN resource_types t ON t.tenant_id = $1 AND t.app_id = $2 AND t.external_id = n.resource_type`,
    [context.tenantId, appId, newIdPrefix(context.now)],
  );
  await context.db.run('ANALYZE import_resource_types');
  const added = await context.db.run(
    `INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, id, resource_type, resource_type, $3, $3 FROM import_resource_types WHERE is_new`,
    [context.tenantId, appId, context.now],
  );
  return { added, changed: await updateDeleted(context, appId, 'resource_types', 'import_resource_types'), removed: 0, total };
}

/** Adds the new resources, and gives each of the file its id: `import_resources`. */
async function insertResources(context: Context, appId: string): Promise<KindCounts> {
  await context.db.run(`CREATE TEMP TABLE import_resources (resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      resource_type_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, is_new boolean NOT NULL) ON COMMIT DROP`);
  const total = await context.db.run(
    `INSERT INTO import_resources
     SELECT n.resource_type, n.resource, t.id, coalesce(r.id, $3 || id_suffix(row_number() OVER ())), r.id IS NULL
     FROM (SELECT DISTINCT resource_type, resource FROM import_entitlements) AS n
     JOIN import_resource_types t ON t.resource_type = n.resource_type
     LEFT JOIN resources r ON r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = t.id AND r.external_id = n.resource`,
    [context.tenantId, appId, newIdPrefix(context.now)],
  );
  await context.db.run('ANALYZE import_resources');
  const added = await context.db.run(
    `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, id, resource_type_id, resource, resource, $3, $3 FROM import_resources WHERE is_new`,
    [context.tenantId, appId, context.now],
  );
  return { added, changed: await updateDeleted(context, appId, 'resources', 'import_resources'), removed: 0, total };
}
