/**
 * SQL of who may decide what they are asked, for themselves or in somebody's place: the rule of permit.ts (`refuseDecider`) for many tasks at once. Mails,
 * the queue and every count are worked out with it.
 */
import { getDelegatesSql, getMergedSql } from '../../../foundation/directory/index.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Actor } from '../../../context.ts';
import { peopleBehind } from '../../../foundation/authority/index.ts';

/** Selects the approval that a row with `review_id`, `route_no` and `step` stands in. */
const getApproval = (
  tenantId: string,
  row: Sql,
): Sql => sql`(SELECT p.document -> 'policySteps' -> 'certify' -> 'steps' -> ${row}.step::int -> 'approval'
  FROM review_routes p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${row}.review_id AND p.route_no = ${row}.route_no)`;

const allowsDelegation = (approval: Sql): Sql => sql`coalesce(${approval} ->> 'allowDelegation' = 'true', FALSE)`;
const allowsSelf = (approval: Sql): Sql =>
  sql`coalesce(jsonb_typeof(${approval} -> 'self') = 'object' OR jsonb_path_exists(${approval}, '$.*.allowSelfApproval ? (@ == true)'), FALSE)`;

/** Returns the condition that task `t` is about the actor's own access, or that of somebody they act for. */
export const getIsOwnAccessSql = (actor: Actor): Sql => sql`coalesce(t.user_id = ANY (${[...peopleBehind(actor)]}::text[]), FALSE)`;

/**
 * Returns the condition that the actor may decide task `t`, which asks them (`isOwn`) or somebody in whose place they decide: in such a place never their
 * own access, nor where the step lets no delegate decide (`delegable`, where that is known). What a step allows is looked up where it matters alone.
 */
export function getMayDecideSql(
  tenantId: string,
  actor: Actor,
  isOwn: Sql,
  delegable: Sql = allowsDelegation(getApproval(tenantId, sql`t`)),
): Sql {
  return sql`CASE WHEN ${getIsOwnAccessSql(actor)} THEN ${isOwn} AND t.user_id = ${actor.userId} AND ${allowsSelf(getApproval(tenantId, sql`t`))}
    ELSE ${isOwn} OR ${delegable} END`;
}

/** Open tasks that are looked at: conditions on their reviewer sets `s` and on themselves, `t`; and what they are counted by beside their review. */
interface AskedTasks {
  readonly sets: Sql;
  readonly tasks: Sql;
  readonly key?: Sql;
}

/**
 * Selects who is to decide open tasks, each task once for each person: `review_id`, `key`, `person_id`, in whose place (`on_behalf_id`, empty for their
 * own), everybody through whom the tasks reach them (`asked_ids`), and how many they are (`tasks`). Each reviewer stands at the beginning of a chain
 * of delegates; the last in it who is enabled and may decide the task does. Reads the sets, their people, and the tasks of the sets once.
 */
export function getDecidersSql(tenantId: string, now: Date, { sets, tasks, key = sql`''` }: AskedTasks): Sql {
  return sql`WITH members AS MATERIALIZED (
      SELECT s.id AS assignment_id, m.user_id FROM task_assignments s
      JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
      WHERE s.tenant_id = ${tenantId} AND ${sets}),
    chain AS MATERIALIZED (
      SELECT a.user_id AS asked_id, c.person_id, c.depth, u.status = 'ENABLED' AS is_there,
        c.person_id || ${getMergedSql(sql`${tenantId}`, sql`c.person_id`)} AS own_ids
      FROM (SELECT DISTINCT m.user_id FROM members m) a
      CROSS JOIN LATERAL ${getDelegatesSql(sql`${tenantId}`, sql`a.user_id`, now)} c
      JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = c.person_id),
    reach AS MATERIALIZED (
      SELECT m.assignment_id, array_agg(DISTINCT m.user_id) AS member_ids, array_agg(DISTINCT o.id) AS own_ids
      FROM members m JOIN chain c ON c.asked_id = m.user_id CROSS JOIN LATERAL unnest(c.own_ids) AS o (id) GROUP BY m.assignment_id),
    counted AS MATERIALIZED (
      SELECT row_number() OVER () AS no, g.* FROM (
        SELECT t.review_id, t.assignment_id, t.route_no, t.step, ${key} AS key, CASE WHEN t.user_id = ANY (r.own_ids) THEN t.user_id END AS subject_id,
          count(*) AS tasks
        FROM reach r JOIN tasks t ON t.tenant_id = ${tenantId} AND t.assignment_id = r.assignment_id AND t.state = 'OPEN'
        WHERE ${tasks} GROUP BY 1, 2, 3, 4, 5, 6) g),
    steps AS MATERIALIZED (
      SELECT k.*, ${allowsDelegation(sql`x.approval`)} AS delegable, ${allowsSelf(sql`x.approval`)} AS allows_self
      FROM (SELECT DISTINCT c.review_id, c.route_no, c.step FROM counted c) k CROSS JOIN LATERAL (SELECT ${getApproval(tenantId, sql`k`)} AS approval) x),
    held AS (
      SELECT DISTINCT ON (k.no, c.asked_id) k.no, c.asked_id, c.person_id, c.depth
      FROM counted k JOIN steps p ON p.review_id = k.review_id AND p.route_no = k.route_no AND p.step = k.step
      JOIN reach r ON r.assignment_id = k.assignment_id
      JOIN members m ON m.assignment_id = k.assignment_id
      JOIN chain c ON c.asked_id = m.user_id
      WHERE c.is_there AND (c.depth = 0 OR p.delegable)
        AND (k.subject_id IS NULL OR NOT k.subject_id = ANY (c.own_ids)
          OR k.subject_id = c.person_id AND p.allows_self AND c.person_id = ANY (r.member_ids))
      ORDER BY k.no, c.asked_id, c.depth DESC)
    SELECT k.review_id, k.key, h.person_id, CASE WHEN min(h.depth) = 0 THEN '' ELSE (array_agg(h.asked_id ORDER BY h.depth, h.asked_id))[1] END AS on_behalf_id,
      array_agg(h.asked_id) AS asked_ids, k.tasks
    FROM held h JOIN counted k ON k.no = h.no GROUP BY k.no, k.review_id, k.key, k.tasks, h.person_id`;
}
