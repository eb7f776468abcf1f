/** SQL of what became of the denied items of a review: each counts once, by its last removal. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { RevocationState } from './record/index.ts';

/** Selects the last removal of each denied item of a review: `state` and `due_at`. A denial that was taken back has none. */
export function getLastRemovalsSql(tenantId: string, reviewId: string | Sql): Sql {
  return sql`SELECT DISTINCT ON (last.certify_task_id) last.state, last.due_at FROM revocations last
    JOIN tasks_public denied ON denied.tenant_id = ${tenantId} AND denied.id = last.certify_task_id AND denied.outcome = 'DECERTIFIED'
    WHERE last.tenant_id = ${tenantId} AND last.review_id = ${reviewId} AND last.certify_task_id <> '' ORDER BY last.certify_task_id, last.id DESC`;
}

/** Counts the denied items of a review by the state of their last removal, and those whose removal is late. */
export function countRemovalStates(
  { db, tenantId, now }: Context,
  reviewId: string,
): Promise<{ state: RevocationState; items: number; late: number }[]> {
  return db.rows(
    sql`SELECT n.state, count(*) AS items, count(*) FILTER (WHERE n.due_at < ${now}) AS late
      FROM (${getLastRemovalsSql(tenantId, reviewId)}) n GROUP BY n.state ORDER BY n.state`,
  );
}
