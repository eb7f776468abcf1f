/** SQL that follows entitlements which go on as others. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { getMergesSql, type Merge } from '../ledger/index.ts';

/** Lets the profiles that give younger entitlements of an app, or are seen by whoever holds them, have the oldest in their place. */
export async function moveEntries({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE access_profiles p SET counted_revision = NULL WHERE p.tenant_id = ${tenantId} AND p.id IN (
      SELECT e.profile_id FROM access_profile_entitlements e JOIN (${getMergesSql(merges)}) AS m ON m.from_id = e.entitlement_id
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId})`,
  );
  await db.run(
    sql`WITH gone AS (
        DELETE FROM access_profile_entitlements e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.entitlement_id = m.from_id
        RETURNING e.profile_id, e.part, m.into_id, e.place, e.created_at)
      INSERT INTO access_profile_entitlements (tenant_id, profile_id, part, app_id, entitlement_id, place, created_at)
      SELECT ${tenantId}, g.profile_id, g.part, ${appId}, g.into_id, g.place, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}
