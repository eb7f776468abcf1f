/**
 * SQL about how old the data is that a review asks about: the apps in its scope, their sources, and the last syncs of these.
 */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** A source of an app with its last sync, and the last one that was done. A push of an identity provider is a sync that was done. */
export interface SourceState {
  readonly connectorId: string;
  readonly appId: string;
  readonly displayName: string;
  readonly appDisplayName: string;
  readonly kind: 'FILE' | 'SCIM';
  readonly isPaused: boolean;
  readonly lastSyncAt: Date | null;
  readonly lastResult: 'DONE' | 'FAILED' | null;
  readonly lastDoneAt: Date | null;
  readonly rows: number;
}

/** The sources of these apps by app and number, deleted ones left out. */
export function listSourceStates(context: Context, appIds: readonly string[]): Promise<SourceState[]> {
  const { tenantId } = context;
  return context.db.rows<SourceState>(
    sql`SELECT c.id AS "connectorId", c.app_id AS "appId", c.display_name AS "displayName", n.display_name AS "appDisplayName", c.kind, c.paused_at IS NOT NULL AS "isPaused",
        greatest(l.at, p.at) AS "lastSyncAt", CASE WHEN p.at >= coalesce(l.at, p.at) THEN 'DONE' ELSE l.state END AS "lastResult",
        greatest(d.at, p.at) AS "lastDoneAt", coalesce(d.rows, p.rows, 0)::bigint AS rows
      FROM sources c
      JOIN apps n ON n.tenant_id = ${tenantId} AND n.id = c.app_id
      LEFT JOIN LATERAL (SELECT i.state, i.created_at AS at FROM syncs i
        WHERE i.tenant_id = ${tenantId} AND i.source_id = c.id ORDER BY i.id DESC LIMIT 1) l ON true
      LEFT JOIN LATERAL (SELECT i.created_at AS at, i.rows FROM syncs i
        WHERE i.tenant_id = ${tenantId} AND i.source_id = c.id AND i.state = 'DONE' ORDER BY i.id DESC LIMIT 1) d ON true
      LEFT JOIN LATERAL (SELECT max(s.updated_at) AS at, count(*) AS rows FROM scim_resources s
        WHERE c.kind = 'SCIM' AND s.tenant_id = ${tenantId} AND s.source_id = c.id) p ON true
      WHERE c.tenant_id = ${tenantId} AND c.app_id = ANY (${appIds}) AND c.deleted_at IS NULL ORDER BY c.app_id, c.source_no`,
  );
}

/** The apps of a snapshot. */
export async function listSnapshotApps(context: Context, reviewId: string): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT DISTINCT e.app_id AS id FROM review_entitlements e WHERE e.tenant_id = ${context.tenantId} AND e.review_id = ${reviewId}`,
  );
  return rows.map((row) => row.id);
}

/** The apps that the lists of a draft name. */
export async function listChosenApps(context: Context, reviewId: string): Promise<string[]> {
  const { tenantId } = context;
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT s.app_id AS id FROM review_setup_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
      UNION SELECT t.app_id FROM review_setup_resource_types t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}
      UNION SELECT x.app_id FROM scope_entries x
        WHERE x.tenant_id = ${tenantId} AND x.subject_id = ${reviewId} AND x.list IN ('RESOURCE', 'SCOPE_ROLE') AND x.app_id <> ''`,
  );
  return rows.map((row) => row.id);
}

/** Every app that is there. */
export async function listAllApps(context: Context): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT a.id FROM apps a WHERE a.tenant_id = ${context.tenantId} AND a.deleted_at IS NULL ORDER BY a.id`,
  );
  return rows.map((row) => row.id);
}
