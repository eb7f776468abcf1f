/**
 * SQL of the table `imports`: one row for each file that was taken in, or refused. What the files changed is written by the other stores.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { getFormerAddressesSql } from '../../../foundation/directory/index.ts';
import { getRecordKeysSql } from '../../people/index.ts';
import type { Findings, HowRead, KindCounts, RowNote } from '../values/index.ts';

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
  readonly fileFormat: 'CSV' | 'XLSX' | 'C1Z' | '';
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
  /** Digest of the people as matching saw them (findPeopleDigest). */
  readonly peopleDigest: string;
  /** Way the file was read; undefined where it was refused, as are the findings. */
  readonly howRead: HowRead | undefined;
  readonly findings: Findings | undefined;
  readonly createdById: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Earliest moment that its data can be of. */
  readonly observedFrom: Date;
  /** False if something may be missing: it ended nothing, and proves no absence. */
  readonly isComplete: boolean;
  /** A word for what may be missing; '' where nothing is. */
  readonly incompleteReason: string;
  /** The fetch that brought its rows; null for an upload. */
  readonly fetchId: string | null;
  readonly createdAt: Date;
  /** Grants that the rows of the file name, each counted, and those of them that another source holds; null where that was not counted. */
  readonly parts: number | null;
  readonly elsewhere: number | null;
  /** The event that recorded it; '' for one of before events recorded imports. */
  readonly eventId: string;
}

const columns = `id, kind, state, source, source_id AS "sourceId", app_id AS "appId", previous_id AS "previousId", file_sha256 AS "fileSha256",
  file_format AS "fileFormat", read_as AS "readAs", revision, rows, added, changed, removed, unchanged, rejected, counts, warning_count AS "warningCount", warnings, error,
  row_errors AS "rowErrors", people_digest AS "peopleDigest", nullif(reading, '{}') AS "howRead", nullif(findings, '{}') AS findings, created_by_id AS "createdById", started_at AS "startedAt", ended_at AS "endedAt",
  created_at AS "createdAt", parts, elsewhere, event_id AS "eventId", observed_from AS "observedFrom", is_complete AS "isComplete",
  incomplete_reason AS "incompleteReason", fetch_id AS "fetchId"`;

/** The import with this id. */
export function findSync(context: Context, id: string): Promise<SyncRow | undefined> {
  return context.db.maybe<SyncRow>(`SELECT ${columns} FROM syncs WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** The imports that these events recorded, by id. */
export function listSyncsOfEvents(context: Context, eventIds: readonly string[]): Promise<SyncRow[]> {
  return context.db.rows<SyncRow>(`SELECT ${columns} FROM syncs WHERE tenant_id = $1 AND event_id = ANY ($2) ORDER BY id`, [
    context.tenantId,
    eventIds,
  ]);
}

/** The last import of each of these sources that was done at a moment, by source. */
export async function listSyncsAt(context: Context, sourceIds: readonly string[], at: Date): Promise<ReadonlyMap<string, SyncRow>> {
  const rows = await context.db.rows<SyncRow>(
    `SELECT i.* FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
       SELECT ${columns} FROM syncs WHERE tenant_id = $1 AND source_id = wanted AND state = 'DONE' AND created_at <= $3 ORDER BY id DESC LIMIT 1
     ) i`,
    [context.tenantId, sourceIds, at],
  );
  return new Map(rows.map((row) => [row.sourceId, row]));
}

/** An import, and whether its app is still as of its revision. */
export type LastSync = SyncRow & { readonly isCurrent: boolean };

/** The import with this id, and whether no later revision is of its app. */
export function findLastSync(context: Context, appId: string, id: string): Promise<LastSync | undefined> {
  return context.db.maybe<LastSync>(
    `SELECT ${columns}, NOT EXISTS (SELECT FROM revisions_public r WHERE r.tenant_id = $1 AND r.app_id = $3 AND r.revision > i.revision) AS "isCurrent"
     FROM syncs i WHERE tenant_id = $1 AND id = $2 AND state = 'DONE' AND app_id = $3`,
    [context.tenantId, id, appId],
  );
}

/**
 * A digest of all that matching accounts reads of the people, of what their records say and of addresses they had before, in no order: the same digest
 * means that every account matches as it did. Reads all people, records and former addresses once.
 */
export function findPeopleDigest({ db, tenantId }: Context): Promise<string> {
  const sum = (...columns: readonly string[]): Sql =>
    fixed(`coalesce(sum(hashtextextended(concat_ws(chr(31), ${columns.join(', ')}), 0)), 0)`);
  // Who was called otherwise at the same address matches as before.
  const isFree = sql`NOT EXISTS (SELECT FROM users_public h WHERE h.tenant_id = ${tenantId} AND h.email_key = w.email_key AND h.email_key <> '')`;
  return db.value<string>(
    sql`SELECT concat_ws('/', count(*), ${sum('id', 'email_key', 'employee_id', 'username', 'status', 'user_type')},
       (SELECT ${sum('k.id', 'k.email_key', 'k.employee_id', 'k.username_key')} FROM ${getRecordKeysSql(tenantId)} AS k),
       (SELECT ${sum('f.id', 'f.email_key')} FROM (SELECT DISTINCT w.id, w.email_key FROM ${getFormerAddressesSql(tenantId)} AS w WHERE ${isFree}) AS f)) AS digest
     FROM users_public WHERE tenant_id = ${tenantId}`,
  );
}

/** Filters of lists of imports. */
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
  const where = [sql`tenant_id = ${context.tenantId} AND id < ${before ?? '~'}`, ...listConditions(filter, conditions)];
  return context.db.rows<SyncRow>(sql`SELECT ${fixed(columns)} FROM syncs WHERE ${allSql(where)} ORDER BY id DESC LIMIT ${limit}`);
}

/** Adds the record of an import. */
export async function insertSync(context: Context, row: SyncRow): Promise<void> {
  await context.db.run(
    `INSERT INTO syncs (tenant_id, id, kind, state, source, source_id, app_id, previous_id, file_sha256, file_format, read_as, revision, rows,
       added, changed, removed, unchanged, rejected, counts, warning_count, warnings, error, row_errors, people_digest, created_by_id,
       started_at, ended_at, created_at, reading, findings, parts, elsewhere, event_id, observed_from, is_complete, incomplete_reason, fetch_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37)`,
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
      row.parts,
      row.elsewhere,
      row.eventId,
      row.observedFrom,
      row.isComplete,
      row.incompleteReason,
      row.fetchId,
    ],
  );
}
