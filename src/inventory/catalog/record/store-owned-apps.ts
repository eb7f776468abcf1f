/**
 * SQL on the apps that the caller owns: named as an owner in any role, or holding an entitlement that owns the app. Read by the index of owners
 * by person, however many apps there are.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql, maxHolders } from './store-owner-people.ts';

/** The ids of the apps that the caller owns, as an array. */
export function getOwnedAppsSql({ tenantId, actor }: Context): Sql {
  const { userId } = actor;
  if (userId === '') {
    return sql`'{}'::text[]`;
  }
  const candidates = sql`SELECT o.app_id, o.app_id FROM app_owners o WHERE o.tenant_id = ${tenantId} AND o.user_id = ${userId}
    UNION SELECT x.app_id, x.app_id FROM owner_entitlements x
      JOIN accounts_public c ON c.tenant_id = ${tenantId} AND c.app_id = x.owner_app_id AND c.user_id = ${userId} AND c.status <> 'DELETED'
      WHERE x.tenant_id = ${tenantId} AND x.kind = 'app'`;
  return sql`ARRAY(SELECT w.app_id FROM (${getOwnerPeopleSql({ tenantId }, 'app', candidates)}) w WHERE w.user_id = ${userId})`;
}

/** The ids of the apps that the caller owns. */
export function listOwnedAppIds(context: Context): Promise<readonly string[]> {
  return context.db.value<string[]>(sql`SELECT ${getOwnedAppsSql(context)} AS ids`);
}

/**
 * The condition that the caller owns an app: the same as that it is among those of getOwnedAppsSql, for a few apps that are known. Looked up by key, in
 * an order that the planner cannot change: who owns the app, whether the caller is there, and which of the entitlements that own it they hold.
 */
export function getOwnsAppSql({ tenantId, actor }: Context, appId: Sql): Sql {
  const me = actor.userId;
  const holders = sql`SELECT FROM grants_public h WHERE h.tenant_id = ${tenantId} AND h.app_id = x.owner_app_id
    AND h.entitlement_id = x.owner_entitlement_id AND h.removed_revision IS NULL`;
  return sql`CASE WHEN coalesce((SELECT TRUE FROM app_owners o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.user_id = ${me} LIMIT 1),
      (SELECT TRUE FROM owner_entitlements x
       CROSS JOIN LATERAL (SELECT c.id FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.user_id = ${me} AND c.app_id = x.owner_app_id
         AND c.status <> 'DELETED' OFFSET 0) c
       CROSS JOIN LATERAL (${holders} AND h.account_id = c.id OFFSET 0) h
       WHERE x.tenant_id = ${tenantId} AND x.kind = 'app' AND x.app_id = ${appId} AND x.object_id = ${appId}
         AND (SELECT count(*) FROM (${holders} LIMIT ${fixed(String(maxHolders + 1))}) n) <= ${fixed(String(maxHolders))} LIMIT 1))
    THEN (SELECT u.status = 'ENABLED' AND u.user_type = 'HUMAN' FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ${me}) ELSE FALSE END`;
}
