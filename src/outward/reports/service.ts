/** The contract's methods about reports. */
import { AccessReviewActionsService } from '../../gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewReportService } from '../../gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import {
  AccessReviewReportColumnSchema,
  AccessReviewReportFormatSchema,
  type AccessReviewReportFormatJson,
} from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { listReviewReports, requestReport } from './request-report.ts';
import { withLinks } from './view.ts';

const actions = implement(AccessReviewActionsService, {
  generateReport: async (context, request) => {
    await requestReport(context, request.accessReviewId, {
      format: (AccessReviewReportFormatSchema.value[request.format]?.name ?? '') as AccessReviewReportFormatJson,
      columns: (request.reportColumnConfig?.columns ?? []).map((column) => AccessReviewReportColumnSchema.value[column]?.name ?? ''),
    });
    return {};
  },
});

const reports = implement(AccessReviewReportService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listReviewReports(context, request.accessReviewId, after?.[0], limit),
      (row) => [row.id],
    );
    return { list: await withLinks(context, call.baseUrl, rows), nextPageToken };
  },
});

/** Services of the reports module. */
export const services: readonly BoundService[] = [actions, reports];
