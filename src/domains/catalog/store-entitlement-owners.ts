/**
 * SQL of the table `entitlement_owners`.
 */
import type { Context } from '../../context.ts';

/** The ids of an entitlement's owners, in order; there are as many as change-owners.ts allows. */
export async function listEntitlementOwnerIds(context: Context, appId: string, entitlementId: string): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    `SELECT user_id AS id FROM entitlement_owners WHERE tenant_id = $1 AND app_id = $2 AND entitlement_id = $3 ORDER BY user_id`,
    [context.tenantId, appId, entitlementId],
  );
  return rows.map((row) => row.id);
}

/** A page of them. */
export async function listEntitlementOwnerIdsAfter(
  context: Context,
  appId: string,
  entitlementId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    `SELECT user_id AS id FROM entitlement_owners
     WHERE tenant_id = $1 AND app_id = $2 AND entitlement_id = $3 AND user_id > $4 ORDER BY user_id LIMIT $5`,
    [context.tenantId, appId, entitlementId, after, limit],
  );
  return rows.map((row) => row.id);
}

/** Adds owners; those who are owners already stay. Returns how many were added. */
export function insertEntitlementOwners(
  context: Context,
  appId: string,
  entitlementId: string,
  userIds: readonly string[],
): Promise<number> {
  return context.db.run(
    `INSERT INTO entitlement_owners (tenant_id, app_id, entitlement_id, user_id, created_at)
     SELECT $1, $2, $3, unnest($4::text[]), $5 ON CONFLICT DO NOTHING`,
    [context.tenantId, appId, entitlementId, [...new Set(userIds)], context.now],
  );
}

/** Takes owners away and returns how many were owners. */
export function removeEntitlementOwners(
  context: Context,
  appId: string,
  entitlementId: string,
  userIds: readonly string[],
): Promise<number> {
  return context.db.run(
    `DELETE FROM entitlement_owners WHERE tenant_id = $1 AND app_id = $2 AND entitlement_id = $3 AND user_id = ANY ($4)`,
    [context.tenantId, appId, entitlementId, userIds],
  );
}
