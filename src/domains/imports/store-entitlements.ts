/**
 * SQL that brings the resource types, resources and entitlements named in a grants file into an app's catalog. They are only ever added:
 * a file of grants cannot say that an entitlement nobody holds is gone.
 */
import type { Scope } from '../../scope.ts';
import { newIdPrefix } from '../../wire/ids.ts';

/** How many rows each table gained. */
export interface EntitlementCounts {
  readonly resourceTypes: number;
  readonly resources: number;
  readonly entitlements: number;
}

/** Numbers the entitlements of the file from 1: `import_entitlements`. Number 0 stands for the app access. */
export async function insertEntitlementNumbers(scope: Scope): Promise<void> {
  await scope.db.run(`CREATE TEMP TABLE import_entitlements (
      no integer NOT NULL, resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      entitlement text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  await scope.db.run(
    `INSERT INTO import_entitlements
     SELECT row_number() OVER (), resource_type, resource, entitlement
     FROM (SELECT DISTINCT resource_type, resource, entitlement FROM import_grants) AS g`,
    [],
  );
  await scope.db.run('ANALYZE import_entitlements');
}

/** Adds what the app does not have yet, and gives each number its id: `import_entitlement_ids`. */
export async function insertEntitlements(scope: Scope, appId: string, appAccessId: string): Promise<EntitlementCounts> {
  const key = [scope.tenantId, appId];
  const write = (sql: string) => scope.db.run(sql, [...key, newIdPrefix(scope.now), scope.now]);
  const resourceTypes = await write(
    `INSERT INTO resource_types (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, $3 || id_suffix(row_number() OVER ()), n.resource_type, n.resource_type, $4, $4
     FROM (SELECT DISTINCT resource_type FROM import_entitlements) AS n
     WHERE NOT EXISTS (SELECT FROM resource_types t WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.external_id = n.resource_type)`,
  );
  const resources = await write(
    `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, $3 || id_suffix(row_number() OVER ()), t.id, n.resource, n.resource, $4, $4
     FROM (SELECT DISTINCT resource_type, resource FROM import_entitlements) AS n
     JOIN resource_types t ON t.tenant_id = $1 AND t.app_id = $2 AND t.external_id = n.resource_type
     WHERE NOT EXISTS (
       SELECT FROM resources r WHERE r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = t.id AND r.external_id = n.resource)`,
  );
  const entitlements = await write(
    `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, created_at, updated_at)
     SELECT $1, $2, $3 || id_suffix(n.no), t.id, r.id, n.entitlement, n.resource || ' ' || n.entitlement, $4, $4
     FROM import_entitlements n
     JOIN resource_types t ON t.tenant_id = $1 AND t.app_id = $2 AND t.external_id = n.resource_type
     JOIN resources r ON r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = t.id AND r.external_id = n.resource
     WHERE NOT EXISTS (
       SELECT FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.resource_id = r.id AND e.external_id = n.entitlement)`,
  );
  await scope.db.run('CREATE TEMP TABLE import_entitlement_ids (no integer NOT NULL, id text COLLATE "C" NOT NULL) ON COMMIT DROP');
  await scope.db.run(
    `INSERT INTO import_entitlement_ids
     SELECT n.no, e.id
     FROM import_entitlements n
     JOIN resource_types t ON t.tenant_id = $1 AND t.app_id = $2 AND t.external_id = n.resource_type
     JOIN resources r ON r.tenant_id = $1 AND r.app_id = $2 AND r.resource_type_id = t.id AND r.external_id = n.resource
     JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = $2 AND e.resource_id = r.id AND e.external_id = n.entitlement
     UNION ALL SELECT 0, $3`,
    [...key, appAccessId],
  );
  await scope.db.run('ANALYZE import_entitlement_ids');
  return { resourceTypes, resources, entitlements };
}
