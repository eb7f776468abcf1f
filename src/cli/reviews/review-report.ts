/** `countersign review report`: has a report made, waits for it and downloads it. */
import type { Client } from '../../client/index.ts';
import { AccessReviewActionsService } from '../../gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewReportService } from '../../gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import type { AccessReviewReportFormatJson, AccessReviewReportJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { Commands } from '../frame/commands.ts';
import { CommandFailure, type CommandIo } from '../frame/io.ts';
import { pauses } from '../frame/wait.ts';
import { saveFile } from './save-file.ts';

const formats = {
  csv: 'ACCESS_REVIEW_REPORT_FORMAT_CSV',
  json: 'ACCESS_REVIEW_REPORT_FORMAT_JSON',
  xlsx: 'ACCESS_REVIEW_REPORT_FORMAT_XLSX',
  pdf: 'ACCESS_REVIEW_REPORT_FORMAT_PDF',
} as const satisfies Record<string, AccessReviewReportFormatJson>;

/** Adds `review report` and `review reports`. */
export function addReportCommand(group: Commands): void {
  group.run('report', {
    description: 'make a report, wait for it and download it',
    operands: { '<review>': 'id of the review' },
    options: {
      '--format <format>': { text: 'kind of file', choices: formats, fallback: 'csv' },
      '-o, --output <file>': 'where to write it; - for standard output (default: review-<id>.<format>)',
    },
    act: async ({ review: id, format, output: file = `review-${id}.${format}`, json }, { io, client }) => {
      const report = await generateReport(io, client, id, formats[format]);
      return saveFile(io, client, report, file, json === true);
    },
  });
  group.list('reports', {
    description: 'list the reports of a review, with the hashes of their files',
    operands: { '<review>': 'id of the review' },
    options: { '--limit <number>': { text: 'at most so many', fallback: '25' } },
    method: AccessReviewReportService.method.list,
    columns: {
      ID: 'id',
      FORMAT: { lower: 'format' },
      STATE: { lower: 'state' },
      CREATED: 'createdAt',
      'SHA-256': ({ hashes }) => hashes?.['SHA256'] ?? '',
      MD5: ({ hashes }) => hashes?.['MD5'] ?? '',
    },
  });
}

/** Asks for a report and resolves with it once it can be downloaded. */
async function generateReport(
  io: CommandIo,
  client: Client,
  reviewId: string,
  format: AccessReviewReportFormatJson,
): Promise<AccessReviewReportJson> {
  const before = new Set<string>();
  for await (const report of client.pages(AccessReviewReportService.method.list, { accessReviewId: reviewId })) {
    before.add(report.id ?? '');
  }
  await client.call(AccessReviewActionsService.method.generateReport, { accessReviewId: reviewId, format });
  for await (const _ of pauses(io.signal)) {
    // The reply to the request is empty by contract: ours is the new one of this format.
    const { list } = await client.call(AccessReviewReportService.method.list, { accessReviewId: reviewId });
    const report = (list ?? []).find((one) => !before.has(one.id ?? '') && one.format === format);
    if (report?.state === 'REPORT_STATE_OK') {
      return report;
    }
    if (report?.state === 'REPORT_STATE_ERROR') {
      throw new CommandFailure('the server could not make the report; the reason is in its log');
    }
  }
  throw new CommandFailure('the report did not appear');
}
