/** Data other modules may read of sessions and of what signs in: functions and pieces of SQL. */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Returns the condition that a provider signs people of the tenant `t` in; a tenant has few (`auth_configs_pkey`). */
export function getHasProviderSql(): Sql {
  return sql`EXISTS (SELECT FROM auth_configs p WHERE p.tenant_id = t.tenant_id AND p.document ->> 'status' IS DISTINCT FROM 'AUTH_CONFIG_STATUS_DISABLED')`;
}

/** Tests if a provider signs people of the tenant in; a tenant has few (`auth_configs_pkey`). */
export function hasProvider({ db, tenantId }: Context): Promise<boolean> {
  return db.value<boolean>(sql`SELECT ${getHasProviderSql()} AS found FROM (SELECT ${tenantId}::text AS tenant_id) t`);
}

/** Tests if a session is that of a program that somebody signed in from a terminal; `sessions_pkey` answers. */
export async function isProgramSession({ db, tenantId }: Context, id: string): Promise<boolean> {
  return (await db.maybeValue<string>(sql`SELECT s.how FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.id = ${id}`)) === 'DEVICE';
}

/** Holds a session against being ended until the end of the transaction, and says whether it still lives; `sessions_pkey` answers. */
export async function lockLiveSession(context: Context, id: string): Promise<boolean> {
  const row = await context.db.maybe<{ id: string }>(
    `SELECT id FROM sessions WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL FOR SHARE`,
    [context.tenantId, id],
  );
  return row !== undefined;
}
