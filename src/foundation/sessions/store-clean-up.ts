/** SQL of what is left of signing in: sessions that are over, and what may go. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Up to which moments things are over. */
export interface Ages {
  /** Sessions that began before are. */
  readonly createdBefore: Date;
  /** So are those that were used last before. */
  readonly usedBefore: Date;
  /** Time before which what ended may go. */
  readonly endedBefore: Date;
}

/** A session that was ended. */
export interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly boundAt: Date;
  readonly lastUsedAt: Date;
}

/** True if a session is over, or anything may go. */
export function hasLeftOvers(context: Context, ages: Ages): Promise<boolean> {
  const { db, tenantId, now } = context;
  return db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.ended_at IS NULL
          AND (coalesce(s.bound_at, s.created_at) <= ${ages.createdBefore} OR s.last_used_at <= ${ages.usedBefore}))
      OR EXISTS (SELECT FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.ended_at <= ${ages.endedBefore})
      OR EXISTS (SELECT FROM sign_in_links k WHERE k.tenant_id = ${tenantId} AND k.expires_at <= ${ages.endedBefore})
      OR EXISTS (SELECT FROM address_changes m WHERE m.tenant_id = ${tenantId} AND m.changed_at <= ${ages.endedBefore} AND m.told_at IS NOT NULL)
      OR EXISTS (SELECT FROM sign_in_states a WHERE a.tenant_id = ${tenantId} AND a.expires_at <= ${now}) AS due`,
  );
}

/** Ends up to so many sessions that are over. */
export function endStaleSessions(context: Context, ages: Ages, limit: number): Promise<EndedSession[]> {
  const { db, tenantId, now } = context;
  return db.rows<EndedSession>(
    sql`UPDATE sessions SET ended_at = ${now} WHERE tenant_id = ${tenantId} AND ended_at IS NULL AND id IN
        (SELECT s.id FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.ended_at IS NULL
          AND (coalesce(s.bound_at, s.created_at) <= ${ages.createdBefore} OR s.last_used_at <= ${ages.usedBefore}) ORDER BY s.id LIMIT ${limit})
      RETURNING id, user_id AS "userId", coalesce(bound_at, created_at) AS "boundAt", last_used_at AS "lastUsedAt"`,
  );
}

/** Removes up to so many sessions and links of those that may go, and says how many. */
export async function removeLeftOvers(context: Context, ages: Ages, limit: number): Promise<number> {
  const { db, tenantId } = context;
  const sessions = await db.run(
    sql`DELETE FROM sessions WHERE tenant_id = ${tenantId} AND id IN
      (SELECT s.id FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.ended_at <= ${ages.endedBefore} LIMIT ${limit})`,
  );
  const links = await db.run(
    sql`DELETE FROM sign_in_links WHERE tenant_id = ${tenantId} AND id IN
      (SELECT k.id FROM sign_in_links k WHERE k.tenant_id = ${tenantId} AND k.expires_at <= ${ages.endedBefore} LIMIT ${limit})`,
  );
  return sessions + links;
}
