/** SQL that puts the tasks of a review that begins on their first steps: ending those that a step decides, and giving those that wait their moment. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { type ActionData, type ActionLine, nobody } from '../task/index.ts';
import type { BulkResult } from './store-bulk.ts';

/** The next tasks of a hidden batch behind an id that are on one of these routes, at their first step. */
const nextOf = (tenantId: string, reviewId: string, routes: readonly number[], after: string, limit: number): Sql =>
  sql`SELECT t.id, t.route_no FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id > ${after} AND t.state = 'OPEN'
    AND t.step = 0 AND t.route_no = ANY (${routes}::int[]) ORDER BY t.id LIMIT ${limit} FOR UPDATE`;

/** The count and digest of a piece, and behind which task the next one goes on; `last` is null when nothing was left. */
export type PieceResult = BulkResult & { readonly last: string | null };

/** A piece of tasks that were ended, with the actions that say so. */
export type EndedPiece = PieceResult & { readonly actions: readonly ActionLine[] };

/** Ends the next tasks of a hidden batch that begin with a step that decides by itself, with that in their history. */
export async function endByFirstStep(
  { db, tenantId, now }: Context,
  reviewId: string,
  eventId: string,
  routes: readonly number[],
  end: { readonly outcome: 'CERTIFIED' | 'DECERTIFIED'; readonly message: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<EndedPiece> {
  const data: ActionData = { reason: 'POLICY', outcome: end.outcome, message: end.message };
  const { noted, ...piece } = await db.one<PieceResult & { noted: readonly { id: string; taskId: string; stepGeneration: number }[] }>(
    sql`WITH next AS MATERIALIZED (${nextOf(tenantId, reviewId, routes, after, limit)}),
     ended AS (
       UPDATE tasks t SET state = 'CLOSED', outcome = ${end.outcome}, end_reason = 'DECIDED', ended_at = ${now}, updated_at = ${now}
       FROM next n WHERE t.tenant_id = ${tenantId} AND t.id = n.id RETURNING t.id, t.step_generation),
     noted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, data, created_at, event_id)
       SELECT ${tenantId}, e.id, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY e.id)), ${reviewId}, 'ENDED', 0, e.step_generation,
         ${JSON.stringify(data)}::jsonb, ${now}, ${eventId} FROM ended e
       RETURNING id, task_id, step_generation)
     SELECT (SELECT count(*) FROM ended) AS count, (SELECT max(n.id) FROM next n) AS last,
       (SELECT encode(sha256(coalesce(string_agg(e.id, ',' ORDER BY e.id), '')::bytea), 'hex') FROM ended e) AS digest,
       (SELECT coalesce(json_agg(json_build_object('id', n.id, 'taskId', n.task_id, 'stepGeneration', n.step_generation)), '[]') FROM noted n) AS noted`,
  );
  const same = { reviewId, kind: 'ENDED', step: 0, comment: '', data, submissionId: '', createdAt: now } as const;
  return { ...piece, actions: noted.map((row) => ({ ...same, ...row, ...nobody })) };
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
