/** SQL that plans which removals a connector carries out: those whose task is at a step that says so. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/**
 * Plans those of these removals whose policy leaves them to a connector now, and returns the sources that will carry them out. Where none can, people are asked, and
 * the reason is kept.
 */
export async function insertSendings({ db, tenantId, now }: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ sourceId: string; state: string }>(
    sql`WITH asked AS (
        SELECT r.id, r.source_no, s.id AS source_id, s.kind, s.removals_enabled, c.connector, c.connector ? 'deleteAccount' AS deletes,
          coalesce(c.connector -> 'defaultBehavior' ->> 'connectorId', c.connector -> 'deleteAccount' ->> 'connectorId', '') AS connector_id,
          coalesce(e.is_app_access, false) AS is_app_access, r.principal_kind
        FROM revocations r
        JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = r.revoke_task_id
        JOIN routes_public p ON p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.route_no = t.route_no
        CROSS JOIN LATERAL (SELECT p.document #> ARRAY['policySteps', 'certify', 'steps', t.step::text, 'provision', 'provisionPolicy', 'connector']
          AS connector) c
        LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id
        LEFT JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.app_id = r.app_id AND s.source_no = r.source_no AND r.source_no > 0
        WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${[...ids]}) AND r.state = 'IN_PROGRESS' AND r.revoke_task_id <> '' AND c.connector IS NOT NULL),
      judged AS (
        SELECT a.*, CASE WHEN coalesce(a.source_no, 0) = 0 THEN 'MANUAL'
            WHEN a.kind <> 'BATON' OR a.connector ? 'account' THEN 'NO_CONNECTOR'
            WHEN a.connector_id NOT IN ('', a.source_id) THEN 'OTHER_CONNECTOR'
            WHEN NOT a.removals_enabled THEN 'OFF'
            WHEN a.principal_kind <> 'A' THEN 'INHERITED'
            WHEN a.is_app_access AND NOT a.deletes THEN 'APP_ACCESS'
            WHEN a.deletes AND NOT a.is_app_access THEN 'NOT_AN_ACCOUNT'
            ELSE '' END AS reason
        FROM asked a)
      INSERT INTO removal_sendings (tenant_id, revocation_id, source_id, way, state, reason, planned_at, ended_at)
      SELECT ${tenantId}, j.id, coalesce(j.source_id, ''), CASE WHEN j.deletes THEN 'ACCOUNT' ELSE 'GRANT' END,
        CASE WHEN j.reason = '' THEN 'PLANNED' ELSE 'PEOPLE' END, j.reason, ${now}::timestamptz, CASE WHEN j.reason = '' THEN NULL ELSE ${now}::timestamptz END
      FROM judged j
      ON CONFLICT (tenant_id, revocation_id) DO UPDATE SET source_id = excluded.source_id, way = excluded.way, state = excluded.state,
        reason = excluded.reason, task_id = '', failures = 0, host_id = '', hostname = '', package = '', package_version = '', planned_at = excluded.planned_at,
        sent_at = NULL, ended_at = excluded.ended_at, wants_proof = false
      RETURNING source_id AS "sourceId", state`,
  );
  return [...new Set(rows.filter(({ state }) => state === 'PLANNED').map(({ sourceId }) => sourceId))];
}

/** Object of a removal through a connector (`removal_sendings.way`). */
export type SendingWay = 'GRANT' | 'ACCOUNT';

/** A planned removal, with what it is looked for by in the file of its source. */
export interface PlannedRow {
  readonly id: string;
  readonly way: SendingWay;
  /** Key of the account, and id of the entitlement. */
  readonly account: string;
  readonly entitlement: string;
  /** Type of the resource that the connector has to provision; that of the account is found in the file. */
  readonly resourceType: string;
  /** True if the limits let it through lately: it is tried anew, and counts once. */
  readonly hasPassed: boolean;
}

/** The next planned removals of a source. */
export function listPlanned({ db, tenantId, now }: Context, sourceId: string, limit: number): Promise<PlannedRow[]> {
  return db.rows<PlannedRow>(
    sql`SELECT x.revocation_id AS id, x.way, coalesce(a.external_id, '') AS account, coalesce(e.external_id, '') AS entitlement,
        coalesce(t.external_id, '') AS "resourceType", coalesce(x.passed_at > ${new Date(now.getTime() - 24 * 3_600_000)}, false) AS "hasPassed"
      FROM removal_sendings x
      JOIN revocations r ON r.tenant_id = ${tenantId} AND r.id = x.revocation_id
      LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = r.app_id AND a.id = r.account_id
      LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id
      LEFT JOIN resource_types_public t ON t.tenant_id = ${tenantId} AND t.app_id = r.app_id AND t.id = e.resource_type_id
      WHERE x.tenant_id = ${tenantId} AND x.source_id = ${sourceId} AND x.state = 'PLANNED' AND r.state = 'IN_PROGRESS' ORDER BY x.revocation_id LIMIT ${limit}`,
  );
}

/** Counts what limits the removals of a source: those of the last hour and day, and what it reports. */
export function countPassed(
  { db, tenantId, now }: Context,
  sourceId: string,
): Promise<{ readonly hour: number; readonly day: number; readonly held: number }> {
  const since = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
  return db.one(
    sql`SELECT count(*) FILTER (WHERE x.passed_at > ${since(1)}) AS hour, count(*) AS day,
        (SELECT coalesce(sum(e.grant_count), 0) FROM sources_public s JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = s.app_id
          AND e.source_no = s.source_no WHERE s.tenant_id = ${tenantId} AND s.id = ${sourceId}) AS held
      FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.source_id = ${sourceId} AND x.passed_at > ${since(24)}`,
  );
}
