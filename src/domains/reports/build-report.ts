/**
 * Making a report's file, some pieces at a time: each chunk of the job reads the next items, writes them as pieces and remembers where it
 * stands, so that memory stays bounded and a kill costs one chunk. A review under way is reported as it is while its items are read.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { findFlagged, findReview } from '../reviews/index.ts';
import { findColumn, type ReportColumn } from './columns.ts';
import { type FlagsOf, idsInItem, tellHistory } from './item-history.ts';
import {
  countReportRows,
  findChunk,
  findReport,
  hasSecondReview,
  insertChunk,
  listNames,
  listReviewItems,
  type NamedPerson,
  type ReportRow,
  type ReviewItemRow,
  updateReportDone,
  updateReportFailed,
} from './store.ts';
import { rowWriters } from './write-rows.ts';

/** The kind of job; its subject is the report. */
export const buildReportKind = 'report.build';

/** Rows of one transaction, and of one piece: what is written and forgotten soon never gets to where V8 keeps what lasts. */
const rowsPerChunk = 2_000;
const rowsPerPiece = 250;

/** Where the job stands: after which task, how many pieces there are, whether all rows are written, and whose decisions deserve a look. */
interface BuildCursor {
  readonly after: string;
  readonly pieces: number;
  readonly isWritten: boolean;
  readonly flagsOf: FlagsOf;
  /** Whether a second review is over, so that its decisions are shown. */
  readonly hasSecond: boolean;
}

/** How reports are built. */
export const buildReportJob: JobKind = {
  async handler(context, job) {
    const report = await findReport(context, job.subjectId);
    if (report === undefined || report.state !== 'PENDING') {
      return 'finished';
    }
    const cursor = readCursor(job);
    return cursor.isWritten ? sealReport(context, report, cursor) : writePieces(context, report, job, cursor);
  },
  async onFailed(context, job, error) {
    const report = await findReport(context, job.subjectId);
    await updateReportFailed(context, job.subjectId, error.message);
    await recordEvent(context, {
      kind: 'report.failed',
      targetType: 'access_review',
      targetId: report?.reviewId ?? '',
      data: { reportId: job.subjectId, error: error.message },
    });
  },
};

function readCursor(job: Job): BuildCursor {
  return { after: '', pieces: 0, isWritten: false, flagsOf: {}, hasSecond: false, ...job.cursor };
}

async function writePieces(context: Context, report: ReportRow, job: Job, from: BuildCursor): Promise<ChunkResult> {
  const total = from.pieces === 0 ? await countReportRows(context, report.reviewId) : job.total;
  let cursor = from.pieces === 0 ? { ...from, ...(await readBesides(context, report.reviewId)) } : from;
  let written = 0;
  while (written < rowsPerChunk && !cursor.isWritten) {
    const rows = await writePiece(context, report, cursor);
    written += rows.length;
    cursor = { ...cursor, after: rows.at(-1)?.taskId ?? cursor.after, pieces: cursor.pieces + 1, isWritten: rows.length < rowsPerPiece };
  }
  return { cursor: { ...cursor }, done: job.done + written, total };
}

/** Worked out once, so that every row of a report says the same of a person. */
async function readBesides(context: Context, reviewId: string): Promise<Pick<BuildCursor, 'flagsOf' | 'hasSecond'>> {
  const review = await findReview(context, reviewId);
  const { flagged } = review === undefined ? { flagged: [] } : await findFlagged(context, review);
  return {
    flagsOf: Object.fromEntries(flagged.map(({ userId, flags }) => [userId, flags])),
    hasSecond: await hasSecondReview(context, reviewId),
  };
}

/** Writes the next rows as one piece and returns them. */
async function writePiece(
  context: Context,
  report: ReportRow,
  { after, pieces, flagsOf, hasSecond }: BuildCursor,
): Promise<ReviewItemRow[]> {
  const writer = rowWriters[report.format];
  const columns = report.columns.map(findColumn).filter((column): column is ReportColumn => column !== undefined);
  const isFirst = pieces === 0;
  const rows = await listReviewItems(context, report.reviewId, after, rowsPerPiece);
  const people = await namePeople(context, rows.flatMap(idsInItem));
  const items = rows.map((row) => ({ row, history: tellHistory(row, people, flagsOf) }));
  const end = rows.length < rowsPerPiece ? writer.end() : '';
  const text = `${isFirst ? writer.begin(columns, hasSecond) : ''}${writer.rows(columns, items, isFirst, hasSecond)}${end}`;
  await insertChunk(context, report.id, pieces, Buffer.from(text, 'utf8'));
  return rows;
}

async function namePeople(context: Context, ids: readonly string[]): Promise<Map<string, NamedPerson>> {
  const people = await listNames(context, [...new Set(ids)]);
  return new Map(people.map((person) => [person.id, person]));
}

/** Measures and hashes the whole file, piece by piece, and declares it done. */
async function sealReport(context: Context, report: ReportRow, cursor: BuildCursor): Promise<'finished'> {
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  for (let number = 0; number < cursor.pieces; number += 1) {
    const content = await findChunk(context, report.id, number);
    if (content === undefined) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `piece ${number} of report ${report.id} is missing` });
    }
    md5.update(content);
    sha256.update(content);
    sizeBytes += content.length;
  }
  const hashes = { MD5: md5.digest('hex'), SHA256: sha256.digest('hex') };
  await updateReportDone(context, report.id, sizeBytes, hashes);
  await recordEvent(context, {
    kind: 'report.generated',
    targetType: 'access_review',
    targetId: report.reviewId,
    data: { reportId: report.id, format: report.format, sizeBytes, hashes },
  });
  return 'finished';
}
