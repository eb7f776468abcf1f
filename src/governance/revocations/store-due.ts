/** SQL on removals that take too long: which are due, and when the next one will be. */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { type Piece, told } from './store-request.ts';
import { deadlineDays, openStates } from './record/index.ts';

/** Number of times it was said before: not yet, or to whoever removes it. */
export type Told = 0 | 1;

const escalation = `${deadlineDays.escalation} days`;

/** Counts that the next removals are overdue that are due since then, or for some days more where that was said once. */
export function updateOverdue(context: Context, before: Told, limit: number): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations u SET overdue_count = ${before + 1}, updated_at = ${now}
       FROM (SELECT r.id FROM revocations r WHERE r.tenant_id = ${tenantId} AND r.state = ANY (${openStates}) AND r.overdue_count = ${before}
         AND r.due_at <= ${now}::timestamptz - CASE WHEN ${before} = 0 THEN interval '0' ELSE ${escalation}::interval END
         ORDER BY r.due_at, r.id LIMIT ${limit} FOR UPDATE) n
       WHERE u.tenant_id = ${tenantId} AND u.id = n.id RETURNING u.id)
     ${told}`,
  );
}

/** Finds when the next removal is overdue that is not yet; undefined where none will be. */
export async function findNextDue(context: Context): Promise<Date | undefined> {
  const found = await context.db.maybeValue<Date | null>(
    sql`SELECT min(r.due_at + CASE WHEN r.overdue_count = 0 THEN interval '0' ELSE ${escalation}::interval END) AS at FROM revocations r
      WHERE r.tenant_id = ${context.tenantId} AND r.due_at IS NOT NULL AND r.overdue_count < 2 AND r.state = ANY (${openStates})`,
  );
  return found ?? undefined;
}
