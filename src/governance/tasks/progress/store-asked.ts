/**
 * SQL that says in which started reviews somebody has or had a task. Which single tasks they see is permit.ts and store-search.ts.
 */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/**
 * Of these reviews, those that were started and in which one of these people is or was asked, or acted. A set of reviewers that no task ever
 * had asks nobody. What comes first is found by index; only for somebody whose sets have no task now are the actions of the review read.
 */
export async function listAskedReviews(
  context: Context,
  reviewIds: readonly string[],
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (reviewIds.length === 0 || userIds.length === 0) {
    return new Set();
  }
  const { tenantId, db } = context;
  return new Set(
    await db.column<string>(
      sql`SELECT b.id FROM task_reviews b
      CROSS JOIN LATERAL (
        SELECT ARRAY(SELECT m.assignment_id FROM task_assignment_members m
          WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds}) AND m.review_id = b.id) AS ids OFFSET 0) mine
      WHERE b.tenant_id = ${tenantId} AND b.id = ANY (${[...new Set(reviewIds)]}) AND b.state IN ('OPEN', 'CLOSING', 'CLOSED') AND (
        EXISTS (SELECT FROM unnest(mine.ids) AS m (id) CROSS JOIN LATERAL (
          SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = m.id LIMIT 1) t)
        OR EXISTS (SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.actor_id = ANY (${userIds}) AND x.kind <> 'COMMENTED'
          AND x.review_id = b.id)
        OR cardinality(mine.ids) > 0 AND EXISTS (
          SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.review_id = b.id AND x.data ->> 'assignmentId' = ANY (mine.ids)))`,
    ),
  );
}
