/** Imports as evidence: what the event of one vouches for of its record, and the rows that a check of the log holds against their events. */
import type { Context } from '../../../context.ts';
import { digestLines, lineOf, type RowDigest } from '../../../lib/log/row-digest.ts';
import { sql } from '../../../lib/sql.ts';
import type { EvidenceSource } from '../../../foundation/log-proofs/index.ts';
import { listSyncsOfEvents, type SyncRow } from './store.ts';

/** The line of an import. Its notes, which are texts for people, are left out: they name whom a file names. */
function lineOfSync(row: SyncRow): string {
  return lineOf({
    added: row.added,
    app: row.appId,
    at: row.createdAt.toISOString(),
    by: row.createdById,
    changed: row.changed,
    counts: row.counts,
    elsewhere: row.elsewhere,
    endedAt: row.endedAt.toISOString(),
    fileFormat: row.fileFormat,
    fileSha256: row.fileSha256,
    // Values that most imports have in common are left out, as it was before there were others.
    ...(!row.isComplete && { incomplete: row.incompleteReason }),
    kind: row.kind,
    ...(row.fetchId !== null && { fetch: row.fetchId }),
    ...(row.observedFrom.getTime() !== row.startedAt.getTime() && { observedFrom: row.observedFrom.toISOString() }),
    parts: row.parts,
    previous: row.previousId,
    rejected: row.rejected,
    removed: row.removed,
    revision: row.revision,
    rows: row.rows,
    source: row.sourceId,
    startedAt: row.startedAt.toISOString(),
    state: row.state,
    sync: row.id,
    unchanged: row.unchanged,
    warnings: row.warningCount,
  });
}

/** Returns the digest that its event has of an import. */
export function digestSync(row: SyncRow): RowDigest {
  return digestLines([lineOfSync(row)]);
}

/** Evidence of imports. */
export const evidence: readonly EvidenceSource[] = [
  {
    table: 'syncs',
    list: async (context: Context, eventIds) =>
      (await listSyncsOfEvents(context, eventIds)).map((row) => ({ eventId: row.eventId, id: row.id, line: lineOfSync(row) })),
    listStray: ({ db, tenantId }, since, limit) =>
      db.rows(
        sql`SELECT s.id FROM syncs s WHERE s.tenant_id = ${tenantId} AND (s.event_id IS NULL OR s.event_id = '' AND s.created_at > ${since})
          ORDER BY s.id LIMIT ${limit}`,
      ),
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT s.event_id AS id FROM syncs s WHERE s.tenant_id = ${tenantId} AND s.event_id > ${after} ORDER BY 1 LIMIT ${limit}`,
      ),
  },
];
