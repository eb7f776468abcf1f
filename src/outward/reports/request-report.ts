/** Asking for a report and reading which there are: owners of the review, Super Administrators and Read-Only Administrators may. */
import { AppError, invalidField } from '../../errors.ts';
import type { AccessReviewReportFormatJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { enqueueJob } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { seesInventory } from '../../foundation/authority/index.ts';
import { signNow } from '../../foundation/log-proofs/index.ts';
import { requireEvidence, type ReviewRow } from '../../governance/reviews/index.ts';
import { buildReportKind } from './build-report.ts';
import { defaultColumns, findColumn } from './items/index.ts';
import { insertReport, listReports, type ReportFormat, type ReportRow, rowFormats } from './store.ts';

/** Report as it is asked for; empty columns mean the default ones. */
export interface ReportRequest {
  readonly format: AccessReviewReportFormatJson;
  readonly columns: readonly string[];
}

const unspecifiedColumn = 'ACCESS_REVIEW_REPORT_COLUMN_UNSPECIFIED';

/** Puts a report into the queue and returns its id. FAILED_PRECONDITION for a review without a snapshot. */
export async function requestReport(context: Context, reviewId: string, request: ReportRequest): Promise<string> {
  const format = formatOf(request.format);
  const columns = columnsOf(request.columns);
  const review = await requireEvidence(context, reviewId, 'read its reports');
  refusePersonnelData(context, columns);
  refuseUnprepared(review);
  // So that the checkpoint in it covers what was decided until now.
  await signNow(context);
  return createReport(context, reviewId, format, columns);
}

/** Puts a report into the queue without asking who may, for those who have asked; `kind` is the job that makes it. */
export function createReport(
  context: Context,
  reviewId: string,
  format: ReportFormat,
  columns: readonly string[] = defaultColumns,
  kind = buildReportKind,
): Promise<string> {
  return inTransaction(context, async (inside) => {
    const id = newId(inside.now);
    await insertReport(inside, { id, reviewId, format, columns, createdById: inside.actor.userId });
    await enqueueJob(inside.db, { tenantId: inside.tenantId, kind, subjectId: id }, inside.now);
    await recordEvent(inside, {
      kind: 'report.requested',
      targetId: reviewId,
      data: { reportId: id, format, columns },
    });
    return id;
  });
}

/** A page of a review's reports that the caller might ask for, newest first, one more than `limit` where there are more. */
export async function listReviewReports(
  context: Context,
  reviewId: string,
  before: string | undefined,
  limit: number,
): Promise<(ReportRow & { readonly format: (typeof rowFormats)[number] })[]> {
  const review = await requireEvidence(context, reviewId, 'read its reports');
  const without = seesInventory(context.actor) ? [] : personnelColumns;
  return listReports(context, { reviewId: review.id, formats: rowFormats, without }, before, limit);
}

/** Columns of what is in no snapshot and on no card: they are people as the directory has them now. */
const personnelColumns: readonly string[] = ['ACCESS_REVIEW_REPORT_COLUMN_EMPLOYEE_ID', 'ACCESS_REVIEW_REPORT_COLUMN_EMPLOYMENT_TYPE'];

function refusePersonnelData({ actor }: Context, columns: readonly string[]): void {
  const found = columns.filter((name) => personnelColumns.includes(name));
  if (found.length > 0 && !seesInventory(actor)) {
    const description = 'holds what only administrators read of people: leave it out, or ask one of them for the report';
    throw new AppError('PERMISSION_DENIED', `${found.join(', ')} ${description}.`, {
      violations: [{ field: 'reportColumnConfig.columns', description }],
    });
  }
}

function refuseUnprepared(review: ReviewRow): void {
  if (review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The access review is ${review.state}: a report needs a prepared review. A report can be made in REVIEW, PENDING, STARTING, OPEN and CLOSED.`,
    );
  }
}

function formatOf(format: AccessReviewReportFormatJson): ReportFormat {
  switch (format) {
    case 'ACCESS_REVIEW_REPORT_FORMAT_CSV':
      return 'CSV';
    case 'ACCESS_REVIEW_REPORT_FORMAT_XLSX':
      return 'XLSX';
    case 'ACCESS_REVIEW_REPORT_FORMAT_PDF':
      return 'PDF';
    default:
      return 'JSON';
  }
}

function columnsOf(names: readonly string[]): readonly string[] {
  const chosen = names.filter((name) => name !== unspecifiedColumn);
  const unknown = chosen.find((name) => findColumn(name) === undefined);
  if (unknown !== undefined) {
    throw invalidField('reportColumnConfig.columns', `there is no column ${unknown}`);
  }
  return chosen.length === 0 ? defaultColumns : [...new Set(chosen)];
}
