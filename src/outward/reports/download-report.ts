/** Serving a report's file to whoever holds a signed link: who that is was settled when the link was given. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findReview } from '../../governance/reviews/index.ts';
import { isLinkValid } from './links/index.ts';
import { findChunk, findNextWithFile, findReport, type ReportFormat, type ReportRow } from './store.ts';

/** A file about to be sent; `content` reads a piece at a time, each in its own moment. */
export interface ReportFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hexadecimal SHA-256. */
  readonly sha256: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Type and ending of each format. */
const files: Readonly<Record<ReportFormat, { readonly contentType: string; readonly ending: string }>> = {
  CSV: { contentType: 'text/csv; charset=utf-8', ending: 'csv' },
  JSON: { contentType: 'application/json; charset=utf-8', ending: 'json' },
  XLSX: { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx' },
  PDF: { contentType: 'application/pdf', ending: 'pdf' },
  BUNDLE: { contentType: 'application/zip', ending: 'evidence.zip' },
};

/** The file behind a link. PERMISSION_DENIED where the link is not ours or its time is over, NOT_FOUND where the file is not there. */
export async function openReport(
  context: Context,
  tenantSecret: Buffer,
  link: { reportId: string; expires: string; signature: string },
): Promise<ReportFile> {
  if (!isLinkValid(tenantSecret, link, context.now)) {
    throw new AppError(
      'PERMISSION_DENIED',
      'This link is not valid, or has expired. Links to reports work for 15 minutes. List the reports again for a new one.',
    );
  }
  const report = await findReport(context, link.reportId);
  const review = report === undefined ? undefined : await findReview(context, report.reviewId);
  if (report === undefined || report.state !== 'OK' || review?.state === 'DELETED') {
    throw new AppError('NOT_FOUND', 'There is no such report.');
  }
  return {
    fileName: nameFile(report, review?.document.displayName),
    contentType: files[report.format].contentType,
    sizeBytes: report.sizeBytes,
    sha256: report.hashes['SHA256'] ?? '',
    content: readPieces(context, report.id),
  };
}

async function* readPieces(context: Context, reportId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const piece = await findChunk(context, reportId, number);
    if (piece === undefined) {
      return;
    }
    yield piece;
  }
}

/** Most characters of a review's name in that of a file. */
const maxName = 80;

/** A file's name says which review it is of, in what every system takes for a name; by its id where it has no letter or digit. */
function nameFile({ reviewId, createdAt, format }: ReportRow, reviewName = ''): string {
  const words =
    reviewName
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join('-') ?? '';
  const name = [...words].slice(0, maxName).join('') || `review-${reviewId}`;
  return `${name}-${createdAt.toISOString().slice(0, 10)}.${files[format].ending}`;
}

/** Opens the files of all reports of the tenant, one after the other; each name begins with the report's id. */
export async function* openAllReports(context: Context): AsyncGenerator<Pick<ReportFile, 'fileName' | 'content'>> {
  for (let after = ''; ; ) {
    const report = await findNextWithFile(context, after);
    if (report === undefined) {
      return;
    }
    yield { fileName: `${report.id}-${nameFile(report)}`, content: readPieces(context, report.id) };
    after = report.id;
  }
}
