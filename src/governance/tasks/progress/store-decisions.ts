/**
 * SQL about the decisions of a review as a whole: what they come to, who made any, and who has something open. How single tasks stand is in
 * store.ts.
 */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** Actions that change nothing about what was decided. */
const undeciding = ['COMMENTED', 'REASSIGNED', 'HANDED_OVER', 'REMINDED', 'ENDED'];

/**
 * A digest, in hex, of every decision, restart and amendment of these reviews in the order of their ids: another one once anything of that kind
 * was added. Hashed block by block of ids, so that no text grows with the review. A review without any has the digest of nothing.
 */
export async function listDecisionDigests(context: Context, reviewIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (reviewIds.length === 0) {
    return new Map();
  }
  const { tenantId } = context;
  const rows = await context.db.rows<{ reviewId: string; digest: string }>(
    sql`SELECT r.id AS "reviewId", encode(sha256(coalesce(d.blocks, '')), 'hex') AS digest FROM unnest(${[...reviewIds]}::text[]) AS r (id)
      CROSS JOIN LATERAL (
        SELECT string_agg(b.digest, ''::bytea ORDER BY b.block) AS blocks FROM (
          SELECT left(x.id, 24) AS block,
            sha256(string_agg(concat_ws('|', x.id, x.task_id, x.kind, x.actor_id, x.data ->> 'outcome'), E'\n' ORDER BY x.id, x.task_id)::bytea) AS digest
          FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.review_id = r.id AND x.kind <> ALL (${undeciding}) GROUP BY left(x.id, 24)) b) d`,
  );
  return new Map(rows.map((row) => [row.reviewId, row.digest]));
}

/** Those of these reviews in which one of these people decided anything, themselves or by what they issued to somebody else. */
export async function listDecidedReviews(
  context: Context,
  reviewIds: readonly string[],
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (reviewIds.length === 0) {
    return new Set();
  }
  const { tenantId } = context;
  return new Set(
    await context.db.column<string>(
      sql`SELECT r.id FROM unnest(${[...reviewIds]}::text[]) AS r (id) WHERE EXISTS (
        SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.actor_id = ANY (${[...userIds]}::text[]) AND x.actor_id <> ''
          AND x.kind <> 'COMMENTED' AND x.kind <> ALL (${undeciding}) AND x.review_id = r.id)
      OR EXISTS (
        SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.issuer_id = ANY (${[...userIds]}::text[]) AND x.issuer_id <> ''
          AND x.kind <> 'COMMENTED' AND x.kind <> ALL (${undeciding}) AND x.review_id = r.id)`,
    ),
  );
}

/** Lists the people asked by open tasks of a review. */
export function listAskedPeople({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT DISTINCT m.user_id AS id FROM (
        SELECT DISTINCT t.assignment_id AS id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.state = 'OPEN') s
      JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id`,
  );
}

/** Counts the people asked by open tasks of a review, and such tasks; of these people alone, where some are named. */
export function countAsked(context: Context, reviewId: string, userIds?: readonly string[]): Promise<{ people: number; tasks: number }> {
  const { tenantId } = context;
  const isNamed = userIds === undefined ? sql`TRUE` : sql`p.id = ANY (${[...userIds]}::text[])`;
  const asksNamed =
    userIds === undefined
      ? sql`TRUE`
      : sql`t.assignment_id IN (SELECT m.assignment_id FROM task_assignment_members m
          WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${[...userIds]}::text[]) AND m.review_id = ${reviewId})`;
  return context.db.one(
    sql`WITH sets AS (
        SELECT t.assignment_id AS id, count(*) AS tasks FROM tasks t
        WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.state = 'OPEN' AND ${asksNamed} GROUP BY t.assignment_id)
      SELECT (SELECT coalesce(sum(s.tasks), 0)::bigint FROM sets s) AS tasks,
        (SELECT count(DISTINCT p.id) FROM sets s JOIN task_assignments a ON a.tenant_id = ${tenantId} AND a.id = s.id, unnest(a.user_ids) AS p (id)
          WHERE ${isNamed}) AS people`,
  );
}

/** Waits for those who change tasks of a review, and keeps others from it until the transaction ends. The caller has locked the review, and no tasks. */
export async function lockTaskChanges(context: Context, reviewId: string): Promise<void> {
  await context.db.rows(sql`SELECT stop_task_changes(${context.tenantId}, ${reviewId})`);
}
