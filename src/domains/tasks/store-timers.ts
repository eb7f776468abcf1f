/**
 * SQL of what happens to tasks by itself: which are due, when the next one is, and putting the tasks of a review that begins on their first steps.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import type { BulkResult } from './store-bulk.ts';
import type { ActionData } from './task.ts';

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

/** When the next moment of an open task of an open review is. */
export async function findNextTaskMoment({ db, tenantId }: Context): Promise<Date | undefined> {
  const row = await db.maybe<{ at: Date }>(
    sql`SELECT t.next_at AS at FROM tasks t WHERE ${inOpenReview(tenantId)} ORDER BY t.next_at LIMIT 1`,
  );
  return row?.at;
}

/** Sets when something happens next to locked tasks, by their ids. */
export async function updateNextMoments({ db, tenantId }: Context, moments: ReadonlyMap<string, Date | null>): Promise<void> {
  if (moments.size > 0) {
    await db.run(sql`UPDATE tasks t SET next_at = n.next_at
      FROM unnest(${[...moments.keys()]}::text[], ${[...moments.values()]}::timestamptz[]) AS n (id, next_at)
      WHERE t.tenant_id = ${tenantId} AND t.id = n.id`);
  }
}

/** The next tasks of a hidden batch behind an id that are on one of these routes, at their first step. */
const nextOf = (tenantId: string, reviewId: string, routes: readonly number[], after: string, limit: number): Sql =>
  sql`SELECT t.id, t.route_no FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id > ${after} AND t.state = 'OPEN'
    AND t.step = 0 AND t.route_no = ANY (${routes}::int[]) ORDER BY t.id LIMIT ${limit} FOR UPDATE`;

/** What a piece did, and behind which task the next one goes on; `last` is null when nothing was left. */
export type PieceResult = BulkResult & { readonly last: string | null };

/** Ends the next tasks of a hidden batch that begin with a step that decides by itself, with that in their history. */
export function endByFirstStep(
  { db, tenantId, now }: Context,
  reviewId: string,
  routes: readonly number[],
  end: { readonly outcome: 'CERTIFIED' | 'DECERTIFIED'; readonly message: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<PieceResult> {
  const data: ActionData = { reason: 'POLICY', outcome: end.outcome, message: end.message };
  return db.one<PieceResult>(
    sql`WITH next AS MATERIALIZED (${nextOf(tenantId, reviewId, routes, after, limit)}),
     ended AS (
       UPDATE tasks t SET state = 'CLOSED', outcome = ${end.outcome}, end_reason = 'DECIDED', ended_at = ${now}, updated_at = ${now}
       FROM next n WHERE t.tenant_id = ${tenantId} AND t.id = n.id RETURNING t.id, t.step_generation),
     noted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, data, created_at)
       SELECT ${tenantId}, e.id, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY e.id)), ${reviewId}, 'ENDED', 0, e.step_generation,
         ${JSON.stringify(data)}::jsonb, ${now} FROM ended e)
     SELECT (SELECT count(*) FROM ended) AS count, (SELECT max(n.id) FROM next n) AS last,
       (SELECT encode(sha256(coalesce(string_agg(e.id, ',' ORDER BY e.id), '')::bytea), 'hex') FROM ended e) AS digest`,
  );
}

/** Gives the next tasks of a hidden batch on these routes their moment: `seconds` from now. */
export function setFirstMoments(
  { db, tenantId, now }: Context,
  reviewId: string,
  routes: readonly number[],
  seconds: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<PieceResult> {
  return db.one<PieceResult>(
    sql`WITH next AS MATERIALIZED (${nextOf(tenantId, reviewId, routes, after, limit)}),
     moved AS (
       UPDATE tasks t SET entered_at = ${now}, next_at = ${new Date(now.getTime() + seconds * 1000)}
       FROM next n WHERE t.tenant_id = ${tenantId} AND t.id = n.id RETURNING t.id)
     SELECT (SELECT count(*) FROM moved) AS count, '' AS digest, (SELECT max(n.id) FROM next n) AS last`,
  );
}
