/** SQL of reports and of the pieces of their files. What they tell of items is in items/store-items.ts. */
import type { Context } from '../../context.ts';
import { fixed, sql } from '../../lib/sql.ts';
import { getLastSignatureSql } from '../../governance/tasks/index.ts';
import { accountNameSql } from './items/index.ts';

/** Format of a report (`reports.format`). */
export type ReportFormat = 'CSV' | 'JSON' | 'XLSX' | 'PDF' | 'BUNDLE';
/** Format of what somebody asks for as a report; a bundle is asked for as evidence. */
export const rowFormats = ['CSV', 'JSON', 'XLSX', 'PDF'] as const;
/** State of a report: being made, there, or failed (`reports.state`). */
export type ReportStateName = 'PENDING' | 'OK' | 'ERROR';

/** A report without its content. */
export interface ReportRow {
  readonly id: string;
  readonly reviewId: string;
  readonly format: ReportFormat;
  /** Names of AccessReviewReportColumn, in the order of the file. */
  readonly columns: readonly string[];
  readonly state: ReportStateName;
  readonly error: string;
  readonly sizeBytes: number;
  /** Digest by algorithm, in hexadecimal; empty until it is done. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly createdById: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const reportColumns = `id, review_id AS "reviewId", format, columns, state, error, size_bytes AS "sizeBytes", hashes,
  created_by_id AS "createdById", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Adds a pending report. */
export async function insertReport(
  context: Context,
  report: Pick<ReportRow, 'id' | 'reviewId' | 'format' | 'columns' | 'createdById'>,
): Promise<void> {
  await context.db.run(
    'INSERT INTO reports (tenant_id, id, review_id, format, columns, created_by_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [context.tenantId, report.id, report.reviewId, report.format, report.columns, report.createdById, context.now],
  );
}

/** The report with this id. */
export function findReport(context: Context, id: string): Promise<ReportRow | undefined> {
  return context.db.maybe<ReportRow>(`SELECT ${reportColumns} FROM reports WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** The next report behind an id that has a file. */
export function findNextWithFile(context: Context, after: string): Promise<ReportRow | undefined> {
  return context.db.maybe<ReportRow>(
    `SELECT ${reportColumns} FROM reports WHERE tenant_id = $1 AND id > $2 AND state = 'OK' ORDER BY id LIMIT 1`,
    [context.tenantId, after],
  );
}

/** A review's files of these formats and without these columns, newest first; `before` is the last id of the page before. */
export function listReports<Format extends ReportFormat>(
  context: Context,
  {
    reviewId,
    formats,
    without = [],
  }: { readonly reviewId: string; readonly formats: readonly Format[]; readonly without?: readonly string[] },
  before: string | undefined,
  limit: number,
): Promise<(ReportRow & { readonly format: Format })[]> {
  return context.db.rows(
    `SELECT ${reportColumns} FROM reports
     WHERE tenant_id = $1 AND review_id = $2 AND id < $3 AND format = ANY ($4) AND NOT columns && $5 ORDER BY id DESC LIMIT $6`,
    // '~' sorts behind every identifier.
    [context.tenantId, reviewId, before ?? '~', formats, without, limit],
  );
}

/** Marks a report as done. */
export async function updateReportDone(
  context: Context,
  id: string,
  sizeBytes: number,
  hashes: Readonly<Record<string, string>>,
): Promise<void> {
  await context.db.run(
    `UPDATE reports SET state = 'OK', error = '', size_bytes = $3, hashes = $4, finished_at = $5 WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, sizeBytes, JSON.stringify(hashes), context.now],
  );
}

/** Marks a report as failed for good; its pieces are of no use to anybody. */
export async function updateReportFailed(context: Context, id: string, error: string): Promise<void> {
  await context.db.run(`UPDATE reports SET state = 'ERROR', error = $3, finished_at = $4 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    error,
    context.now,
  ]);
  await context.db.run('DELETE FROM report_chunks WHERE tenant_id = $1 AND report_id = $2', [context.tenantId, id]);
}

/** Adds one piece of the file. */
export async function insertChunk(context: Context, reportId: string, number: number, content: Buffer): Promise<void> {
  await context.db.run('INSERT INTO report_chunks (tenant_id, report_id, number, content) VALUES ($1, $2, $3, $4)', [
    context.tenantId,
    reportId,
    number,
    content,
  ]);
}

/** The piece with this number, counted from 0; undefined behind the last. */
export function findChunk(context: Context, reportId: string, number: number): Promise<Buffer | undefined> {
  return context.db.maybeValue<Buffer>('SELECT content FROM report_chunks WHERE tenant_id = $1 AND report_id = $2 AND number = $3', [
    context.tenantId,
    reportId,
    number,
  ]);
}

/** Removes the pieces from this number on, or those before it, which are notes of a file that is being made. */
export async function removeChunks(context: Context, reportId: string, which: 'from' | 'before', number: number): Promise<void> {
  await context.db.run('DELETE FROM report_chunks WHERE tenant_id = $1 AND report_id = $2 AND (number >= $3) = $4', [
    context.tenantId,
    reportId,
    number,
    which === 'from',
  ]);
}

/** Counts the rows a report of this review has. */
export function countReportRows(context: Context, reviewId: string): Promise<number> {
  return context.db.value<number>('SELECT count(*) AS count FROM tasks_public WHERE tenant_id = $1 AND review_id = $2', [
    context.tenantId,
    reviewId,
  ]);
}

/** What a task asked about, in the words that its review froze; null where nothing of it was. */
export interface TaskWords {
  readonly id: string;
  readonly number: number;
  readonly account: string;
  readonly appName: string | null;
  readonly resource: string | null;
  readonly entitlement: string | null;
  /** Of the last decision about it; null for none. */
  readonly signatureId: string | null;
}

/** The numbers and words of these tasks by their ids. */
export async function listTaskWords({ db, tenantId }: Context, ids: readonly string[]): Promise<Map<string, TaskWords>> {
  const rows = await db.rows<TaskWords>(
    sql`SELECT t.id, t.numeric_id AS number, ${fixed(accountNameSql)} AS account, e.app_display_name AS "appName",
        e.resource_display_name AS resource, e.display_name AS entitlement, ${getLastSignatureSql(tenantId)} ->> 'id' AS "signatureId"
      FROM tasks_public t
      LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
      LEFT JOIN snapshot_entitlements e
        ON e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
      WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${[...ids]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Counts a review's reports that nobody asked for. */
export function countAutomaticReports(context: Context, reviewId: string): Promise<number> {
  return context.db.value<number>(`SELECT count(*) AS count FROM reports WHERE tenant_id = $1 AND review_id = $2 AND created_by_id = ''`, [
    context.tenantId,
    reviewId,
  ]);
}
