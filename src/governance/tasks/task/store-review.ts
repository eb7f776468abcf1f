/** Join of tasks to their review, which a later module keeps: everybody here joins it in these words. */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { taskSlot } from './slots.ts';

/** Joins the review `r` with this id, by its primary key; nothing for the batch of a removal. */
export function getReviewJoinSql(tenantId: string, reviewId: Sql): Sql {
  return sql`LEFT JOIN ${fixed(taskSlot.get().reviews)} r ON r.tenant_id = ${tenantId} AND r.id = ${reviewId}`;
}
