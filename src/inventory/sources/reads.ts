/**
 * Data other modules may read of the sources: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import { type Sql, sql } from '../../lib/sql.ts';

/**
 * `sources_public`: a source of accounts and grants, also one that is gone (`deleted_at`). `sources_pkey` answers by id,
 * `sources_by_number` by app and number.
 */
export interface SourcePublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly app_id: string;
  readonly source_no: number;
  readonly kind: string;
  readonly display_name: string;
  readonly name_key: string;
  readonly description: string;
  readonly document: unknown;
  readonly column_mapping: unknown;
  readonly match_order: readonly string[];
  readonly scim_token_hash: Buffer | null;
  readonly paused_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly removals_enabled: boolean;
  readonly removals_hourly: number;
  readonly stale_since: Date | null;
  readonly schedule: string;
  readonly zone: string;
  readonly stale_after: number | null;
}

/** Returns the id of the source that brought the entitlement `e`, or null; `sources_by_number` answers. */
export const sourceIdOfEntitlement = `CASE WHEN e.source_no > 0 THEN (SELECT s.id FROM sources s
  WHERE s.tenant_id = e.tenant_id AND s.app_id = e.app_id AND s.source_no = e.source_no) END`;

/** Returns the condition that this source brought the entitlement `e`; `sources_pkey` answers. */
export function getIsFromSourceSql(tenantId: string, id: string): Sql {
  return sql`(e.app_id, e.source_no) IN (SELECT s.app_id, s.source_no FROM sources s
    WHERE s.tenant_id = ${tenantId} AND s.id = ${id} AND s.app_id <> '' AND s.source_no > 0)`;
}
