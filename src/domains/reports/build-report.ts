/**
 * Making a report's file, a piece at a time: each chunk of the job reads the next items, writes them as one piece and remembers where it
 * stands, so that memory stays bounded and a kill costs one chunk. A review under way is reported as it is while its items are read.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { findColumn, type ReportColumn } from './columns.ts';
import { idsInItem, tellHistory } from './item-history.ts';
import {
  countReportRows,
  findChunk,
  findReport,
  insertChunk,
  listNames,
  listReviewItems,
  type NamedPerson,
  type ReportRow,
  updateReportDone,
  updateReportFailed,
} from './store.ts';
import { rowWriters } from './write-rows.ts';

/** The kind of job; its subject is the report. */
export const buildReportKind = 'report.build';

const rowsPerChunk = 2_000;

/** Where the job stands: after which task, how many pieces there are, and whether all rows are written. */
interface BuildCursor {
  readonly after: string;
  readonly pieces: number;
  readonly isWritten: boolean;
}

/** How reports are built. */
export const buildReportJob: JobKind = {
  async handler(context, job) {
    const report = await findReport(context, job.subjectId);
    if (report === undefined || report.state !== 'PENDING') {
      return 'finished';
    }
    const cursor = readCursor(job);
    return cursor.isWritten ? sealReport(context, report, cursor) : writePiece(context, report, job, cursor);
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
  return { after: '', pieces: 0, isWritten: false, ...job.cursor };
}

async function writePiece(context: Context, report: ReportRow, job: Job, cursor: BuildCursor): Promise<ChunkResult> {
  const writer = rowWriters[report.format];
  const columns = report.columns.map(findColumn).filter((column): column is ReportColumn => column !== undefined);
  const isFirst = cursor.pieces === 0;
  const total = isFirst ? await countReportRows(context, report.reviewId) : job.total;
  const rows = await listReviewItems(context, report.reviewId, cursor.after, rowsPerChunk);
  const people = await namePeople(context, rows.flatMap(idsInItem));
  const items = rows.map((row) => ({ row, history: tellHistory(row, people) }));
  const isWritten = rows.length < rowsPerChunk;
  const text = `${isFirst ? writer.begin(columns) : ''}${writer.rows(columns, items, isFirst)}${isWritten ? writer.end() : ''}`;
  await insertChunk(context, report.id, cursor.pieces, Buffer.from(text, 'utf8'));
  const next: BuildCursor = { after: rows.at(-1)?.taskId ?? cursor.after, pieces: cursor.pieces + 1, isWritten };
  return { cursor: { ...next }, done: job.done + rows.length, total };
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
