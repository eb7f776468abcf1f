/** SQL of what a person is asked in open reviews and removals, of whom another is to take over. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Lets another person manage the open batches that a person manages. */
export async function moveManaged({ db, tenantId, now }: Context, fromId: string, intoId: string): Promise<void> {
  await db.run(
    sql`UPDATE task_reviews b SET manager_ids = ARRAY(SELECT DISTINCT x.id FROM unnest(array_replace(b.manager_ids, ${fromId}, ${intoId})) AS x (id)
        ORDER BY x.id), updated_at = ${now}
      WHERE b.tenant_id = ${tenantId} AND b.state IN ('HIDDEN', 'OPEN') AND ${fromId} = ANY (b.manager_ids)`,
  );
}

/** Counts the open tasks that a person is asked. */
export function countOpenTasks({ db, tenantId }: Context, userId: string): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) AS count FROM task_assignment_members m
      JOIN tasks t ON t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.state = 'OPEN'
      JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state IN ('HIDDEN', 'OPEN')
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId}`,
  );
}
