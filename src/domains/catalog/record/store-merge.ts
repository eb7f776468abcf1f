/** SQL that gives the owners of accounts that go on as others to those. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { type AccountMerge, getMergesSql } from '../../ledger/index.ts';

/** Makes whoever owns the younger accounts of an app owners of the oldest, behind those whom it has. */
export async function moveAccountOwners({ db, tenantId }: Context, appId: string, merges: readonly AccountMerge[]): Promise<void> {
  await db.run(
    sql`WITH gone AS (
        DELETE FROM account_owners o USING (${getMergesSql(merges)}) AS m WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.account_id = m.from_id
        RETURNING m.into_id, o.role_slug, o.user_id, o.place, o.created_at)
      INSERT INTO account_owners (tenant_id, app_id, account_id, role_slug, user_id, place, created_at)
      SELECT ${tenantId}, ${appId}, g.into_id, g.role_slug, g.user_id, g.place, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
  await db.run(
    sql`WITH gone AS (
        DELETE FROM owner_entitlements o USING (${getMergesSql(merges)}) AS m
        WHERE o.tenant_id = ${tenantId} AND o.kind = 'account' AND o.app_id = ${appId} AND o.object_id = m.from_id
        RETURNING m.into_id, o.role_slug, o.owner_app_id, o.owner_entitlement_id, o.place, o.created_at)
      INSERT INTO owner_entitlements (tenant_id, kind, app_id, object_id, role_slug, owner_app_id, owner_entitlement_id, place, created_at)
      SELECT ${tenantId}, 'account', ${appId}, g.into_id, g.role_slug, g.owner_app_id, g.owner_entitlement_id, g.place, g.created_at
      FROM gone g ON CONFLICT DO NOTHING`,
  );
}
