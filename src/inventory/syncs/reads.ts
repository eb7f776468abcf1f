/**
 * Data other modules may read of the imports: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/**
 * `syncs_public`: an import of a file, in whatever state. `syncs_pkey` answers by id, `syncs_by_source` by source, `syncs_by_app` by app.
 */
export interface SyncPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly source: string;
  readonly source_id: string;
  readonly app_id: string;
  readonly previous_id: string;
  readonly revision: number | null;
  readonly rows: number;
  readonly changed: number;
  readonly removed: number;
  readonly error: string;
  readonly created_by_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly created_at: Date;
  readonly reading: unknown;
  readonly file_sha256: string;
  readonly file_format: string;
  readonly rejected: number;
  readonly counts: unknown;
  readonly parts: number | null;
  readonly elsewhere: number | null;
  readonly observed_from: Date;
  readonly is_complete: boolean;
  readonly incomplete_reason: string;
}

/**
 * Returns the last import of the source `c` as `state`, `started_at`, `created_at` and `error`, with `observed_from` of the last one that was done;
 * `syncs_by_source` and `syncs_pkey` answer.
 */
export function getLastSyncSql(): Sql {
  return fixed(`SELECT i.state, i.started_at, i.created_at, i.error,
      (SELECT d.observed_from FROM syncs d WHERE d.tenant_id = c.tenant_id AND d.id = c.last_sync_id) AS observed_from FROM syncs i
    WHERE i.tenant_id = c.tenant_id AND i.source_id = c.id ORDER BY i.id DESC LIMIT 1`);
}

/** Returns the import of the same source before each of these, where there is one; `syncs_pkey` answers. */
export async function listPreviousSyncs({ db, tenantId }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; previousId: string }>(
    sql`SELECT y.id, y.previous_id AS "previousId" FROM syncs y WHERE y.tenant_id = ${tenantId} AND y.id = ANY (${ids}) AND y.previous_id IS NOT NULL`,
  );
  return new Map(rows.map(({ id, previousId }) => [id, previousId]));
}
