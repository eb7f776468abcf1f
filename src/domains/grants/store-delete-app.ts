/**
 * SQL that says what the deletion of an app is about to end.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Whether the app has accounts or open grants, whose end is a revision. */
export async function hasLiveAccess(context: Context, appId: string): Promise<boolean> {
  const { live } = await context.db.one<{ live: boolean }>(
    sql`SELECT EXISTS (SELECT FROM accounts WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND status <> 'DELETED')
      OR EXISTS (SELECT FROM grants WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND removed_revision IS NULL) AS live`,
  );
  return live;
}

/** How many open grants the app's entitlements say they have, app access left out. */
export async function countOpenGrants(context: Context, appId: string): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(
    sql`SELECT coalesce(sum(grant_count), 0)::bigint AS count FROM entitlements
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND NOT is_app_access`,
  );
  return count;
}
