/** SQL that makes alerts of what monitors find, for all of them in one statement, and ends those that hold no more. Who is in conflict is store-found.ts. */
import type { Context } from '../../context.ts';
import { empty, sql } from '../../lib/sql.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { getFoundTablesSql, getMatchedSql, getTouchedSql, usualSettings, wholeSettings } from './store-found.ts';

/** Progress through a tenant's inventory. */
export interface DetectionRow {
  readonly revision: number;
  readonly wholeAt: Date | null;
}

/** Locks the progress through the tenant's inventory: one detection after the other. */
export async function lockDetection(context: Context): Promise<DetectionRow> {
  const { tenantId, now } = context;
  await context.db.run(
    sql`INSERT INTO conflict_detections (tenant_id, revision, created_at) VALUES (${tenantId}, 0, ${now}) ON CONFLICT DO NOTHING`,
  );
  return context.db.one<DetectionRow>(
    sql`SELECT d.revision::float8 AS revision, d.whole_at AS "wholeAt" FROM conflict_detections d WHERE d.tenant_id = ${tenantId} FOR UPDATE`,
  );
}

/** Writes down how far the inventory was looked through, and when all of it was. */
export async function updateDetection(context: Context, { revision, wholeAt }: DetectionRow): Promise<void> {
  await context.db.run(
    sql`UPDATE conflict_detections SET revision = ${revision}, whole_at = ${wholeAt} WHERE tenant_id = ${context.tenantId}`,
  );
}

/** The revisions behind `after`, up to `until`. */
export interface RevisionSpan {
  readonly after: number;
  readonly until: number;
}

/** Grants and accounts that changed in these revisions, counted up to `limit`. */
export function countChanges(context: Context, { after, until }: RevisionSpan, limit: number): Promise<number> {
  const { tenantId } = context;
  return context.db.value<number>(
    sql`SELECT count(*)::integer AS count FROM (
      (SELECT g.account_id FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.added_revision > ${after} AND g.added_revision <= ${until} LIMIT ${limit})
      UNION ALL
      (SELECT g.account_id FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.removed_revision > ${after} AND g.removed_revision <= ${until} LIMIT ${limit})
      UNION ALL
      (SELECT x.account_id FROM revisions_public v JOIN account_changes_public x ON x.tenant_id = ${tenantId} AND x.app_id = v.app_id AND x.revision = v.revision
       WHERE v.tenant_id = ${tenantId} AND v.revision > ${after} AND v.revision <= ${until} LIMIT ${limit})) c`,
  );
}

/** Those of these monitors that look at an app which changed in these revisions. */
export function listConcernedMonitors(context: Context, monitorIds: readonly string[], { after, until }: RevisionSpan): Promise<string[]> {
  const { tenantId } = context;
  return context.db.column<string>(
    sql`SELECT DISTINCT s.monitor_id AS id FROM conflict_entitlements s WHERE s.tenant_id = ${tenantId} AND s.monitor_id = ANY (${[...monitorIds]})
      AND s.app_id IN (SELECT v.app_id FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.revision > ${after} AND v.revision <= ${until})`,
  );
}

/** Some principals are looked up one by one, whatever a plan made for others would do. */
const smallSettings = 'SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL jit = off';

/** Count of alerts a detection made active or resolved. */
export interface Detected {
  readonly active: number;
  readonly resolved: number;
}

/**
 * Makes the alerts of these monitors what is true now: of everybody, or with `span` of those alone whose access changed in it. The change is that of
 * `changeId`.
 */
export async function updateAlerts(
  context: Context,
  changeId: string,
  monitorIds: readonly string[],
  span?: RevisionSpan,
): Promise<Detected> {
  const { tenantId, now } = context;
  const ids = [...monitorIds];
  const touched = span === undefined ? undefined : getTouchedSql(tenantId, span.after, span.until);
  await context.db.run(span === undefined ? wholeSettings : smallSettings);
  const detected = await context.db.one<Detected>(
    sql`WITH ${getFoundTablesSql(tenantId, ids, touched)},
      gone AS (
        UPDATE conflict_alerts c SET state = 'RESOLVED', resolution = 'NO_LONGER_HELD', resolved_at = ${now}, exempt_until = NULL,
          change_id = ${changeId}, updated_at = ${now}
        WHERE c.tenant_id = ${tenantId} AND c.monitor_id = ANY (${ids}) AND c.state <> 'RESOLVED'
          ${touched === undefined ? empty : sql`AND c.principal IN (SELECT t.principal FROM touched t)`}
          AND NOT EXISTS (SELECT FROM found f WHERE f.monitor_id = c.monitor_id AND f.principal = c.principal)
        RETURNING 1),
      fresh AS MATERIALIZED (
        SELECT f.monitor_id, f.principal FROM found f
        LEFT JOIN conflict_alerts c ON c.tenant_id = ${tenantId} AND c.monitor_id = f.monitor_id AND c.principal = f.principal AND c.state <> 'RESOLVED'
        WHERE c.id IS NULL),
      made AS (
        SELECT f.monitor_id, f.principal, jsonb_agg(DISTINCT jsonb_build_object('appId', w.app_id, 'appEntitlementId', w.entitlement_id, 'group', w.side)) AS entitlements
        FROM fresh f JOIN (${getMatchedSql()} OFFSET 0) w ON w.monitor_id = f.monitor_id AND w.principal = f.principal
        GROUP BY f.monitor_id, f.principal),
      added AS (
        INSERT INTO conflict_alerts (tenant_id, id, monitor_id, principal, user_id, app_id, account_id, state, entitlements, activated_at, change_id,
          updated_at)
        SELECT ${tenantId}, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY m.monitor_id, m.principal)), m.monitor_id, m.principal,
          CASE WHEN m.principal LIKE '%/%' THEN '' ELSE m.principal END,
          CASE WHEN m.principal LIKE '%/%' THEN split_part(m.principal, '/', 1) ELSE '' END, split_part(m.principal, '/', 2),
          'ACTIVE', m.entitlements, ${now}, ${changeId}, ${now}
        FROM made m
        ON CONFLICT (tenant_id, monitor_id, principal) DO UPDATE SET state = 'ACTIVE', generation = conflict_alerts.generation + 1,
          entitlements = excluded.entitlements, activated_at = excluded.activated_at, resolved_at = NULL, resolution = '', exempt_reason = '',
          exempted_by_id = '', exempted_by_review_id = '', exempted_at = NULL, exempt_until = NULL, change_id = excluded.change_id,
          updated_at = excluded.updated_at
          WHERE conflict_alerts.state = 'RESOLVED'
        RETURNING 1)
      SELECT (SELECT count(*) FROM added)::integer AS active, (SELECT count(*) FROM gone)::integer AS resolved`,
  );
  await context.db.run(usualSettings);
  return detected;
}
