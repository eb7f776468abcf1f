/**
 * SQL about how old the data is that a review asks about: the apps in its scope, their sources, and the last syncs of these.
 */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getFetchesSql } from '../../../inventory/fetches/index.ts';
import type { AgingSource } from '../../../inventory/sources/index.ts';

/** A source of an app with its last sync, and the last one that was done. A push of an identity provider is a sync that was done. */
export interface SourceState {
  readonly connectorId: string;
  readonly appId: string;
  readonly displayName: string;
  readonly appDisplayName: string;
  readonly kind: AgingSource['kind'];
  readonly schedule: string;
  readonly zone: string;
  readonly staleAfter: number | null;
  /** True if a fetch is held. */
  readonly isHeld: boolean;
  readonly isPaused: boolean;
  readonly lastSyncAt: Date | null;
  readonly lastResult: 'DONE' | 'FAILED' | null;
  readonly lastDoneAt: Date | null;
  /** Earliest moment that the data of that one can be of. */
  readonly observedFrom: Date | null;
  /** False if that one may lack something. */
  readonly isComplete: boolean;
  readonly rows: number;
}

/** The sources of these apps by app and number, deleted ones left out. */
export function listSourceStates(context: Context, appIds: readonly string[]): Promise<SourceState[]> {
  const { tenantId } = context;
  return context.db.rows<SourceState>(
    sql`SELECT c.id AS "connectorId", c.app_id AS "appId", c.display_name AS "displayName", n.display_name AS "appDisplayName", c.kind, c.schedule, c.zone, c.stale_after AS "staleAfter",
        f.held_id IS NOT NULL AS "isHeld", c.paused_at IS NOT NULL AS "isPaused",
        greatest(l.at, p.at) AS "lastSyncAt", CASE WHEN p.at >= coalesce(l.at, p.at) THEN 'DONE' ELSE l.state END AS "lastResult",
        greatest(d.at, p.at) AS "lastDoneAt", greatest(d.observed_from, p.at) AS "observedFrom",
        coalesce(d.is_complete, true) AS "isComplete", coalesce(d.rows, p.rows, 0)::bigint AS rows
      FROM sources_public c
      JOIN apps_public n ON n.tenant_id = ${tenantId} AND n.id = c.app_id
      LEFT JOIN LATERAL (SELECT i.state, i.created_at AS at FROM syncs_public i
        WHERE i.tenant_id = ${tenantId} AND i.source_id = c.id ORDER BY i.id DESC LIMIT 1) l ON true
      LEFT JOIN LATERAL (SELECT i.created_at AS at, i.rows, i.observed_from, i.is_complete FROM syncs_public i
        WHERE i.tenant_id = ${tenantId} AND i.source_id = c.id AND i.state = 'DONE' ORDER BY i.id DESC LIMIT 1) d ON true
      LEFT JOIN LATERAL (SELECT max(s.updated_at) AS at, count(*) AS rows FROM scim_resources s
        WHERE c.kind = 'SCIM' AND s.tenant_id = ${tenantId} AND s.source_id = c.id) p ON true
      LEFT JOIN LATERAL (${getFetchesSql()}) f ON true
      WHERE c.tenant_id = ${tenantId} AND c.app_id = ANY (${appIds}) AND c.deleted_at IS NULL ORDER BY c.app_id, c.source_no`,
  );
}

/** Every app that is there. */
export function listAllApps(context: Context): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT a.id FROM apps_public a WHERE a.tenant_id = ${context.tenantId} AND a.deleted_at IS NULL ORDER BY a.id`,
  );
}
