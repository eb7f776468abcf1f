/**
 * SQL of the numbers that apps and entitlements keep of what the ledger holds. The ledger calls it whenever that changes; nobody else does.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** Adds to the kept numbers of open grants; `gains` selects `id` (of an entitlement, once each) and `gained`, which may be negative. */
export async function updateGrantCounts(context: Context, appId: string, gains: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE entitlements e SET grant_count = e.grant_count + n.gained FROM (${gains}) AS n
      WHERE e.tenant_id = ${context.tenantId} AND e.app_id = ${appId} AND e.id = n.id`,
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
