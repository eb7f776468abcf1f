/**
 * SQL that counts coverage: each grant of a period, with the days on which it was held, certified, or denied and ended since. Days are ranges, and
 * grants with the same days are counted together before they are spread over months. What requirements ask is store-requirements.ts.
 */
import type { Context } from '../../context.ts';
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Period } from './period.ts';

const dayOf = (column: string): Sql => fixed(`(${column} AT TIME ZONE 'UTC')::date`);
const countDays = (ranges: string): Sql =>
  fixed(`(SELECT coalesce(sum(upper(x.days) - lower(x.days)), 0) FROM unnest(${ranges}) x (days))`);

/** Grants meant: of some apps, or of one app behind a key. */
interface GrantsMeant {
  readonly appIds?: readonly string[];
  readonly after?: GapKey | undefined;
}

/** The key of a grant in an app. */
export interface GapKey {
  readonly entitlementId: string;
  readonly accountId: string;
  readonly addedRevision: number;
}

/**
 * Returns the statements `held` (a grant of the period, `life` its days) and `judged` (`life`, `certified`, `removed` as ranges of days). A review
 * judges the grant that its snapshot has: one that was added by then and not removed. App access that follows from an account is left out.
 */
function judgedSql({ tenantId }: Context, { fromDay, untilDay, validDays }: Period, { appIds, after }: GrantsMeant): Sql {
  const ofApps = appIds === undefined ? empty : sql`AND g.app_id = ANY (${[...appIds]}::text[])`;
  const ofTasks = appIds === undefined ? empty : sql`AND t.app_id = ANY (${[...appIds]}::text[])`;
  const behind =
    after === undefined
      ? empty
      : sql`AND (g.entitlement_id, g.account_id, g.added_revision) > (${after.entitlementId}, ${after.accountId}, ${after.addedRevision}::bigint)`;
  return sql`period AS (SELECT ${fromDay}::date AS first, ${untilDay}::date AS behind, ${validDays}::int AS valid),
    reviewed AS MATERIALIZED (
      SELECT r.id, r.prepared_revision FROM reviews_public r, period p
      WHERE r.tenant_id = ${tenantId} AND r.state IN ('OPEN', 'CLOSED') AND r.prepared_revision IS NOT NULL AND ${dayOf('r.started_at')} < p.behind
        AND (r.closed_at IS NULL OR ${dayOf('r.closed_at')} > p.first - p.valid)),
    held AS MATERIALIZED (
      SELECT g.app_id, g.entitlement_id, g.account_id, g.added_revision, g.removed_revision, g.created_at, g.ended_at,
        daterange(greatest(${dayOf('g.created_at')}, p.first), least(coalesce(${dayOf('g.ended_at')}, p.behind), p.behind)) AS life
      FROM grants_public g, period p
      WHERE g.tenant_id = ${tenantId} AND NOT g.is_derived ${ofApps} ${behind}
        AND ${dayOf('g.created_at')} < p.behind AND (g.ended_at IS NULL OR ${dayOf('g.ended_at')} > greatest(${dayOf('g.created_at')}, p.first))),
    -- Read review by review, which an index has together: looked up grant by grant, 100,000 grants took twice as long.
    answered AS MATERIALIZED (
      SELECT t.app_id, t.entitlement_id, t.account_id, t.outcome, r.prepared_revision, ${dayOf('t.ended_at')} AS day, ${dayOf('t.certify_until')} AS until
      FROM reviewed r JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.review_id = r.id ${ofTasks}
        AND (t.outcome = 'DECERTIFIED' OR t.outcome = 'CERTIFIED' AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL)),
    answers AS MATERIALIZED (
      SELECT h.app_id, h.entitlement_id, h.account_id, h.added_revision,
        range_agg(daterange(t.day, greatest(t.day, least(t.day + p.valid, t.until)))) FILTER (WHERE t.outcome = 'CERTIFIED') AS certified,
        min(t.day) FILTER (WHERE t.outcome = 'DECERTIFIED') AS denied
      FROM held h JOIN answered t ON t.app_id = h.app_id AND t.entitlement_id = h.entitlement_id AND t.account_id = h.account_id
        AND h.added_revision <= t.prepared_revision AND (h.removed_revision IS NULL OR h.removed_revision > t.prepared_revision)
      CROSS JOIN period p
      GROUP BY h.app_id, h.entitlement_id, h.account_id, h.added_revision),
    judged AS (
      SELECT j.*, CASE WHEN j.ended_at IS NULL OR j.denied IS NULL OR j.denied >= upper(j.life) THEN '{}'::datemultirange
        ELSE datemultirange(daterange(greatest(j.denied, lower(j.life)), upper(j.life))) - j.certified END AS removed
      FROM (SELECT h.*, a.denied, coalesce(a.certified, '{}') * datemultirange(h.life) AS certified
        FROM held h LEFT JOIN answers a USING (app_id, entitlement_id, account_id, added_revision)) j)`;
}

/** Grant-days of one month: of an app, or of all. */
export interface MonthRow {
  readonly appId: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly certified: number;
  readonly removed: number;
  readonly notCovered: number;
}

/** Counts grant-days by month, and by app where apps are named; months without access are left out. */
export function countMonths(context: Context, period: Period, appIds?: readonly string[]): Promise<MonthRow[]> {
  const app = appIds === undefined ? fixed(`''`) : fixed('s.app_id');
  return context.db.rows<MonthRow>(
    sql`WITH ${judgedSql(context, period, appIds === undefined ? {} : { appIds })},
      -- Grants with the same days are one row from here on.
      same AS MATERIALIZED (SELECT j.app_id, j.life, j.certified, j.removed, count(*) AS grants FROM judged j GROUP BY 1, 2, 3, 4),
      months AS (SELECT to_char(m, 'YYYY-MM') AS month, daterange(m::date, (m + interval '1 month')::date) AS days
        FROM period p, generate_series(date_trunc('month', p.first::timestamp), p.behind - 1, interval '1 month') m),
      counted AS (
        SELECT ${app} AS "appId", m.month, sum(s.grants * ${countDays('datemultirange(m.days * s.life)')}) AS held,
          sum(s.grants * ${countDays('datemultirange(m.days) * s.certified')}) AS certified,
          sum(s.grants * ${countDays('datemultirange(m.days) * s.removed')}) AS removed
        FROM same s JOIN months m ON m.days && s.life GROUP BY 1, 2)
      SELECT c."appId", c.month, c.certified::bigint AS certified, c.removed::bigint AS removed, (c.held - c.certified - c.removed)::bigint AS "notCovered"
      FROM counted c ORDER BY 1, 2`,
  );
}

/** An app by its name. */
export interface NamedApp {
  readonly id: string;
  readonly displayName: string;
}

/** A page of the apps with access in a period, behind an app id. */
export function listAppsHeld({ db, tenantId }: Context, { fromDay, untilDay }: Period, after: string, limit: number): Promise<NamedApp[]> {
  return db.rows<NamedApp>(
    sql`SELECT a.id, a.display_name AS "displayName" FROM apps_public a WHERE a.tenant_id = ${tenantId} AND a.id > ${after}
      AND EXISTS (SELECT FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = a.id AND NOT g.is_derived
        AND ${dayOf('g.created_at')} < ${untilDay}::date
        AND (g.ended_at IS NULL OR ${dayOf('g.ended_at')} > greatest(${dayOf('g.created_at')}, ${fromDay}::date)))
      ORDER BY a.id LIMIT ${limit}`,
  );
}

/** True if there is, or was, an app with this id. */
export async function hasApp({ db, tenantId }: Context, appId: string): Promise<boolean> {
  return (await db.maybe(sql`SELECT a.id FROM apps_public a WHERE a.tenant_id = ${tenantId} AND a.id = ${appId}`)) !== undefined;
}

/** A grant that was held on days that are not covered. */
export interface GapRow {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly addedRevision: number;
  readonly entitlementDisplayName: string;
  readonly account: string;
  readonly userId: string;
  readonly userDisplayName: string;
  readonly appearedAt: Date;
  readonly endedAt: Date | null;
  readonly certified: number;
  readonly removed: number;
  readonly notCovered: number;
  readonly gaps: readonly { readonly fromDay: string; readonly untilDay: string }[];
}

/** A page of the grants of an app with days that are not covered, behind a key. */
export function listGaps(context: Context, period: Period, appId: string, after: GapKey | undefined, limit: number): Promise<GapRow[]> {
  const { db, tenantId } = context;
  return db.rows<GapRow>(
    sql`WITH ${judgedSql(context, period, { appIds: [appId], after })},
      open AS (
        SELECT j.*, datemultirange(j.life) - j.certified - j.removed AS gaps FROM judged j
        WHERE datemultirange(j.life) - j.certified - j.removed <> '{}'
        ORDER BY j.entitlement_id, j.account_id, j.added_revision LIMIT ${limit})
      SELECT o.app_id AS "appId", o.entitlement_id AS "entitlementId", o.account_id AS "accountId", o.added_revision AS "addedRevision",
        coalesce(e.display_name, '') AS "entitlementDisplayName", coalesce(nullif(c.display_name, ''), c.external_id, '') AS account,
        coalesce(u.id, '') AS "userId", coalesce(nullif(u.display_name, ''), u.email, '') AS "userDisplayName",
        o.created_at AS "appearedAt", o.ended_at AS "endedAt",
        ${countDays('o.certified')}::bigint AS certified, ${countDays('o.removed')}::bigint AS removed, ${countDays('o.gaps')}::bigint AS "notCovered",
        (SELECT json_agg(json_build_object('fromDay', lower(x.days), 'untilDay', upper(x.days)) ORDER BY x.days) FROM unnest(o.gaps) x (days)) AS gaps
      FROM open o
      LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = o.app_id AND e.id = o.entitlement_id
      LEFT JOIN accounts_public c ON c.tenant_id = ${tenantId} AND c.app_id = o.app_id AND c.id = o.account_id
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = c.user_id
      ORDER BY o.entitlement_id, o.account_id, o.added_revision`,
  );
}
