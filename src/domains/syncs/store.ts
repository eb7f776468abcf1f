/**
 * SQL of the table `imports`: one row for each file that was taken in, or refused. What the files changed is written by the other stores.
 */
import { allOf, fixed, sql } from '../../lib/sql.ts';
import { type Conditions, conditionsOf } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import type { Findings, HowRead, KindCounts, RowNote } from './types.ts';

/** One import. */
export interface SyncRow {
  readonly id: string;
  /** As in `syncs.kind`. */
  readonly kind: 'PEOPLE' | 'GRANTS';
  /** As in `syncs.state`. */
  readonly state: 'DONE' | 'FAILED';
  readonly source: string;
  /** '' where the data source was never made. */
  readonly sourceId: string;
  readonly appId: string;
  /** The last one of the same data source that was done before; '' for the first. */
  readonly previousId: string;
  /** SHA-256 of the text, decompressed. */
  readonly fileSha256: string;
  /** As in `syncs.file_format`; '' where the file was refused before that was known, as is the hash where it was not read to its end. */
  readonly fileFormat: 'CSV' | 'XLSX' | '';
  /** The sheet and the mapping asked for with this file alone (AskedReading.key); '' for none. */
  readonly readAs: string;
  /** The inventory revision as of which the file holds; null for people, and where it failed. */
  readonly revision: number | null;
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Row errors. */
  readonly rejected: number;
  /** By kind: people, accounts, resourceTypes, resources, entitlements, grants. */
  readonly counts: Readonly<Record<string, KindCounts>>;
  readonly warningCount: number;
  readonly warnings: readonly RowNote[];
  readonly error: string;
  readonly rowErrors: readonly RowNote[];
  /** What matching saw of the people (findPeopleDigest). */
  readonly peopleDigest: string;
  /** How the file was read; undefined where it was refused, as are the findings. */
  readonly howRead: HowRead | undefined;
  readonly findings: Findings | undefined;
  readonly createdById: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly createdAt: Date;
}

const columns = `id, kind, state, source, source_id AS "sourceId", app_id AS "appId", previous_id AS "previousId", file_sha256 AS "fileSha256",
  file_format AS "fileFormat", read_as AS "readAs", revision, rows, added, changed, removed, unchanged, rejected, counts, warning_count AS "warningCount", warnings, error,
  row_errors AS "rowErrors", people_digest AS "peopleDigest", nullif(reading, '{}') AS "howRead", nullif(findings, '{}') AS findings, created_by_id AS "createdById", started_at AS "startedAt", ended_at AS "endedAt",
  created_at AS "createdAt"`;

/** The import with this id. */
export function findSync(context: Context, id: string): Promise<SyncRow | undefined> {
  return context.db.maybe<SyncRow>(`SELECT ${columns} FROM syncs WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** An import, and whether its app is still as of its revision. */
export type LastSync = SyncRow & { readonly isCurrent: boolean };

/** The import with this id, and whether no later revision is of its app. */
export function findLastSync(context: Context, appId: string, id: string): Promise<LastSync | undefined> {
  return context.db.maybe<LastSync>(
    `SELECT ${columns}, NOT EXISTS (SELECT FROM inventory_revisions r WHERE r.tenant_id = $1 AND r.app_id = $3 AND r.revision > i.revision) AS "isCurrent"
     FROM syncs i WHERE tenant_id = $1 AND id = $2 AND state = 'DONE' AND app_id = $3`,
    [context.tenantId, id, appId],
  );
}

/**
 * A digest of all that matching accounts reads of the people, in no order: the same digest means that every account matches as it did. Reads
 * all people once.
 */
export async function findPeopleDigest(context: Context): Promise<string> {
  const { digest } = await context.db.one<{ digest: string }>(
    `SELECT count(*) || '/' || coalesce(sum(hashtextextended(concat_ws(chr(31), id, email_key, employee_id, username, status, user_type), 0)), 0) AS digest
     FROM users WHERE tenant_id = $1`,
    [context.tenantId],
  );
  return digest;
}

/** What lists of imports are filtered by. */
export interface SyncFilter {
  readonly sourceId?: string;
  readonly appId?: string;
  readonly state?: string;
}

const conditions: Conditions<SyncFilter> = {
  sourceId: (id) => sql`source_id = ${id}`,
  appId: (id) => sql`app_id = ${id} AND app_id <> ''`,
  state: (state) => sql`state = ${state}`,
};

/** A page of imports, the newest first; `before` is the last id of the page before. */
export function listSyncs(context: Context, filter: SyncFilter, before: string | undefined, limit: number): Promise<SyncRow[]> {
  // '~' sorts behind every identifier.
  const where = [sql`tenant_id = ${context.tenantId} AND id < ${before ?? '~'}`, ...conditionsOf(filter, conditions)];
  return context.db.rows<SyncRow>(sql`SELECT ${fixed(columns)} FROM syncs WHERE ${allOf(where)} ORDER BY id DESC LIMIT ${limit}`);
}

/** Adds the record of an import. */
export async function insertSync(context: Context, row: SyncRow): Promise<void> {
  await context.db.run(
    `INSERT INTO syncs (tenant_id, id, kind, state, source, source_id, app_id, previous_id, file_sha256, file_format, read_as, revision, rows,
       added, changed, removed, unchanged, rejected, counts, warning_count, warnings, error, row_errors, people_digest, created_by_id,
       started_at, ended_at, created_at, reading, findings)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30)`,
    [
      context.tenantId,
      row.id,
      row.kind,
      row.state,
      row.source,
      row.sourceId,
      row.appId,
      row.previousId,
      row.fileSha256,
      row.fileFormat,
      row.readAs,
      row.revision,
      row.rows,
      row.added,
      row.changed,
      row.removed,
      row.unchanged,
      row.rejected,
      JSON.stringify(row.counts),
      row.warningCount,
      JSON.stringify(row.warnings),
      row.error,
      JSON.stringify(row.rowErrors),
      row.peopleDigest,
      row.createdById,
      row.startedAt,
      row.endedAt,
      row.createdAt,
      JSON.stringify(row.howRead ?? {}),
      JSON.stringify(row.findings ?? {}),
    ],
  );
}
