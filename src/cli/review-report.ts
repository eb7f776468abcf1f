/** `countersign review report`: has a report made, waits for it and downloads it. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import { AccessReviewActionsService } from '../gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewReportService } from '../gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import type { AccessReviewReportFormatJson, AccessReviewReportJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { writeBody } from './input-file.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { formatBytes } from './progress.ts';
import { pauses } from './wait.ts';

interface ReportOptions extends ConnectOptions {
  readonly format: 'csv' | 'json';
  readonly output?: string;
}

const formats = {
  csv: 'ACCESS_REVIEW_REPORT_FORMAT_CSV',
  json: 'ACCESS_REVIEW_REPORT_FORMAT_JSON',
} as const satisfies Record<string, AccessReviewReportFormatJson>;

/** Adds `review report`. */
export function addReportCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('report').description('make a report, wait for it and download it'))
    .argument('<review>', 'id of the review')
    .addOption(new Option('--format <format>', 'kind of file').choices(['csv', 'json']).default('csv'))
    .option('-o, --output <file>', 'where to write it; - for standard output (default: review-<id>.<format>)')
    .action((id: string, options: ReportOptions) => runReport(io, id, options));
}

async function runReport(io: CommandIo, reviewId: string, options: ReportOptions): Promise<void> {
  const client = connect(io, options);
  const report = await generateReport(io, client, reviewId, formats[options.format]);
  const response = await client.download(report.downloadUrl ?? '');
  const hash = createHash('sha256');
  let size = 0;
  const measured = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        hash.update(piece);
        size += piece.length;
        controller.enqueue(piece);
      },
    }),
  );
  const file = options.output ?? `review-${reviewId}.${options.format}`;
  const toStdout = file === '-';
  // Under another name until it is whole and its hash is right, so that half a report is never mistaken for one.
  const partial = `${file}.part`;
  await writeBody(io, measured ?? null, () => (toStdout ? (io.stdout as Writable) : createWriteStream(partial)));
  const digest = hash.digest('hex');
  if (report.hashes?.['SHA256'] !== undefined && report.hashes['SHA256'] !== digest) {
    if (!toStdout) {
      await unlink(partial);
    }
    throw new CommandFailure(`the download is damaged: its SHA-256 is ${digest}, but the server computed ${report.hashes['SHA256']}`);
  }
  if (!toStdout) {
    await rename(partial, file);
  }
  if (options.json === true) {
    writeJson(toStdout ? io.stderr : io.stdout, { ...report, file, sizeBytes: size });
  } else if (!toStdout) {
    writeLines(io.stdout, `${file}  ${formatBytes(size)}  SHA-256 ${digest}`);
  }
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
