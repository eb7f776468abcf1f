/**
 * SQL that says what the deletion of an app is about to end.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** True if the app has accounts or open grants, whose end is a revision. */
export function hasLiveAccess(context: Context, appId: string): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM accounts_public WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND status <> 'DELETED')
      OR EXISTS (SELECT FROM grants_held WHERE tenant_id = ${context.tenantId} AND app_id = ${appId}) AS live`,
  );
}

/** Sums the open grants that the app's entitlements count, app access left out. */
export function countOpenGrants(context: Context, appId: string): Promise<number> {
  return context.db.value<number>(
    sql`SELECT coalesce(sum(grant_count), 0)::bigint AS count FROM entitlements_public
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND NOT is_app_access`,
  );
}
