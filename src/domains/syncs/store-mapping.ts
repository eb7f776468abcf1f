/**
 * SQL of the column mapping of a data source; the rest of its table is the connectors' own.
 */
import type { Context } from '../../context.ts';

/** Sets the mapping of a data source. Its time of change moves, so that the same file as before is read again. */
export async function updateColumnMapping(context: Context, sourceId: string, mapping: Readonly<Record<string, string>>): Promise<void> {
  await context.db.run(`UPDATE sources SET column_mapping = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`, [
    context.tenantId,
    sourceId,
    JSON.stringify(mapping),
    context.now,
  ]);
}
