/**
 * SQL that finds the grants whose time is over and that nobody but us ends: manual ones, and the app access of manual
 * accounts. It reads the index of grants that have an end.
 */
import type { Context } from '../../context.ts';
import type { Pair } from '../ledger/index.ts';

/** Of a source are neither the grant nor, for app access, the account; what belongs to a deleted app stays as it was. */
const ours = `FROM grants_held g
  JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = g.app_id AND e.id = g.entitlement_id
  JOIN accounts_public a ON a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id
  JOIN apps_public p ON p.tenant_id = $1 AND p.id = g.app_id AND p.deleted_at IS NULL
  WHERE g.tenant_id = $1 AND g.source_no = 0 AND g.deprovision_at IS NOT NULL
    AND (NOT e.is_app_access OR a.source_no = 0)`;

/** The grant that ends next: its app, and when. */
export function findNextExpiry(context: Context): Promise<{ appId: string; at: Date } | undefined> {
  return context.db.maybe<{ appId: string; at: Date }>(
    `SELECT g.app_id AS "appId", g.deprovision_at AS at ${ours} ORDER BY g.deprovision_at LIMIT 1`,
    [context.tenantId],
  );
}

/** Grants of an app that are due, those that are due longest first. */
export function listDueGrants(context: Context, appId: string, limit: number): Promise<(Pair & { isAppAccess: boolean })[]> {
  return context.db.rows<Pair & { isAppAccess: boolean }>(
    `SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId", e.is_app_access AS "isAppAccess"
     ${ours} AND g.app_id = $2 AND g.deprovision_at <= $3 ORDER BY g.deprovision_at LIMIT $4`,
    [context.tenantId, appId, context.now, limit],
  );
}
