/** SQL that follows accounts and entitlements which go on as others. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { getMergesSql, getNamesMergedSql, getRenamedSql, type Merge } from '../../inventory/ledger/index.ts';

/**
 * Lets the alerts of younger accounts of an app that nobody owns be the oldest's, with what was said of them, where that has none of its monitor. Whatever
 * is left holds no more, which the next detection finds.
 */
export async function moveAlerts({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE conflict_alerts a SET principal = ${appId}::text || '/' || n.into_id, account_id = n.into_id, updated_at = ${now}
      FROM (
        SELECT DISTINCT ON (x.monitor_id, m.into_id) x.id, m.into_id FROM (${getMergesSql(merges)}) AS m
        JOIN conflict_alerts x ON x.tenant_id = ${tenantId} AND x.principal = ${appId}::text || '/' || m.from_id
        WHERE NOT EXISTS (SELECT FROM conflict_alerts o WHERE o.tenant_id = ${tenantId} AND o.monitor_id = x.monitor_id
          AND o.principal = ${appId}::text || '/' || m.into_id)
        ORDER BY x.monitor_id, m.into_id, x.id) AS n
      WHERE a.tenant_id = ${tenantId} AND a.id = n.id`,
  );
}

/**
 * Lets monitors look for the oldest entitlement where they looked for a younger one: in the group in which it stands, where it does. Alerts that are not
 * over name it, so that who is in conflict stays so.
 */
export async function moveMonitored({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`WITH gone AS (
        DELETE FROM conflict_entitlements e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.entitlement_id = m.from_id
        RETURNING e.monitor_id, m.into_id, e.side, e.created_at)
      INSERT INTO conflict_entitlements (tenant_id, monitor_id, app_id, entitlement_id, side, created_at)
      SELECT ${tenantId}, g.monitor_id, ${appId}, g.into_id, g.side, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
  await db.run(
    sql`UPDATE conflict_alerts a SET entitlements = ${getRenamedSql(sql`a.entitlements`, merges)}, updated_at = ${now}
      WHERE a.tenant_id = ${tenantId} AND a.state <> 'RESOLVED' AND ${getNamesMergedSql(sql`a.entitlements`, merges)}`,
  );
}
