/**
 * SQL that says what the deletion of an app is about to end.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** True if the app has accounts or open grants, whose end is a revision. */
export async function hasLiveAccess(context: Context, appId: string): Promise<boolean> {
  const { live } = await context.db.one<{ live: boolean }>(
    sql`SELECT EXISTS (SELECT FROM accounts_public WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND status <> 'DELETED')
      OR EXISTS (SELECT FROM grants_held WHERE tenant_id = ${context.tenantId} AND app_id = ${appId}) AS live`,
  );
  return live;
}

/** Sums the open grants that the app's entitlements count, app access left out. */
export async function countOpenGrants(context: Context, appId: string): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(
    sql`SELECT coalesce(sum(grant_count), 0)::bigint AS count FROM entitlements_public
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND NOT is_app_access`,
  );
  return count;
}
