/** SQL that gives the owners of what goes on as something else to that. */
import type { Context } from '../../../context.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import { getMergesSql, type Merge } from '../../ledger/index.ts';

/** Makes whoever owns the younger accounts of an app owners of the oldest, behind those whom it has. */
export async function moveAccountOwners({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
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

/**
 * Makes whoever owns the younger of an app's entitlements or resources owners of the oldest, behind those whom it has. They stay owners of what is gone
 * as well, as of all that is deleted: tasks of reviews that run ask about that, and their steps look for its owners.
 */
export async function copyOwners(
  { db, tenantId }: Context,
  kind: 'entitlement' | 'resource',
  appId: string,
  merges: readonly Merge[],
): Promise<void> {
  const [table, id] = [fixed(`${kind}_owners`), fixed(`${kind}_id`)];
  await db.run(
    sql`INSERT INTO ${table} (tenant_id, app_id, ${id}, role_slug, user_id, place, created_at)
      SELECT ${tenantId}, ${appId}, m.into_id, o.role_slug, o.user_id, min(o.place), min(o.created_at) FROM (${getMergesSql(merges)}) AS m
      JOIN ${table} o ON o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.${id} = m.from_id
      GROUP BY m.into_id, o.role_slug, o.user_id ON CONFLICT DO NOTHING`,
  );
  await db.run(
    sql`INSERT INTO owner_entitlements (tenant_id, kind, app_id, object_id, role_slug, owner_app_id, owner_entitlement_id, place, created_at)
      SELECT ${tenantId}, ${kind}, ${appId}, m.into_id, o.role_slug, o.owner_app_id, o.owner_entitlement_id, min(o.place), min(o.created_at)
      FROM (${getMergesSql(merges)}) AS m
      JOIN owner_entitlements o ON o.tenant_id = ${tenantId} AND o.kind = ${kind} AND o.app_id = ${appId} AND o.object_id = m.from_id
      GROUP BY m.into_id, o.role_slug, o.owner_app_id, o.owner_entitlement_id ON CONFLICT DO NOTHING`,
  );
}

/** Lets what the younger entitlements of an app own, whatever it is, be owned by the oldest: who holds that holds it by it alone from now on. */
export async function moveOwningEntitlements({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`WITH gone AS (
        DELETE FROM owner_entitlements o USING (${getMergesSql(merges)}) AS m
        WHERE o.tenant_id = ${tenantId} AND o.owner_app_id = ${appId} AND o.owner_entitlement_id = m.from_id
        RETURNING m.into_id, o.kind, o.app_id, o.object_id, o.role_slug, o.place, o.created_at)
      INSERT INTO owner_entitlements (tenant_id, kind, app_id, object_id, role_slug, owner_app_id, owner_entitlement_id, place, created_at)
      SELECT ${tenantId}, g.kind, g.app_id, g.object_id, g.role_slug, ${appId}, g.into_id, g.place, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}
