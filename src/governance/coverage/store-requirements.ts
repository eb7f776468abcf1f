/** SQL of what requirements ask: when apps were reviewed last, how much of what is held was certified, and what became of removals. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { openRemovalStates, provenRemovalStates } from '../revocations/index.ts';

/** An app that holds access now, and when its last review closed. */
export interface ReviewedApp {
  readonly appId: string;
  readonly appDisplayName: string;
  readonly lastReviewedAt: Date | null;
}

/** Lists the apps that hold access now, with when a review of them closed last: the longest unreviewed first. */
export function listReviewedApps({ db, tenantId }: Context): Promise<ReviewedApp[]> {
  return db.rows<ReviewedApp>(
    sql`WITH reviewed AS (
        SELECT e.app_id, max(r.closed_at) AS at FROM reviews_public r
        JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = r.id AND NOT e.is_excluded
        WHERE r.tenant_id = ${tenantId} AND r.state = 'CLOSED' GROUP BY e.app_id)
      SELECT a.id AS "appId", a.display_name AS "appDisplayName", r.at AS "lastReviewedAt"
      FROM apps_public a LEFT JOIN reviewed r ON r.app_id = a.id
      WHERE a.tenant_id = ${tenantId} AND a.deleted_at IS NULL AND EXISTS (
        SELECT FROM grants_held g WHERE g.tenant_id = ${tenantId} AND g.app_id = a.id AND NOT g.is_derived)
      ORDER BY r.at NULLS FIRST, a.id`,
  );
}

/** Grants held now, and those of them that a person certified within some days, for each of these numbers of days. */
export interface CertifiedRow {
  readonly days: number;
  readonly grants: number;
  readonly certified: number;
}

/**
 * Counts what is held now, and what of it people certified within each of these numbers of days; limited certifications that are over do not count. The
 * join is a full one, which cannot be run as a look through all certifications for each grant: without statistics it was.
 */
export function countCertified({ db, tenantId, now }: Context, intervals: readonly number[]): Promise<CertifiedRow[]> {
  return db.rows<CertifiedRow>(
    sql`WITH reviewed AS MATERIALIZED (
        SELECT r.id, r.prepared_revision FROM reviews_public r
        WHERE r.tenant_id = ${tenantId} AND r.state IN ('OPEN', 'CLOSED') AND r.prepared_revision IS NOT NULL
          AND (r.closed_at IS NULL OR r.closed_at > ${now}::timestamptz - make_interval(days => ${Math.max(...intervals)}::int))),
      certified AS MATERIALIZED (
        SELECT t.app_id, t.entitlement_id, t.account_id, t.ended_at, r.prepared_revision FROM tasks_public t JOIN reviewed r ON r.id = t.review_id
        WHERE t.tenant_id = ${tenantId} AND t.outcome = 'CERTIFIED' AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL
          AND (t.certify_until IS NULL OR t.certify_until > ${now})),
      held AS (
        SELECT max(c.ended_at) FILTER (WHERE g.added_revision <= c.prepared_revision) AS at
        FROM (SELECT x.app_id, x.entitlement_id, x.account_id, x.added_revision FROM grants_held x
          WHERE x.tenant_id = ${tenantId} AND NOT x.is_derived) g
        FULL JOIN certified c ON c.app_id = g.app_id AND c.entitlement_id = g.entitlement_id AND c.account_id = g.account_id
        GROUP BY g.app_id, g.entitlement_id, g.account_id HAVING count(g.app_id) > 0)
      SELECT n.days, count(h.*) AS grants, count(*) FILTER (WHERE h.at > ${now}::timestamptz - make_interval(days => n.days)) AS certified
      FROM unnest(${[...intervals]}::int[]) n (days) LEFT JOIN held h ON true GROUP BY n.days`,
  );
}

/** Removals that were asked for within some days. */
export interface RemovalsRow {
  readonly days: number;
  readonly removals: number;
  readonly proven: number;
  readonly open: number;
}

/** Counts removals that denials of the last so many days asked for: proven absent or confirmed, and open; the rest were withdrawn or refused. */
export function countRemovals({ db, tenantId, now }: Context, intervals: readonly number[]): Promise<RemovalsRow[]> {
  return db.rows<RemovalsRow>(
    sql`SELECT n.days, count(v.id) AS removals, count(*) FILTER (WHERE v.state = ANY (${[...provenRemovalStates]}::text[])) AS proven,
        count(*) FILTER (WHERE v.state = ANY (${[...openRemovalStates]}::text[])) AS open
      FROM unnest(${[...intervals]}::int[]) n (days)
      LEFT JOIN revocations_public v ON v.tenant_id = ${tenantId} AND v.created_at > ${now}::timestamptz - make_interval(days => n.days)
      GROUP BY n.days`,
  );
}
