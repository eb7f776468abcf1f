/** SQL of how long a tenant keeps what, and of reports whose time is over. */
import type { Context } from '../../../context.ts';

/** Values a tenant set; null where it never did. */
export interface RetentionRow {
  readonly reportDays: number | null;
  readonly eventYears: number | null;
  readonly reviewYears: number | null;
  /** Events from before have no content any more. */
  readonly emptiedUntil: Date | null;
}

/** The settings; undefined where nothing was ever set. */
export function findRetention(context: Context): Promise<RetentionRow | undefined> {
  return context.db.maybe<RetentionRow>(
    `SELECT report_days AS "reportDays", event_years AS "eventYears", review_years AS "reviewYears", emptied_until AS "emptiedUntil"
     FROM retention_settings WHERE tenant_id = $1`,
    [context.tenantId],
  );
}

/** Sets all numbers. */
export async function updateRetention(
  context: Context,
  settings: { readonly reportDays: number; readonly eventYears: number; readonly reviewYears: number },
): Promise<void> {
  await context.db.run(
    `INSERT INTO retention_settings (tenant_id, report_days, event_years, review_years, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id) DO UPDATE SET report_days = excluded.report_days, event_years = excluded.event_years,
       review_years = excluded.review_years, updated_at = excluded.updated_at`,
    [context.tenantId, settings.reportDays, settings.eventYears, settings.reviewYears, context.now],
  );
}

/** Takes down that all events from before are emptied. */
export async function updateEmptiedUntil(context: Context, until: Date): Promise<void> {
  await context.db.run('UPDATE retention_settings SET emptied_until = greatest(emptied_until, $2) WHERE tenant_id = $1', [
    context.tenantId,
    until,
  ]);
}

/** Lets events of before be looked at again: some were left, since a hold stood. */
export async function updateLookAgain(context: Context): Promise<void> {
  await context.db.run('UPDATE retention_settings SET emptied_until = NULL WHERE tenant_id = $1', [context.tenantId]);
}

/** A report with a file. */
export interface OldReport {
  readonly id: string;
  readonly reviewId: string;
  readonly sizeBytes: number;
}

/** A report of a review that has a file, or is being made; undefined for none. */
export function findReportOfReview(context: Context, reviewId: string): Promise<OldReport | undefined> {
  return context.db.maybe<OldReport>(
    `SELECT id, review_id AS "reviewId", size_bytes AS "sizeBytes" FROM reports
     WHERE tenant_id = $1 AND review_id = $2 AND state <> 'ERROR' ORDER BY id LIMIT 1`,
    [context.tenantId, reviewId],
  );
}

/** The report with a file that was finished first, before a time; undefined for none. Those of the reviews `except` do not count. */
export function findOldReport(context: Context, before: Date, except: readonly string[]): Promise<OldReport | undefined> {
  return context.db.maybe(
    `SELECT id, review_id AS "reviewId", size_bytes AS "sizeBytes" FROM reports
     WHERE tenant_id = $1 AND state = 'OK' AND finished_at < $2 AND review_id <> ALL ($3) ORDER BY finished_at LIMIT 1`,
    [context.tenantId, before, except],
  );
}

/** Takes the file of a report away; the report stays, with its hashes. */
export async function removeReportFile(context: Context, id: string, reason: string): Promise<void> {
  await context.db.run("UPDATE reports SET state = 'ERROR', error = $3 WHERE tenant_id = $1 AND id = $2", [context.tenantId, id, reason]);
  await context.db.run('DELETE FROM report_chunks WHERE tenant_id = $1 AND report_id = $2', [context.tenantId, id]);
}
