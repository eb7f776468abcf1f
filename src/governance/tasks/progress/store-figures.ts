/**
 * SQL of how the people who decided in a review did so: worked out from their decisions in one statement, whatever their number. What is remarkable
 * about a figure is said in reviews/evidence/reviewer-figures.ts.
 */
import type { Context } from '../../../context.ts';
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { denyFrom, getMask, getReviewJoinSql } from '../task/index.ts';

/** Striking trait of how somebody decided. */
export type ReviewerFlag = 'RUBBER_STAMP' | 'BULK' | 'LATE' | 'AGAINST_ADVICE';

/** The figures of one person in one review. Shares are of 1, times in seconds; null where nothing can be said. */
export interface ReviewerFigureRow {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly decisions: number;
  readonly approvals: number;
  readonly approvalRate: number;
  readonly secondsPerDecision: number | null;
  /** A tenth of the decisions took no longer. */
  readonly quickSeconds: number | null;
  readonly longestRun: number;
  readonly bulkShare: number;
  readonly lastHourShare: number;
  readonly againstAdvice: number;
  /** The medians of the others who decided often enough. */
  readonly othersRate: number | null;
  readonly othersSeconds: number | null;
  readonly flags: readonly ReviewerFlag[];
}

/** The decisions that are looked at. */
export interface FiguresOf {
  readonly reviewId: string;
  /** End of the time to decide, past or to come; undefined where nothing says so. */
  readonly endsAt: Date | undefined;
  /** Those of these people alone. */
  readonly userIds?: readonly string[];
}

/** Fewest decisions that make somebody one of the others people are compared with, and a rate worth a flag. */
const enough = 20;

/**
 * The tables `figures` and `medians`. Decisions are approvals and denials, those undone later too; the time of each is when it was first staged, else
 * when it was made. It reads the decisions of the review once, and of its tasks those that were recommended to deny.
 */
function getFigures({ tenantId }: Context, { reviewId, endsAt, userIds }: FiguresOf): Sql {
  const late =
    endsAt === undefined
      ? fixed('0')
      : sql`count(*) FILTER (WHERE p.at BETWEEN ${endsAt}::timestamptz - interval '3600 seconds' AND ${endsAt}::timestamptz)`;
  return sql`decided AS MATERIALIZED (
      SELECT x.actor_id, x.task_id, x.id, x.kind = 'APPROVED' AS approved, x.comment, coalesce((x.data->>'stagedAt')::timestamptz, x.created_at) AS at
      FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.kind IN ('APPROVED', 'DENIED') AND x.actor_id <> ''
        ${userIds === undefined ? empty : sql`AND x.actor_id = ANY (${userIds}::text[])`}),
    placed AS MATERIALIZED (
      SELECT d.actor_id, d.approved, d.at, extract(epoch FROM d.at - lag(d.at) OVER w)::float8 AS gap, count(*) FILTER (WHERE NOT d.approved) OVER w AS denied
      FROM decided d WINDOW w AS (PARTITION BY d.actor_id ORDER BY d.at, d.task_id, d.id)),
    paces AS (
      SELECT p.actor_id, count(*) AS decisions, count(*) FILTER (WHERE p.approved) AS approvals, ${late} AS late,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY p.gap) FILTER (WHERE p.gap > 0 AND p.gap <= 600) AS seconds,
        percentile_cont(0.1) WITHIN GROUP (ORDER BY p.gap) FILTER (WHERE p.gap > 0 AND p.gap <= 600) AS quick
      FROM placed p GROUP BY p.actor_id),
    runs AS (
      SELECT r.actor_id, max(r.length) AS longest FROM (
        SELECT p.actor_id, count(*) FILTER (WHERE p.approved) AS length FROM placed p GROUP BY p.actor_id, p.denied) r GROUP BY r.actor_id),
    bulks AS (
      SELECT b.actor_id, sum(b.uses) AS uses FROM (
        SELECT d.actor_id, count(*) AS uses FROM decided d GROUP BY d.actor_id, date_trunc('second', d.at), d.comment HAVING count(*) >= 10) b
      GROUP BY b.actor_id),
    against AS (
      SELECT d.actor_id, count(*) AS approvals FROM tasks t JOIN decided d ON d.task_id = t.id
      WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.score >= ${fixed(String(denyFrom))}
        AND t.flags & ${fixed(String(getMask('JUDGED')))} <> 0 AND d.approved AND btrim(d.comment) = '' GROUP BY d.actor_id),
    shares AS (
      SELECT p.actor_id, p.decisions, p.approvals, p.approvals::float8 / p.decisions AS rate, p.seconds, p.quick, coalesce(r.longest, 0) AS longest,
        coalesce(b.uses, 0)::float8 / p.decisions AS bulk, p.late::float8 / p.decisions AS late, coalesce(a.approvals, 0) AS against
      FROM paces p LEFT JOIN runs r ON r.actor_id = p.actor_id LEFT JOIN bulks b ON b.actor_id = p.actor_id
      LEFT JOIN against a ON a.actor_id = p.actor_id),
    figures AS MATERIALIZED (
      SELECT s.*, array_remove(ARRAY[
        CASE WHEN s.decisions >= ${enough} AND s.rate >= 0.98 AND s.seconds < 3 THEN 'RUBBER_STAMP' END,
        CASE WHEN s.decisions >= 50 AND s.bulk >= 0.8 THEN 'BULK' END,
        CASE WHEN s.decisions >= 50 AND s.late >= 0.8 THEN 'LATE' END,
        CASE WHEN s.against >= 5 THEN 'AGAINST_ADVICE' END], NULL) AS flags FROM shares s)`;
}

/** The median of sorted values without one's own, where that is among them; null for nobody else. */
function getMedianOfOthers(values: Sql, own: Sql): Sql {
  const count = sql`(cardinality(${values}) - CASE WHEN ${own} IS NULL THEN 0 ELSE 1 END)`;
  const at = (place: Sql): Sql => sql`(${values})[${place} + CASE WHEN ${place} >= array_position(${values}, ${own}) THEN 1 ELSE 0 END]`;
  return sql`CASE WHEN ${count} > 0 THEN (${at(sql`((${count} + 1) / 2)`)} + ${at(sql`((${count} + 2) / 2)`)}) / 2 END`;
}

const settings =
  "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL jit = off; SET LOCAL work_mem = '64MB'";

const usual = 'SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL work_mem TO DEFAULT';

/** Behind which row of the list the next one is. */
export interface FigureKey {
  readonly decisions: number;
  readonly userId: string;
}

/** A page of the people who decided, those with most decisions first. The caller has opened a transaction. */
export async function listReviewerFigures(
  context: Context,
  of: FiguresOf,
  after: FigureKey | undefined,
  limit: number,
): Promise<ReviewerFigureRow[]> {
  const { db, tenantId } = context;
  const { decisions, userId } = after ?? { decisions: Number.MAX_SAFE_INTEGER, userId: '' };
  const ifEnough = (column: 'rate' | 'seconds'): Sql => sql`(CASE WHEN f.decisions >= ${enough} THEN f.${fixed(column)} END)`;
  await db.run(settings);
  const rows = await db.rows<ReviewerFigureRow>(
    sql`WITH ${getFigures(context, of)},
      medians AS MATERIALIZED (
        SELECT coalesce(array_agg(f.rate ORDER BY f.rate), '{}') AS rates,
          coalesce(array_agg(f.seconds ORDER BY f.seconds) FILTER (WHERE f.seconds IS NOT NULL), '{}') AS seconds
        FROM figures f WHERE f.decisions >= ${enough}),
      page AS (
        SELECT f.* FROM figures f WHERE (-f.decisions, f.actor_id COLLATE "C") > (-${decisions}::bigint, ${userId})
        ORDER BY -f.decisions, f.actor_id COLLATE "C" LIMIT ${limit})
    SELECT f.actor_id AS "userId", coalesce(w.display_name, '') AS "displayName", coalesce(w.email, '') AS email, f.decisions, f.approvals,
      f.rate AS "approvalRate", f.seconds AS "secondsPerDecision", f.quick AS "quickSeconds", f.longest AS "longestRun", f.bulk AS "bulkShare", f.late AS "lastHourShare",
      f.against AS "againstAdvice", ${getMedianOfOthers(fixed('m.rates'), ifEnough('rate'))} AS "othersRate",
      ${getMedianOfOthers(fixed('m.seconds'), ifEnough('seconds'))} AS "othersSeconds", f.flags
    FROM page f CROSS JOIN medians m ${getReviewJoinSql(tenantId, sql`${of.reviewId}`)}
      LEFT JOIN LATERAL person_words(${tenantId}, f.actor_id, r.closed_at) w ON true
    ORDER BY -f.decisions, f.actor_id COLLATE "C"`,
  );
  await db.run(usual);
  return rows;
}

/** Somebody with a flag. */
export interface FlaggedReviewer {
  readonly userId: string;
  readonly flags: readonly ReviewerFlag[];
}

/** Everybody about whose decisions something stands out, and how many people decided. The caller has opened a transaction. */
export async function listFlaggedReviewers(
  context: Context,
  of: FiguresOf,
): Promise<{ readonly reviewers: number; readonly flagged: readonly FlaggedReviewer[] }> {
  const { db } = context;
  await db.run(settings);
  const found = await db.one<{ reviewers: number; flagged: FlaggedReviewer[] }>(
    sql`WITH ${getFigures(context, of)}
    SELECT count(*) AS reviewers,
      coalesce(jsonb_agg(jsonb_build_object('userId', f.actor_id, 'flags', f.flags) ORDER BY f.actor_id) FILTER (WHERE f.flags <> '{}'), '[]') AS flagged
    FROM figures f`,
  );
  await db.run(usual);
  return found;
}
