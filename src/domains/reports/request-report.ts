/** Asking for a report and reading which there are: owners of the review, Super Administrators and Read-Only Administrators may. */
import { AppError, invalidField } from '../../errors.ts';
import type { AccessReviewReportFormatJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { enqueueJob } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { requireEvidence, type ReviewRow } from '../reviews/index.ts';
import { buildReportKind } from './build-report.ts';
import { defaultColumns, findColumn } from './columns.ts';
import { insertReport, listReports, type ReportFormat, type ReportRow } from './store.ts';

/** What a report is asked to be; empty columns mean the default ones. */
export interface ReportRequest {
  readonly format: AccessReviewReportFormatJson;
  readonly columns: readonly string[];
}

const unspecifiedColumn = 'ACCESS_REVIEW_REPORT_COLUMN_UNSPECIFIED';

/** Puts a report into the queue and returns its id. FAILED_PRECONDITION for a review without a snapshot, INVALID_ARGUMENT for XLSX. */
export async function requestReport(context: Context, reviewId: string, request: ReportRequest): Promise<string> {
  const format = formatOf(request.format);
  const columns = columnsOf(request.columns);
  const review = await requireEvidence(context, reviewId, 'read its reports');
  refuseUnprepared(review);
  return createReport(context, reviewId, format, columns);
}

/** Puts a report into the queue without asking who may; for those who have asked. */
export function createReport(
  context: Context,
  reviewId: string,
  format: ReportFormat,
  columns: readonly string[] = defaultColumns,
): Promise<string> {
  return inTransaction(context, async (inside) => {
    const id = newId(inside.now);
    await insertReport(inside, { id, reviewId, format, columns, createdById: inside.actor.userId });
    await enqueueJob(inside.db, { tenantId: inside.tenantId, kind: buildReportKind, subjectId: id }, inside.now);
    await recordEvent(inside, {
      kind: 'report.requested',
      targetType: 'access_review',
      targetId: reviewId,
      data: { reportId: id, format, columns },
    });
    return id;
  });
}

/** A page of a review's reports, newest first, one more than `limit` where there are more. */
export async function listReviewReports(
  context: Context,
  reviewId: string,
  before: string | undefined,
  limit: number,
): Promise<ReportRow[]> {
  const review = await requireEvidence(context, reviewId, 'read its reports');
  return listReports(context, review.id, before, limit);
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
      throw invalidField('format', 'XLSX is not supported yet; use ACCESS_REVIEW_REPORT_FORMAT_CSV or ACCESS_REVIEW_REPORT_FORMAT_JSON');
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
