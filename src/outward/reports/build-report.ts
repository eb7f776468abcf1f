/**
 * Making a report's file, some pieces at a time: each chunk of the job reads the next items, writes them as pieces and remembers where it
 * stands, so that memory stays bounded and a kill costs one chunk. A review under way is reported as it is while its items are read.
 */
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { countFormerAddresses } from '../../governance/snapshots/index.ts';
import { countPastEnds, findFrozenTerms } from '../../governance/tasks/index.ts';
import { findFlagged, findReview } from '../../governance/reviews/index.ts';
import type { SheetPlace } from './report-sheet.ts';
import type { BuildCursor, WrittenPiece } from './build-cursor.ts';
import { makePdf, writePdf } from './build-pdf.ts';
import { writeWorkbookPiece } from './build-workbook.ts';
import { failReport, finishReport } from './finish-report.ts';
import { columnsNamed, readItems, rowsPerPiece, rowWriters } from './items/index.ts';
import { hasEndedSecondReview } from '../../governance/second-reviews/index.ts';
import { countReportRows, findReport, insertChunk, type ReportRow } from './store.ts';

/** The kind of job; its subject is the report. */
export const buildReportKind = 'report.build';

/** Rows of one transaction. */
const rowsPerChunk = 2_000;

/** Job that builds reports. */
export const buildReportJob: JobKind = {
  async handler(context, job) {
    const report = await findReport(context, job.subjectId);
    if (report === undefined || report.state !== 'PENDING') {
      return 'finished';
    }
    const cursor = readCursor(job);
    return cursor.isWritten ? finishReport(context, report, cursor.pieces) : writePieces(context, report, job, cursor);
  },
  onFailed: (context, job, error) => failReport(context, job.subjectId, error.message),
};

function readCursor(job: Job): BuildCursor {
  return {
    after: '',
    pieces: 0,
    isWritten: false,
    flagsOf: {},
    hasSecond: false,
    formerAddresses: 0,
    pastEnds: 0,
    asksSignatures: false,
    sheet: 0,
    book: null,
    ...job.cursor,
  };
}

async function writePieces(context: Context, report: ReportRow, job: Job, from: BuildCursor): Promise<ChunkResult> {
  const total = from.pieces === 0 ? await countReportRows(context, report.reviewId) : job.total;
  let cursor = from.pieces === 0 ? { ...from, ...(await readBesides(context, report.reviewId)) } : from;
  let rows = 0;
  let items = 0;
  while (rows < rowsPerChunk && !cursor.isWritten) {
    const piece = await writePiece(context, report, cursor);
    rows += piece.rows;
    items += piece.items;
    cursor = { ...cursor, ...piece.cursor };
  }
  return { cursor: { ...cursor }, done: job.done + items, total };
}

/** Worked out once, so that every row of a report says the same of a person. */
async function readBesides(context: Context, reviewId: string): Promise<Omit<SheetPlace, 'report'>> {
  const review = await findReview(context, reviewId);
  const { flagged } = review === undefined ? { flagged: [] } : await findFlagged(context, review);
  return {
    flagsOf: Object.fromEntries(flagged.map(({ userId, flags }) => [userId, flags])),
    hasSecond: await hasEndedSecondReview(context, reviewId),
    formerAddresses: await countFormerAddresses(context, reviewId),
    pastEnds: await countPastEnds(context, reviewId),
    asksSignatures: (await findFrozenTerms(context, reviewId)) !== undefined,
  };
}

/** Makes the PDF file that sums up a review in a bundle of evidence; `bundle` is the bundle. */
export async function makeSummary(context: Context, bundle: ReportRow): Promise<Buffer> {
  return makePdf(context, { report: bundle, ...(await readBesides(context, bundle.reviewId)) });
}

/** Writes the next rows as one piece of text, or those of a sheet. */
async function writePiece(context: Context, report: ReportRow, cursor: BuildCursor): Promise<WrittenPiece> {
  if (report.format === 'XLSX') {
    return writeWorkbookPiece(context, report, cursor);
  }
  if (report.format === 'PDF') {
    return writePdf(context, report, cursor);
  }
  const { after, pieces } = cursor;
  if (report.format === 'BUNDLE') {
    throw new Error('a bundle is not made of rows');
  }
  const writer = rowWriters[report.format];
  const columns = columnsNamed(report.columns);
  const isFirst = pieces === 0;
  const items = await readItems(context, report, after, cursor);
  const isWritten = items.length < rowsPerPiece;
  const end = isWritten ? writer.end() : '';
  const text = `${isFirst ? writer.begin(columns, cursor) : ''}${writer.rows(columns, items, isFirst, cursor)}${end}`;
  await insertChunk(context, report.id, pieces, Buffer.from(text, 'utf8'));
  return {
    rows: items.length,
    items: items.length,
    cursor: { after: items.at(-1)?.row.taskId ?? after, pieces: pieces + 1, isWritten },
  };
}
