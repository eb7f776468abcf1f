/** SQL that follows accounts which go on as others. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { type AccountMerge, getMergesSql } from '../ledger/index.ts';

/**
 * Lets the alerts of younger accounts of an app that nobody owns be the oldest's, with what was said of them, where that has none of its monitor. Whatever
 * is left holds no more, which the next detection finds.
 */
export async function moveAlerts({ db, tenantId, now }: Context, appId: string, merges: readonly AccountMerge[]): Promise<void> {
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
