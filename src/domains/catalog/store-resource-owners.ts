/**
 * SQL of the table `resource_owners`.
 */
import type { Context } from '../../context.ts';

/** A page of the ids of a resource's owners; all of them without a limit, of which there are at most as many as may be set. */
export async function listResourceOwnerIds(
  context: Context,
  appId: string,
  resourceId: string,
  after = '',
  limit?: number,
): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    `SELECT user_id AS id FROM resource_owners
     WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND user_id > $4 ORDER BY user_id LIMIT $5`,
    [context.tenantId, appId, resourceId, after, limit ?? null],
  );
  return rows.map((row) => row.id);
}

/** Adds owners; those who are owners already stay. */
export function insertResourceOwners(context: Context, appId: string, resourceId: string, userIds: readonly string[]): Promise<number> {
  return context.db.run(
    `INSERT INTO resource_owners (tenant_id, app_id, resource_id, user_id, created_at) SELECT $1, $2, $3, unnest($4::text[]), $5
     ON CONFLICT DO NOTHING`,
    [context.tenantId, appId, resourceId, [...new Set(userIds)], context.now],
  );
}

/** Takes owners away and returns how many were owners. */
export function removeResourceOwners(context: Context, appId: string, resourceId: string, userIds: readonly string[]): Promise<number> {
  return context.db.run(`DELETE FROM resource_owners WHERE tenant_id = $1 AND app_id = $2 AND resource_id = $3 AND user_id = ANY ($4)`, [
    context.tenantId,
    appId,
    resourceId,
    userIds,
  ]);
}
