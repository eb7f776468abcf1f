/** The contract's methods about reports. */
import {
  AccessReviewActionsService,
  AccessReviewActionsServiceGenerateReportResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import {
  AccessReviewReportService,
  AccessReviewReportServiceListResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import {
  AccessReviewReportColumnSchema,
  AccessReviewReportFormatSchema,
  type AccessReviewReportFormatJson,
  AccessReviewReportSchema,
} from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { findTenant } from '../tenants/index.ts';
import { listReviewReports, requestReport } from './request-report.ts';
import { signLink } from './sign-link.ts';
import type { ReportRow } from './store.ts';

const actions = implement(AccessReviewActionsService, {
  generateReport: async (context, request) => {
    await requestReport(context, request.accessReviewId, {
      format: (AccessReviewReportFormatSchema.value[request.format]?.name ?? '') as AccessReviewReportFormatJson,
      columns: (request.reportColumnConfig?.columns ?? []).map((column) => AccessReviewReportColumnSchema.value[column]?.name ?? ''),
    });
    return shape(AccessReviewActionsServiceGenerateReportResponseSchema, {});
  },
});

const reports = implement(AccessReviewReportService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listReviewReports(context, request.accessReviewId, after?.[0], limit),
      (row) => [row.id],
    );
    const secret = await secretOf(context);
    const list = rows.map((row) => shapeReport(row, row.state === 'OK' ? signLink(secret, call.baseUrl, row.id, context.now) : ''));
    return shape(AccessReviewReportServiceListResponseSchema, { list, nextPageToken });
  },
});

async function secretOf(context: Context): Promise<Buffer> {
  const tenant = await findTenant(context.db, context.tenantId);
  if (tenant === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such tenant.');
  }
  return tenant.secret;
}

/** A report as the API shows it; `downloadUrl` is empty until there is a file. */
function shapeReport(row: ReportRow, downloadUrl: string) {
  return shape(AccessReviewReportSchema, {
    id: row.id,
    accessReviewId: row.reviewId,
    createdAt: timestamp(row.createdAt),
    downloadUrl,
    format: `ACCESS_REVIEW_REPORT_FORMAT_${row.format}`,
    hashes: { ...row.hashes },
    state: `REPORT_STATE_${row.state}`,
  });
}

/** What the reports module serves. */
export const services: readonly BoundService[] = [actions, reports];
