/**
 * SQL of the table `resource_owners`.
 */
import type { Scope } from '../../scope.ts';

/** A page of the ids of a resource's owners; all of them without a limit, of which there are at most as many as may be set. */
export async function listResourceOwnerIds(scope: Scope, appId: string, resourceId: string, after = '', limit?: number): Promise<string[]> {
  const rows = await scope.db.rows<{ id: string }>(
    `SELECT user_id AS id FROM resource_owners
     WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND user_id > $4 ORDER BY user_id LIMIT $5`,
    [scope.tenantId, appId, resourceId, after, limit ?? null],
  );
  return rows.map((row) => row.id);
}

/** Adds owners; those who are owners already stay. */
export function insertResourceOwners(scope: Scope, appId: string, resourceId: string, userIds: readonly string[]): Promise<number> {
  return scope.db.run(
    `INSERT INTO resource_owners (tenant_id, app_id, resource_id, user_id, created_at) SELECT $1, $2, $3, unnest($4::text[]), $5
     ON CONFLICT DO NOTHING`,
    [scope.tenantId, appId, resourceId, [...new Set(userIds)], scope.now],
  );
}

/** Takes owners away and returns how many were owners. */
export function removeResourceOwners(scope: Scope, appId: string, resourceId: string, userIds: readonly string[]): Promise<number> {
  return scope.db.run(`DELETE FROM resource_owners WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND user_id = ANY ($4)`, [
    scope.tenantId,
    appId,
    resourceId,
    userIds,
  ]);
}
