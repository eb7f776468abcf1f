/** SQL of the syncs that brought states of removals about. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** A sync that brought a state about. */
export interface SyncRow {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly startedAt: string;
}

/** The sync that `r` names, as JSON; null for none. */
export const getSyncSql = ({ tenantId }: Context): Sql => sql`(
  SELECT json_build_object('sourceId', z.id, 'sourceName', z.display_name, 'startedAt', y.started_at)
  FROM syncs_public y JOIN sources_public z ON z.tenant_id = ${tenantId} AND z.id = y.source_id WHERE y.tenant_id = ${tenantId} AND y.id = r.sync_id)`;
