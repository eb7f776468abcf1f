/**
 * SQL that finds reviewers for many subjects at once: task_assignments, task_assignment_members and task_subject_assignments.
 * Which rules apply is resolve-reviewers.ts. Cost: one statement per policy, in proportion to the subjects (people times apps), never to
 * the grants.
 */
import { fixed, listOf, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import type { ReviewerRule } from './resolve-reviewers.ts';

/** People enabled now, by what makes them eligible for every subject alike. */
export interface CommonReviewers {
  readonly reviewOwners: readonly string[];
  readonly administrators: readonly string[];
}

/** The managers of the review and the Super Administrators who are enabled, sorted. No service principal is ever asked. */
export function findCommonReviewers(context: Context, reviewId: string, superAdministratorRoleId: string): Promise<CommonReviewers> {
  return context.db.one<CommonReviewers>(
    `SELECT ARRAY(SELECT u.id FROM task_reviews b JOIN users u ON u.tenant_id = $1 AND u.id = ANY (b.manager_ids)
              WHERE b.tenant_id = $1 AND b.id = $2 AND u.status = 'ENABLED' AND u.user_type = 'HUMAN' ORDER BY u.id) AS "reviewOwners",
       ARRAY(SELECT u.id FROM user_roles r JOIN users u ON u.tenant_id = $1 AND u.id = r.user_id
              WHERE r.tenant_id = $1 AND r.role_id = $3 AND u.status = 'ENABLED' AND u.user_type = 'HUMAN' ORDER BY u.id) AS administrators`,
    [context.tenantId, reviewId, superAdministratorRoleId],
  );
}

/** Those of these users who are enabled people, sorted, each once. */
export async function listEnabledUsers(context: Context, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) {
    return [];
  }
  const rows = await context.db.rows<{ id: string }>(
    `SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2) AND u.status = 'ENABLED' AND u.user_type = 'HUMAN' ORDER BY u.id`,
    [context.tenantId, userIds],
  );
  return rows.map((row) => row.id);
}

/** A rule with the people it names already looked up. */
export interface ResolvedRule extends ReviewerRule {
  readonly enabledIds: readonly string[];
}

/** The SQL array of people that one rule finds for the subject `s`. */
function peopleOf(rule: ResolvedRule): Sql {
  const besides = (people: Sql): Sql => (rule.allowSelf ? people : sql`array_remove(${people}, s.user_id)`);
  switch (rule.reason) {
    case 'MANAGER':
      return besides(sql`CASE WHEN m.id IS NOT NULL THEN ARRAY[m.id] END`);
    case 'APP_OWNERS':
    case 'FALLBACK_APP_OWNERS':
      return besides(sql`o.ids`);
    case 'SELF':
      return sql`CASE WHEN u.status = 'ENABLED' AND u.user_type = 'HUMAN' THEN ARRAY[u.id] END`;
    default:
      return besides(sql`${rule.enabledIds}::text[]`);
  }
}

/** The common part: for each subject the first rule that finds somebody, as (app_id, user_id, rule, ids, assignment_id). */
function chosenSql({ tenantId, now }: Context, reviewId: string, subjects: Sql, rules: readonly ResolvedRule[]): Sql {
  const people = rules.map((rule, index) => sql`coalesce(${peopleOf(rule)}, '{}') AS ${fixed(`p${index}`)}`);
  const pick = (value: (index: number) => string): Sql =>
    fixed(rules.map((_, index) => `WHEN c.p${index} <> '{}' THEN ${value(index)}`).join(' '));
  return sql`subjects AS (${subjects}),
    candidates AS (
      SELECT s.app_id, s.user_id, ${listOf(people)}
      FROM subjects s
      LEFT JOIN users u ON u.tenant_id = ${tenantId} AND u.id = s.user_id
      LEFT JOIN users m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id AND m.status = 'ENABLED' AND m.user_type = 'HUMAN'
      LEFT JOIN (SELECT w.app_id, array_agg(w.user_id ORDER BY w.user_id) AS ids FROM app_owners w
                 JOIN users x ON x.tenant_id = ${tenantId} AND x.id = w.user_id AND x.status = 'ENABLED' AND x.user_type = 'HUMAN'
                 WHERE w.tenant_id = ${tenantId} GROUP BY w.app_id) o ON o.app_id = s.app_id),
    picked AS (
      SELECT c.app_id, c.user_id, CASE ${pick((index) => String(index))} END AS rule, CASE ${pick((index) => `c.p${index}`)} END AS ids
      FROM candidates c),
    chosen AS MATERIALIZED (
      SELECT n.*, CASE WHEN n.rule IS NOT NULL THEN task_assignment_id(${reviewId}, n.reason, n.ids) END AS set_id
      FROM (SELECT p.*, (ARRAY[${fixed(rules.map((rule) => `'${rule.reason}'`).join(', '))}]::text[])[p.rule + 1] AS reason FROM picked p) n),
    sets AS (SELECT DISTINCT c.set_id AS id, c.ids, c.reason, c.rule FROM chosen c WHERE c.rule IS NOT NULL),
    added_sets AS (
      INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, is_fallback, created_at)
      SELECT ${tenantId}, x.id, ${reviewId}, x.ids, x.reason, x.rule > 0, ${now} FROM sets x ON CONFLICT DO NOTHING),
    added_members AS (
      INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id)
      SELECT ${tenantId}, unnest(x.ids), x.id, ${reviewId} FROM sets x ON CONFLICT DO NOTHING)`;
}

/**
 * Finds the reviewers of every subject in the snapshot of a review that a policy applies to, and keeps them in task_subject_assignments.
 * Returns how many subjects there are, how many went to a fallback and how many have nobody.
 */
export async function insertSubjectAssignments(
  context: Context,
  reviewId: string,
  policyId: string,
  rules: readonly ResolvedRule[],
): Promise<{ subjects: number; fallbacks: number; unassigned: number }> {
  const { tenantId } = context;
  const subjects = sql`SELECT DISTINCT a.app_id, coalesce(a.user_id, '') AS user_id FROM review_accounts a
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id IN (
      SELECT e.app_id FROM review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.policy_id = ${policyId})`;
  // The snapshot was made in this very transaction: the planner takes it for empty, and would loop over it.
  await context.db.run('SET LOCAL enable_nestloop = off; SET LOCAL plan_cache_mode = force_custom_plan');
  const counts = await context.db.one<{ subjects: number; fallbacks: number; unassigned: number }>(
    sql`WITH ${chosenSql(context, reviewId, subjects, rules)},
     kept AS (
       INSERT INTO task_subject_assignments (tenant_id, review_id, policy_id, app_id, user_id, assignment_id)
       SELECT ${tenantId}, ${reviewId}, ${policyId}, c.app_id, c.user_id, c.set_id FROM chosen c)
     SELECT count(*) AS subjects, count(*) FILTER (WHERE c.rule > 0) AS fallbacks, count(*) FILTER (WHERE c.rule IS NULL) AS unassigned
     FROM chosen c`,
  );
  await context.db.run('SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL plan_cache_mode TO DEFAULT');
  return counts;
}

/** Finds the reviewers of one subject; the id of the set, or null where nobody was found. */
export async function insertSubjectAssignment(
  context: Context,
  reviewId: string,
  subject: { appId: string; userId: string },
  rules: readonly ResolvedRule[],
): Promise<{ assignmentId: string | null; reason: string | null; isFallback: boolean }> {
  const subjects = sql`SELECT ${subject.appId}::text AS app_id, ${subject.userId}::text AS user_id`;
  return context.db.one(
    sql`WITH ${chosenSql(context, reviewId, subjects, rules)}
     SELECT c.set_id AS "assignmentId", c.reason,
       coalesce(c.rule > 0, false) AS "isFallback" FROM chosen c`,
  );
}

/** The set of exactly these people for this reason in a review, made where it is missing; people are sorted and counted once. */
export async function insertAssignment(
  context: Context,
  reviewId: string,
  userIds: readonly string[],
  reason: string,
  isFallback: boolean,
): Promise<string> {
  const { id } = await context.db.one<{ id: string }>(
    `WITH wanted AS (SELECT task_assignment_id($2, $3, $4::text[]) AS id),
     added AS (
       INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, is_fallback, created_at)
       SELECT $1, w.id, $2, $4, $3, $5, $6 FROM wanted w ON CONFLICT DO NOTHING),
     members AS (
       INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id)
       SELECT $1, unnest($4::text[]), w.id, $2 FROM wanted w ON CONFLICT DO NOTHING)
     SELECT w.id FROM wanted w`,
    [context.tenantId, reviewId, reason, [...new Set(userIds)].sort(), isFallback, context.now],
  );
  return id;
}
