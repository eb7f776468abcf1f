/** SQL that counts what became of the removals of a review's items. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Counts the denied items of a review by the state of their last removal. */
export function countRemovalStates({ db, tenantId }: Context, reviewId: string): Promise<{ state: string; items: number }[]> {
  return db.rows(
    sql`SELECT n.state, count(*) AS items FROM (
       SELECT DISTINCT ON (r.certify_task_id) r.state FROM revocations r
       JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = r.certify_task_id AND t.outcome = 'DECERTIFIED'
       WHERE r.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND r.certify_task_id <> '' ORDER BY r.certify_task_id, r.id DESC) n
     GROUP BY n.state ORDER BY n.state`,
  );
}
