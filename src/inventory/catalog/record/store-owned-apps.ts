/**
 * SQL on the apps that the caller owns: named as an owner in any role, or holding an entitlement that owns the app. Read by the index of owners
 * by person, however many apps there are.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from './store-owner-people.ts';

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
