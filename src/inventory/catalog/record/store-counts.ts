/**
 * SQL of the numbers that apps and entitlements keep of what the ledger holds. The ledger calls it whenever that changes; nobody else does.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Adds to the kept numbers of open grants; `gains` selects `id` (of an entitlement, once each) and `gained`, which may be negative. */
export async function updateGrantCounts(context: Context, appId: string, gains: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE entitlements e SET grant_count = e.grant_count + n.gained FROM (${gains}) AS n
      WHERE e.tenant_id = ${context.tenantId} AND e.app_id = ${appId} AND e.id = n.id`,
  );
}

/** Counts the open grants of every entitlement of an app again; those that count right are not written. */
export function updateAllGrantCounts(context: Context, appId: string): Promise<void> {
  const { tenantId } = context;
  return updateGrantCounts(
    context,
    appId,
    sql`SELECT t.id, n.count - t.grant_count AS gained
      FROM entitlements t
      JOIN (
        SELECT e.id, count(g.account_id) AS count FROM entitlements e
        LEFT JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.entitlement_id = e.id
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} GROUP BY e.id) AS n ON n.id = t.id
      WHERE t.tenant_id = ${tenantId} AND t.app_id = ${appId} AND n.count <> t.grant_count`,
  );
}

/**
 * Keeps when entitlements were last used: `uses` selects `id` (of an entitlement, once each) and `used`. What was later already stays, since a use
 * does not become undone by the end of a grant.
 */
export async function updateLastUses(context: Context, appId: string, uses: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE entitlements e SET last_used_at = n.used FROM (${uses}) AS n
      WHERE e.tenant_id = ${context.tenantId} AND e.app_id = ${appId} AND e.id = n.id AND (e.last_used_at IS NULL OR e.last_used_at < n.used)`,
  );
}

/** Adds to the app's kept number of accounts that are not deleted. */
export async function updateUserCount(context: Context, appId: string, gained: number): Promise<void> {
  await context.db.run(sql`UPDATE apps SET user_count = user_count + ${gained} WHERE tenant_id = ${context.tenantId} AND id = ${appId}`);
}
