/**
 * How an import looks outside.
 */
import { type ImportJson, type ImportRowNoteJson, ImportRowNoteSchema, ImportSchema } from '../../gen/countersign/v1/imports_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { ImportRow } from './store.ts';

/** An import as countersign.v1.Import. */
export function shapeImport(row: ImportRow): ImportJson {
  const warnings: ImportRowNoteJson[] = row.warnings.map(({ line, column, reason }) =>
    shape(ImportRowNoteSchema, { line: String(line), column, reason }),
  );
  return shape(ImportSchema, {
    id: row.id,
    kind: row.kind === 'PEOPLE' ? 'IMPORT_KIND_PEOPLE' : 'IMPORT_KIND_GRANTS',
    source: row.source,
    appId: row.appId,
    fileSha256: row.fileSha256,
    rows: String(row.rows),
    added: String(row.added),
    changed: String(row.changed),
    removed: String(row.removed),
    unchanged: String(row.unchanged),
    warningCount: String(row.warningCount),
    warnings,
    createdByUserId: row.createdById,
    createdAt: timestamp(row.createdAt),
  });
}
