/**
 * SQL of what happens to tasks by itself: which are due, and when the next one is.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** A task whose moment has come. */
export interface DueTask {
  readonly id: string;
  readonly reviewId: string;
}

const inOpenReview = (tenantId: string): Sql => sql`t.tenant_id = ${tenantId} AND t.next_at IS NOT NULL AND t.state = 'OPEN' AND EXISTS (
  SELECT FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state = 'OPEN')`;

/** Open tasks of open reviews whose moment has come, those that wait longest first. */
export function listDueTasks({ db, tenantId, now }: Context, limit: number): Promise<DueTask[]> {
  return db.rows<DueTask>(
    sql`SELECT t.id, t.review_id AS "reviewId" FROM tasks t WHERE ${inOpenReview(tenantId)} AND t.next_at <= ${now}
      ORDER BY t.next_at, t.id LIMIT ${limit}`,
  );
}

/** Finds the next moment of an open task of an open review. */
export function findNextTaskMoment({ db, tenantId }: Context): Promise<Date | undefined> {
  return db.maybeValue<Date>(sql`SELECT t.next_at AS at FROM tasks t WHERE ${inOpenReview(tenantId)} ORDER BY t.next_at LIMIT 1`);
}

/** Sets when something happens next to locked tasks, by their ids. */
export async function updateNextMoments({ db, tenantId }: Context, moments: ReadonlyMap<string, Date | null>): Promise<void> {
  if (moments.size > 0) {
    await db.run(sql`UPDATE tasks t SET next_at = n.next_at
      FROM unnest(${[...moments.keys()]}::text[], ${[...moments.values()]}::timestamptz[]) AS n (id, next_at)
      WHERE t.tenant_id = ${tenantId} AND t.id = n.id`);
  }
}
