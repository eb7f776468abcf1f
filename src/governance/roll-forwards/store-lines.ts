/**
 * SQL of the lines of roll-forwards (`roll_forward_lines`): working them out from what was granted and ended between two snapshots, and reading
 * pages of them.
 */
import type { Context } from '../../context.ts';
import { fixed, joinSql, type Sql, sql } from '../../lib/sql.ts';
import { nameAtSql } from '../../foundation/directory/index.ts';
import type { LineCause, LineKind, RollForwardRow } from './store.ts';

/** Reason a held grant was left out of the snapshot of a review, in words of its funnel. */
const leftOutBy = (tenantId: string, reviewId: string): Sql => sql`coalesce(
  (SELECT nullif(a.excluded_by, '') FROM snapshot_accounts a
   WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = k.app_id AND a.account_id = k.account_id),
  (SELECT CASE WHEN e.is_excluded THEN 'EXCLUDED_BY_LIST' ELSE 'GRANT' END FROM snapshot_entitlements e
   WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = k.app_id AND e.entitlement_id = k.entitlement_id),
  'NOT_CHOSEN')`;

/** Condition that a grant was held as of a revision. */
const heldAt = (tenantId: string, revision: number): Sql => sql`EXISTS (
  SELECT FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = k.app_id AND g.entitlement_id = k.entitlement_id
    AND g.account_id = k.account_id AND g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision}))`;

/** Items of a review as its tasks have them. */
const itemsOf = (tenantId: string, reviewId: string): Sql => sql`
  SELECT t.app_id, t.account_id, t.entitlement_id FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}`;

/**
 * Works all lines out, in one statement. What is looked at are the items of only one of the two reviews, and what was given or ended between their
 * revisions; items of both that nothing happened to are compared and forgotten. Access that came and went in between belongs to it where either scope
 * chose the entitlement and neither left out the account.
 *
 * It grows with the items of both reviews (two scans and a hash join) and with what changed between them (a few look-ups by key each).
 */
export async function insertLines(context: Context, { reviewId, firstId, firstRevision, secondRevision }: RollForwardRow): Promise<void> {
  const { db, tenantId } = context;
  await db.run(sql`DELETE FROM roll_forward_lines WHERE tenant_id = ${tenantId} AND review_id = ${reviewId}`);
  await db.run("SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'");
  const between = (column: string): Sql => {
    const at = fixed(column);
    return sql`${at} > ${firstRevision} AND ${at} <= ${secondRevision}`;
  };
  await db.run(
    sql`WITH moves AS MATERIALIZED (
       SELECT g.app_id, g.account_id, g.entitlement_id, 'ADDED' AS kind, g.added_revision AS revision, 0 AS since FROM grants_public g
       WHERE g.tenant_id = ${tenantId} AND ${between('g.added_revision')}
       UNION ALL
       SELECT g.app_id, g.account_id, g.entitlement_id, 'REMOVED', g.removed_revision, g.added_revision FROM grants_public g
       WHERE g.tenant_id = ${tenantId} AND ${between('g.removed_revision')}),
     differing AS MATERIALIZED (
       SELECT coalesce(a.app_id, b.app_id) AS app_id, coalesce(a.account_id, b.account_id) AS account_id,
         coalesce(a.entitlement_id, b.entitlement_id) AS entitlement_id
       FROM (${itemsOf(tenantId, firstId)}) a FULL JOIN (${itemsOf(tenantId, reviewId)}) b
         ON b.app_id = a.app_id AND b.account_id = a.account_id AND b.entitlement_id = a.entitlement_id
       WHERE a.app_id IS NULL OR b.app_id IS NULL),
     keys AS (
       SELECT m.app_id, m.account_id, m.entitlement_id FROM moves m UNION SELECT d.app_id, d.account_id, d.entitlement_id FROM differing d),
     looked_at AS MATERIALIZED (
       SELECT k.*, ${heldAt(tenantId, firstRevision)} AS held_first, ${heldAt(tenantId, secondRevision)} AS held_second,
         ${hasItem(tenantId, firstId)} AS in_first, ${hasItem(tenantId, reviewId)} AS in_second FROM keys k),
     kept AS MATERIALIZED (
       SELECT k.*, (k.in_second::int - k.held_second::int) - (k.in_first::int - k.held_first::int) AS by_scope FROM looked_at k
       WHERE k.in_first OR k.in_second OR NOT k.held_first AND NOT k.held_second
         AND EXISTS (SELECT FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id IN (${firstId}, ${reviewId})
           AND e.app_id = k.app_id AND e.entitlement_id = k.entitlement_id AND NOT e.is_excluded)
         AND NOT EXISTS (SELECT FROM snapshot_accounts c WHERE c.tenant_id = ${tenantId} AND c.review_id IN (${firstId}, ${reviewId})
           AND c.app_id = k.app_id AND c.account_id = k.account_id AND c.excluded_by <> '')),
     found AS (
       SELECT k.app_id, k.account_id, k.entitlement_id, m.kind, m.revision, d.review_id AS decided_in_id, '' AS left_out_by,
         CASE WHEN m.kind = 'ADDED' THEN ''
           WHEN d.review_id IS NOT NULL THEN 'DECISION'
           WHEN v.cause = 'EXPIRY' OR g.deprovision_at <= v.made_at THEN 'EXPIRY'
           WHEN EXISTS (SELECT FROM departures_known l WHERE l.tenant_id = ${tenantId} AND l.user_id = coalesce(i.user_id, c.user_id)
             AND l.left_at <= v.made_at AND (l.returned_at IS NULL OR l.returned_at > v.made_at)) THEN 'LEAVER'
           ELSE 'UNEXPLAINED' END AS cause
       FROM kept k JOIN moves m ON m.app_id = k.app_id AND m.account_id = k.account_id AND m.entitlement_id = k.entitlement_id
       LEFT JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = m.revision
       LEFT JOIN grants_public g ON m.kind = 'REMOVED' AND g.tenant_id = ${tenantId} AND g.app_id = k.app_id AND g.entitlement_id = k.entitlement_id
         AND g.account_id = k.account_id AND g.added_revision = m.since
       LEFT JOIN snapshot_accounts i ON i.tenant_id = ${tenantId} AND i.review_id = ${firstId} AND i.app_id = k.app_id AND i.account_id = k.account_id
       LEFT JOIN accounts_public c ON c.tenant_id = ${tenantId} AND c.app_id = k.app_id AND c.id = k.account_id
       LEFT JOIN LATERAL (
         SELECT b.id AS review_id FROM task_reviews_public b JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.review_id = b.id
           AND t.account_id = k.account_id AND t.entitlement_id = k.entitlement_id
         JOIN reviews_public r ON r.tenant_id = ${tenantId} AND r.id = b.id AND r.prepared_revision >= m.since
         WHERE m.kind = 'REMOVED' AND b.tenant_id = ${tenantId} AND t.outcome = 'DECERTIFIED' AND t.ended_at <= v.made_at
         ORDER BY t.ended_at DESC LIMIT 1) d ON true
       UNION ALL
       SELECT k.app_id, k.account_id, k.entitlement_id, CASE WHEN k.by_scope > 0 THEN 'ENTERED_SCOPE' ELSE 'LEFT_SCOPE' END, 0, NULL,
         CASE WHEN k.by_scope > 0 THEN ${leftOutBy(tenantId, firstId)} ELSE ${leftOutBy(tenantId, reviewId)} END, ''
       FROM kept k WHERE k.by_scope <> 0)
     INSERT INTO roll_forward_lines (tenant_id, review_id, number, kind, cause, app_id, account_id, entitlement_id, revision, decided_in_id, left_out_by)
     SELECT ${tenantId}, ${reviewId}, row_number() OVER (ORDER BY f.revision = 0, f.revision, f.app_id, f.account_id, f.entitlement_id, f.kind),
       f.kind, f.cause, f.app_id, f.account_id, f.entitlement_id, f.revision, coalesce(f.decided_in_id, ''), f.left_out_by
     FROM found f`,
  );
}

function hasItem(tenantId: string, reviewId: string): Sql {
  return sql`EXISTS (SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = k.account_id
    AND t.entitlement_id = k.entitlement_id AND t.app_id = k.app_id)`;
}

/** A line with the names of today; whoever made the change is named as they were then. */
export interface LineRow {
  readonly number: number;
  readonly kind: LineKind;
  readonly cause: LineCause;
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
  readonly appName: string;
  readonly accountName: string;
  readonly entitlementName: string;
  readonly userId: string;
  readonly revision: number;
  readonly occurredAt: Date | null;
  readonly syncId: string;
  readonly actorId: string;
  readonly decidedInId: string;
  readonly leftOutBy: string;
  readonly syncSourceId: string;
  readonly syncSourceName: string;
  readonly syncStartedAt: Date | null;
  readonly actorName: string;
  readonly decidedInName: string;
}

/** Lines wanted; an empty list filters nothing. */
export interface LineFilter {
  readonly kinds: readonly LineKind[];
  readonly causes: readonly LineCause[];
}

/** A page of lines behind the one with the number `after`; grows with the page and the lines that a filter passes over. */
export function listLines(context: Context, reviewId: string, filter: LineFilter, after: number, limit: number): Promise<LineRow[]> {
  const { db, tenantId } = context;
  const conditions = [
    ...(filter.kinds.length === 0 ? [] : [sql` AND l.kind = ANY (${filter.kinds})`]),
    ...(filter.causes.length === 0 ? [] : [sql` AND l.cause = ANY (${filter.causes})`]),
  ];
  return db.rows<LineRow>(
    sql`SELECT l.number, l.kind, l.cause, l.app_id AS "appId", l.account_id AS "accountId", l.entitlement_id AS "entitlementId",
       coalesce(p.display_name, '') AS "appName", coalesce(nullif(c.display_name, ''), c.external_id, '') AS "accountName",
       coalesce(e.display_name, '') AS "entitlementName", coalesce(c.user_id, '') AS "userId", l.revision, v.made_at AS "occurredAt",
       coalesce(v.sync_id, '') AS "syncId", coalesce(v.actor_id, '') AS "actorId", l.decided_in_id AS "decidedInId", l.left_out_by AS "leftOutBy",
       coalesce(s.id, '') AS "syncSourceId", coalesce(s.display_name, '') AS "syncSourceName", y.started_at AS "syncStartedAt",
       coalesce(${nameAtSql(tenantId, 'v.actor_id', 'v.made_at')}, '') AS "actorName", coalesce(r.document ->> 'displayName', '') AS "decidedInName"
     FROM (
       SELECT l.* FROM roll_forward_lines l WHERE l.tenant_id = ${tenantId} AND l.review_id = ${reviewId} AND l.number > ${after}${joinSql(conditions, '')}
       ORDER BY l.number LIMIT ${limit}) l
     LEFT JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = l.revision
     LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = l.app_id
     LEFT JOIN accounts_public c ON c.tenant_id = ${tenantId} AND c.app_id = l.app_id AND c.id = l.account_id
     LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = l.app_id AND e.id = l.entitlement_id
     LEFT JOIN syncs_public y ON y.tenant_id = ${tenantId} AND y.id = v.sync_id
     LEFT JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = y.source_id
     LEFT JOIN reviews_public r ON r.tenant_id = ${tenantId} AND r.id = l.decided_in_id
     ORDER BY l.number`,
  );
}
