/**
 * SQL that reads how far the tasks of a review are, from counters and what has changed since they were folded; and that folds. It grows with the
 * reviewer sets, apps, departments and days of a review, never with its tasks. Triggers fill both tables (0017_progress.sql).
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getReviewJoinSql, taskSlot } from '../task/index.ts';

/** Tasks by how they stand; each counts once. */
export interface TaskCounts {
  readonly total: number;
  /** Still open. */
  readonly undecided: number;
  readonly certified: number;
  readonly revoked: number;
  readonly cancelled: number;
  readonly withoutOutcome: number;
  /** Of certified and revoked: those that a person of this review decided. */
  readonly byPeople: number;
  /** Of these: denied. The others are certified. */
  readonly deniedByPeople: number;
  /** Of certified and revoked: those that a policy decided. */
  readonly byPolicy: number;
  /** Of certified and revoked: decisions of an earlier review that still hold. */
  readonly carried: number;
  /** Of cancelled: those that the close skipped. The others ended because their access was gone, or by a person. */
  readonly skipped: number;
}

/** Of revoked: those that nobody decided, so that the close revoked them. */
export function countRevokedAtClose({ certified, revoked, byPeople, byPolicy, carried }: TaskCounts): number {
  return certified + revoked - byPeople - byPolicy - carried;
}

/** Things counted apart: the reviewer set that is asked, the app, the department of the person, the day, who acted (`task_progress.dimension`). */
export type Dimension = 'ASSIGNMENT' | 'APP' | 'DEPARTMENT' | 'DAY' | 'ACTOR';

const countColumns = fixed(`coalesce(sum(c.total), 0)::bigint AS total, coalesce(sum(c.open), 0)::bigint AS undecided,
  coalesce(sum(c.certified), 0)::bigint AS certified, coalesce(sum(c.revoked), 0)::bigint AS revoked,
  coalesce(sum(c.cancelled), 0)::bigint AS cancelled, coalesce(sum(c.without_outcome), 0)::bigint AS "withoutOutcome",
  coalesce(sum(c.by_people), 0)::bigint AS "byPeople", coalesce(sum(c.denied_by_people), 0)::bigint AS "deniedByPeople", coalesce(sum(c.by_policy), 0)::bigint AS "byPolicy",
  coalesce(sum(c.carried), 0)::bigint AS carried, coalesce(sum(c.skipped), 0)::bigint AS skipped`);

const changeColumns: Readonly<Record<Exclude<Dimension, 'ACTOR'>, string>> = {
  ASSIGNMENT: 'n.assignment_id',
  APP: 'n.app_id',
  DEPARTMENT: 'n.department',
  DAY: 'n.day::text',
};

/** The counters of a review in one dimension and the changes beside them, as rows `c`: several for one key. */
function countersOf({ tenantId }: Context, reviewId: string | Sql, dimension: keyof typeof changeColumns): Sql {
  return sql`(SELECT p.key, p.total, p.open, p.certified, p.revoked, p.cancelled, p.without_outcome,
        p.by_people, p.denied_by_people, p.by_policy, p.carried, p.skipped FROM task_progress p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.dimension = ${dimension}
    UNION ALL
    SELECT ${fixed(changeColumns[dimension])}, n.total, n.open, n.certified, n.revoked, n.cancelled, n.without_outcome,
        n.by_people, n.denied_by_people, n.by_policy, n.carried, n.skipped FROM task_progress_changes n
      WHERE n.tenant_id = ${tenantId} AND n.review_id = ${reviewId} AND n.actor_id = '') c`;
}

/** Actions of those who acted in a review, as rows `d`: one for each. */
function actionsOf({ tenantId }: Context, reviewId: string): Sql {
  return sql`(SELECT x.user_id, sum(x.approvals)::bigint AS approvals, sum(x.denials)::bigint AS denials, max(x.last_at) AS last_at FROM (
      SELECT p.key AS user_id, p.approvals, p.denials, p.last_at FROM task_progress p
        WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.dimension = 'ACTOR'
      UNION ALL
      SELECT n.actor_id, n.approvals, n.denials, n.acted_at FROM task_progress_changes n
        WHERE n.tenant_id = ${tenantId} AND n.review_id = ${reviewId} AND n.actor_id <> '') x GROUP BY x.user_id) d`;
}

/** Selects the TaskCounts of a review, in one row: for lists that show them beside it. */
export function getOutcomesSql(context: Context, reviewId: string | Sql): Sql {
  return sql`SELECT ${countColumns} FROM ${countersOf(context, reviewId, 'APP')}`;
}

/** Selects, by the reviewer sets of a review, how many tasks ask each (`key`, empty for nobody): `total`, `open`, `decided` by people and `denied` of these. */
export function getAskedSql(context: Context, reviewId: string | Sql): Sql {
  return sql`SELECT c.key, sum(c.total)::bigint AS total, sum(c.open)::bigint AS open, sum(c.by_people)::bigint AS decided,
    sum(c.denied_by_people)::bigint AS denied FROM ${countersOf(context, reviewId, 'ASSIGNMENT')} GROUP BY c.key HAVING sum(c.total) <> 0`;
}

/** Counts a review's tasks by outcome. */
export function countOutcomes(context: Context, reviewId: string): Promise<TaskCounts> {
  return context.db.one(getOutcomesSql(context, reviewId));
}

/** Open tasks of a review that ask nobody. */
export function countUnassigned(context: Context, reviewId: string): Promise<number> {
  return context.db.value<number>(
    sql`SELECT coalesce(sum(s.open), 0)::bigint AS open FROM (${getAskedSql(context, reviewId)}) s WHERE s.key = ''`,
  );
}

/** Changes in a review on one day (UTC, YYYY-MM-DD): how many tasks more there are, and how many more stand so. */
export type DayCounts = TaskCounts & { readonly day: string };

/** The days on which something changed, oldest first. One row a day, so at most as many as the review is old. */
export function listDays(context: Context, reviewId: string): Promise<DayCounts[]> {
  return context.db.rows(
    sql`SELECT c.key AS day, ${countColumns} FROM ${countersOf(context, reviewId, 'DAY')} GROUP BY c.key ORDER BY c.key COLLATE "C"`,
  );
}

/** Behind which row of a list by open tasks, most first, the next one is. */
export interface OpenKey {
  readonly undecided: number;
  readonly key: string;
}

const nothingBefore: OpenKey = { undecided: Number.MAX_SAFE_INTEGER, key: '' };

/** The tasks of one app or department. */
export type KeyCounts = TaskCounts & { readonly key: string; readonly displayName: string };

/** A page of the apps of a review, or of the departments of the people in it, those with most open tasks first. */
export function listCounts(
  context: Context,
  reviewId: string,
  dimension: 'APP' | 'DEPARTMENT',
  after: OpenKey | undefined,
  limit: number,
): Promise<KeyCounts[]> {
  const { undecided, key } = after ?? nothingBefore;
  const name =
    dimension === 'APP'
      ? sql`coalesce((SELECT p.display_name FROM apps_public p WHERE p.tenant_id = ${context.tenantId} AND p.id = k.key), '')`
      : sql`k.key`;
  return context.db.rows(
    sql`SELECT k.*, ${name} AS "displayName" FROM (
        SELECT c.key, ${countColumns} FROM ${countersOf(context, reviewId, dimension)} GROUP BY c.key HAVING sum(c.total) <> 0) k
      WHERE (-k.undecided, k.key COLLATE "C") > (-${undecided}::bigint, ${key}) ORDER BY -k.undecided, k.key COLLATE "C" LIMIT ${limit}`,
  );
}

/** Counts of what somebody is asked in a review, and did. */
export interface ReviewerCounts {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
  /** Tasks that ask this person now, or did when they ended. */
  readonly asked: number;
  readonly undecided: number;
  /** Of those asked, decided: by this person or by another who was asked with them. */
  readonly decided: number;
  /** Of those decided: denied, as they stand. The others are certified. */
  readonly denied: number;
  /** Decisions this person made, undone ones too. */
  readonly approvals: number;
  readonly denials: number;
  /** The last decision, comment or other act in this review. */
  readonly lastActedAt: Date | null;
  /** Time a credential or a session of theirs was last used. */
  readonly lastSeenAt: Date | null;
  /** Reminders of this review that were sent to them, or to whoever decided in their place. */
  readonly reminders: number;
  /** Whoever decides in their place now; nobody does where the review is closed. */
  readonly delegateId: string | null;
  readonly delegateName: string | null;
  readonly delegateUntil: Date | null;
}

/** A page of the people who are asked in a review or acted in it, those with most open tasks first, as they were when it closed. */
export function listReviewerCounts(
  context: Context,
  reviewId: string,
  after: OpenKey | undefined,
  limit: number,
): Promise<ReviewerCounts[]> {
  const { undecided, key } = after ?? nothingBefore;
  const behind = sql`(-p.undecided, p.user_id COLLATE "C") > (-${undecided}::bigint, ${key})`;
  return readReviewers(context, reviewId, behind, sql`-p.undecided, p.user_id COLLATE "C"`, limit);
}

/** The same in the order of their ids, which stays while they decide: for who reads page by page and must miss nobody. */
export function listReviewersById(context: Context, reviewId: string, after: string, limit: number): Promise<ReviewerCounts[]> {
  return readReviewers(context, reviewId, sql`p.user_id COLLATE "C" > ${after}`, sql`p.user_id COLLATE "C"`, limit);
}

async function readReviewers(context: Context, reviewId: string, behind: Sql, order: Sql, limit: number): Promise<ReviewerCounts[]> {
  const { tenantId, now } = context;
  const rows = await context.db.rows<Omit<ReviewerCounts, 'reminders'>>(
    sql`WITH sets AS MATERIALIZED (
        ${getAskedSql(context, reviewId)}),
      asked AS (
        SELECT u.user_id, sum(s.total)::bigint AS asked, sum(s.open)::bigint AS undecided, sum(s.decided)::bigint AS decided,
          sum(s.denied)::bigint AS denied
        FROM sets s JOIN task_assignments a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.id = s.key,
          unnest(a.user_ids) AS u (user_id) GROUP BY u.user_id),
      people AS (
        SELECT coalesce(q.user_id, d.user_id) AS user_id, coalesce(q.asked, 0) AS asked, coalesce(q.undecided, 0) AS undecided, coalesce(q.decided, 0) AS decided,
          coalesce(q.denied, 0) AS denied,
          coalesce(d.approvals, 0) AS approvals, coalesce(d.denials, 0) AS denials, d.last_at
        FROM asked q FULL JOIN ${actionsOf(context, reviewId)} ON d.user_id = q.user_id),
      page AS (
        SELECT p.* FROM people p WHERE ${behind} ORDER BY ${order} LIMIT ${limit})
    SELECT p.user_id AS "userId", coalesce(w.display_name, '') AS "displayName", coalesce(w.email, '') AS email, coalesce(w.employee_id, '') AS "employeeId", p.asked, p.undecided, p.decided, p.denied, p.approvals, p.denials,
      p.last_at AS "lastActedAt", greatest((SELECT max(c.last_used_at) FROM personal_clients c WHERE c.tenant_id = ${tenantId} AND c.user_id = p.user_id),
        (SELECT max(s.last_used_at) FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.user_id = p.user_id)) AS "lastSeenAt",
      d.delegated_user_id AS "delegateId", ${nameAtSql(tenantId, 'd.delegated_user_id', 'NULL')} AS "delegateName", d.expires_at AS "delegateUntil"
    FROM page p ${getReviewJoinSql(tenantId, sql`${reviewId}`)} LEFT JOIN LATERAL person_words(${tenantId}, p.user_id, r.closed_at) w ON true
    LEFT JOIN delegations_set d ON d.tenant_id = ${tenantId} AND d.user_id = p.user_id AND r.closed_at IS NULL AND (d.starts_at IS NULL OR d.starts_at <= ${now})
      AND (d.expires_at IS NULL OR d.expires_at > ${now})
    ORDER BY ${order}`,
  );
  const userIds = rows.map(({ userId }) => userId);
  const reminders = userIds.length === 0 ? undefined : await taskSlot.get().countReminders(context, reviewId, userIds);
  return rows.map((row) => ({ ...row, reminders: reminders?.get(row.userId) ?? 0 }));
}

/** Decisions that people made in a review, by how many of them, and when the last of all acts was. */
export function countDecisions(context: Context, reviewId: string): Promise<{ decisions: number; reviewers: number; lastAt: Date | null }> {
  return context.db.one(
    sql`SELECT coalesce(sum(d.approvals + d.denials), 0)::bigint AS decisions, count(*) FILTER (WHERE d.approvals + d.denials > 0) AS reviewers,
      max(d.last_at) AS "lastAt" FROM ${actionsOf(context, reviewId)}`,
  );
}

/** The next review behind this id with changes that nobody folded. */
export function findUnfoldedReview(context: Context, behind: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    sql`SELECT n.review_id AS id FROM task_progress_changes n WHERE n.tenant_id = ${context.tenantId} AND n.review_id > ${behind}
      ORDER BY n.review_id LIMIT 1`,
  );
}

/** True if a review has at least so many changes that nobody folded. */
export async function hasUnfolded({ db, tenantId }: Context, reviewId: string, least: number): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(
    sql`SELECT count(*) AS count FROM (
      SELECT FROM task_progress_changes n WHERE n.tenant_id = ${tenantId} AND n.review_id = ${reviewId} LIMIT ${least}) x`,
  );
  return count >= least;
}

/** Adds up to `limit` changes of a review to its counters; how many there were. Who reads meanwhile sees them in one place or the other. */
export function updateProgress(context: Context, reviewId: string, limit: number): Promise<number> {
  const { tenantId } = context;
  return context.db.value<number>(
    sql`WITH gone AS (
        DELETE FROM task_progress_changes n USING (
          SELECT x.id FROM task_progress_changes x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} ORDER BY x.id LIMIT ${limit} FOR UPDATE) o
        WHERE n.tenant_id = ${tenantId} AND n.review_id = ${reviewId} AND n.id = o.id RETURNING n.*),
      added AS (
        INSERT INTO task_progress AS p
          (tenant_id, review_id, dimension, key, total, open, certified, revoked, cancelled, without_outcome, by_people,
            denied_by_people, by_policy, carried, skipped, approvals, denials, last_at)
        SELECT ${tenantId}, ${reviewId}, d.dimension, d.key, sum(g.total), sum(g.open), sum(g.certified), sum(g.revoked), sum(g.cancelled),
          sum(g.without_outcome), sum(g.by_people), sum(g.denied_by_people), sum(g.by_policy), sum(g.carried), sum(g.skipped), sum(g.approvals), sum(g.denials), max(g.acted_at)
        FROM gone g CROSS JOIN LATERAL (
          SELECT v.dimension, v.key FROM (VALUES ('ASSIGNMENT', g.assignment_id), ('APP', g.app_id), ('DEPARTMENT', g.department), ('DAY', g.day::text))
            AS v (dimension, key) WHERE g.actor_id = ''
          UNION ALL SELECT 'ACTOR', g.actor_id WHERE g.actor_id <> '') d
        GROUP BY d.dimension, d.key ORDER BY d.dimension, d.key
        ON CONFLICT (tenant_id, review_id, dimension, key) DO UPDATE SET
          total = p.total + excluded.total, open = p.open + excluded.open, certified = p.certified + excluded.certified,
          revoked = p.revoked + excluded.revoked, cancelled = p.cancelled + excluded.cancelled,
          without_outcome = p.without_outcome + excluded.without_outcome, by_people = p.by_people + excluded.by_people,
          denied_by_people = p.denied_by_people + excluded.denied_by_people, by_policy = p.by_policy + excluded.by_policy,
          carried = p.carried + excluded.carried, skipped = p.skipped + excluded.skipped, approvals = p.approvals + excluded.approvals,
          denials = p.denials + excluded.denials, last_at = greatest(p.last_at, excluded.last_at))
      SELECT count(*) AS count FROM gone`,
  );
}
