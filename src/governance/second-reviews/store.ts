/**
 * SQL of blind second reviews: that they are, and the draw of their items (`second_reviews`, `second_review_items`). Reading and answering items is
 * store-items.ts.
 */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { getOwnerPeopleSql } from '../../inventory/catalog/index.ts';

/** State of a second review (`second_reviews.state`). */
export type SecondReviewState = 'OPEN' | 'ENDED';

/** A second review, with how far it is. */
export interface SecondReviewRow {
  readonly reviewId: string;
  readonly state: SecondReviewState;
  readonly seed: string;
  readonly population: number;
  readonly populationDigest: string;
  readonly items: number;
  readonly reviewerIds: readonly string[];
  readonly createdById: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly answered: number;
  readonly disagreements: number;
}

/** The second review of a review that is not deleted. */
export function findSecondReview({ db, tenantId }: Context, reviewId: string): Promise<SecondReviewRow | undefined> {
  return db.maybe<SecondReviewRow>(
    sql`SELECT s.review_id AS "reviewId", s.state, s.seed, s.population, s.population_digest AS "populationDigest", s.items, s.reviewer_ids AS "reviewerIds",
       s.created_by_id AS "createdById", s.created_at AS "createdAt", s.ended_at AS "endedAt", n.answered, n.disagreements
     FROM second_reviews s JOIN reviews_public v ON v.tenant_id = ${tenantId} AND v.id = s.review_id AND v.state <> 'DELETED'
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE i.decision <> '') AS answered, count(*) FILTER (WHERE i.decision <> '' AND i.decision <> i.first_decision) AS disagreements
       FROM second_review_items i WHERE i.tenant_id = ${tenantId} AND i.review_id = s.review_id) n
     WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}`,
  );
}

/** Its state, locked until the transaction ends; undefined where there is none. */
export function lockSecondReview({ db, tenantId }: Context, reviewId: string): Promise<SecondReviewState | undefined> {
  return db.maybeValue<SecondReviewState>(
    sql`SELECT s.state FROM second_reviews s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} FOR UPDATE`,
  );
}

/** Marks it as over. */
export async function updateSecondReviewEnded({ db, tenantId, now }: Context, reviewId: string): Promise<void> {
  await db.run(sql`UPDATE second_reviews SET state = 'ENDED', ended_at = ${now} WHERE tenant_id = ${tenantId} AND review_id = ${reviewId}`);
}

const decided = (
  tenantId: string,
  reviewId: string,
) => sql`tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.end_reason = 'DECIDED'
  AND t.decided_by_id IS NOT NULL AND t.outcome IN ('CERTIFIED', 'DECERTIFIED')`;

/** Returns what items are sorted by in a draw: the SHA-256 of the seed, a slash and the id of the task `t`. */
export const rankSql = (seed: string): Sql => sql`sha256((${seed}::text || '/' || t.id)::bytea)`;

/** Counts the tasks `t` of a FROM clause, and digests which they are, block by block so that no text grows with the review. */
export function digestPopulation({ db }: Context, tasks: Sql): Promise<{ count: number; digest: string }> {
  return db.one(
    sql`SELECT coalesce(sum(b.count), 0)::bigint AS count, encode(sha256(coalesce(string_agg(b.digest, ''::bytea ORDER BY b.block), '')), 'hex') AS digest
      FROM (
        SELECT p.block, count(*) AS count, sha256(string_agg(p.id, E'\n' ORDER BY p.id)::bytea) AS digest
        FROM (SELECT t.id, (row_number() OVER (ORDER BY t.id) - 1) / 1000 AS block FROM ${tasks}) p GROUP BY p.block) b`,
  );
}

/** Counts what people decided in a review, and digests which items that is. */
export function countPopulation(context: Context, reviewId: string): Promise<{ count: number; digest: string }> {
  return digestPopulation(context, decided(context.tenantId, reviewId));
}

/**
 * People who know what was decided about a task: who were asked or did something, in the task or in that of the removal that came of it. By key and by
 * the index of removals by task, for each task.
 */
export function getKnowingSql(tenantId: string, taskId: Sql): Sql {
  const tasks = sql`SELECT ${taskId} UNION ALL
    SELECT v.revoke_task_id FROM revocations_public v WHERE v.tenant_id = ${tenantId} AND v.certify_task_id = ${taskId} AND v.revoke_task_id <> ''`;
  return sql`SELECT x.actor_id FROM task_actions_public x WHERE x.tenant_id = ${tenantId} AND x.task_id IN (${tasks})
    UNION ALL
    SELECT unnest(a.user_ids) FROM assignments_public a WHERE a.tenant_id = ${tenantId} AND a.id IN (
      SELECT w.assignment_id FROM tasks_public w WHERE w.tenant_id = ${tenantId} AND w.id IN (${tasks})
      UNION ALL
      SELECT x.data ->> 'assignmentId' FROM task_actions_public x WHERE x.tenant_id = ${tenantId} AND x.task_id IN (${tasks}))`;
}

/** Adds a second review. */
export async function insertSecondReview(
  { db, tenantId, actor, now }: Context,
  row: Pick<SecondReviewRow, 'reviewId' | 'seed' | 'population' | 'populationDigest' | 'items' | 'reviewerIds'>,
): Promise<void> {
  await db.run(
    sql`INSERT INTO second_reviews (tenant_id, review_id, seed, population, population_digest, items, reviewer_ids, created_by_id, created_at)
     VALUES (${tenantId}, ${row.reviewId}, ${row.seed}, ${row.population}, ${row.populationDigest}, ${row.items}, ${[...row.reviewerIds]}, ${actor.userId}, ${now})`,
  );
}

/** Items drawn, and how many of them nobody is left for. */
export interface Drawn {
  readonly items: number;
  readonly nobody: number;
  readonly digest: string;
}

/**
 * Draws the first `items` of what was decided, sorted by the SHA-256 of the seed, a slash and the task id. Each asks those of the reviewers whose access it
 * is not, who do not know what was decided (getKnowingSql), and who do not own its app, whose owners read what is denied.
 */
export function insertDrawnItems(
  { db, tenantId }: Context,
  { reviewId, seed, items, reviewerIds }: Pick<SecondReviewRow, 'reviewId' | 'seed' | 'items' | 'reviewerIds'>,
): Promise<Drawn> {
  return db.one<Drawn>(
    sql`WITH drawn AS MATERIALIZED (
       SELECT d.*, row_number() OVER (ORDER BY d.rank, d.id) AS place FROM (
         SELECT t.id, t.app_id, t.outcome, t.decided_by_id, t.ended_at, t.user_id, t.assignment_id, ${rankSql(seed)} AS rank
         FROM ${decided(tenantId, reviewId)} ORDER BY rank, t.id LIMIT ${items}) d),
     owners AS MATERIALIZED (${getOwnerPeopleSql({ tenantId }, 'app', sql`SELECT DISTINCT d.app_id, d.app_id FROM drawn d`)}),
     asked AS (
       SELECT d.*, ARRAY(
         SELECT r.id FROM unnest(${[...reviewerIds]}::text[]) AS r (id)
         WHERE r.id IS DISTINCT FROM d.user_id AND r.id <> ALL (ARRAY(
           ${getKnowingSql(tenantId, fixed('d.id'))} UNION ALL SELECT w.user_id FROM owners w WHERE w.app_id = d.app_id)) ORDER BY r.id) AS reviewer_ids
       FROM drawn d),
     added AS (
       INSERT INTO second_review_items (tenant_id, review_id, place, task_id, first_decision, first_decided_by_id, first_decided_at, reviewer_ids)
       SELECT ${tenantId}, ${reviewId}, a.place, a.id, CASE a.outcome WHEN 'CERTIFIED' THEN 'APPROVE' ELSE 'DENY' END, a.decided_by_id, a.ended_at,
         a.reviewer_ids
       FROM asked a RETURNING place, task_id, reviewer_ids)
     SELECT count(*) AS items, count(*) FILTER (WHERE n.reviewer_ids = '{}') AS nobody,
       encode(sha256(coalesce(string_agg(n.task_id, E'\n' ORDER BY n.place), '')::bytea), 'hex') AS digest FROM added n`,
  );
}
