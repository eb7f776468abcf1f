/**
 * SQL of the table `imports`: one row for each file that was taken in. What the files changed is written by the other stores.
 */
import type { Scope } from '../../scope.ts';
import type { RowNote } from './types.ts';

/** One import that was done. */
export interface ImportRow {
  readonly id: string;
  readonly kind: 'PEOPLE' | 'GRANTS';
  readonly source: string;
  readonly appId: string;
  /** SHA-256 of the text, decompressed. */
  readonly fileSha256: string;
  /** The inventory revision as of which the file holds; null for people. */
  readonly revision: number | null;
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly warningCount: number;
  readonly warnings: readonly RowNote[];
  readonly createdById: string;
  readonly createdAt: Date;
}

const columns = `id, kind, source, app_id AS "appId", file_sha256 AS "fileSha256", revision, rows, added, changed, removed, unchanged,
  warning_count AS "warningCount", warnings, created_by_id AS "createdById", created_at AS "createdAt"`;

/** The import with this id. */
export function findImport(scope: Scope, id: string): Promise<ImportRow | undefined> {
  return scope.db.maybe<ImportRow>(`SELECT ${columns} FROM imports WHERE tenant_id = $1 AND id = $2`, [scope.tenantId, id]);
}

/** A page of imports, the newest first; `before` is the last id of the page before. */
export function listImports(scope: Scope, before: string | undefined, limit: number): Promise<ImportRow[]> {
  return scope.db.rows<ImportRow>(`SELECT ${columns} FROM imports WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`, [
    // '~' sorts behind every identifier.
    scope.tenantId,
    before ?? '~',
    limit,
  ]);
}

/** Adds the record of an import. */
export async function insertImport(scope: Scope, row: ImportRow): Promise<void> {
  await scope.db.run(
    `INSERT INTO imports (tenant_id, id, kind, source, app_id, file_sha256, revision, rows, added, changed, removed, unchanged,
       warning_count, warnings, created_by_id, created_at, started_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      scope.tenantId,
      row.id,
      row.kind,
      row.source,
      row.appId,
      row.fileSha256,
      row.revision,
      row.rows,
      row.added,
      row.changed,
      row.removed,
      row.unchanged,
      row.warningCount,
      JSON.stringify(row.warnings),
      row.createdById,
      row.createdAt,
    ],
  );
}
