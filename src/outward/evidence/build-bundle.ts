/**
 * Making a bundle, some blocks at a time: each chunk of the job reads the next lines, writes them as pieces of the file and remembers where it stands,
 * so that memory stays bounded and a kill costs one chunk. The review is closed, so nothing changes under it but the log, which seal-bundle.ts
 * looks after.
 */
import { AppError } from '../../errors.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { commentOf } from '../../lib/zip/sealed-headers.ts';
import { createSealedZip } from '../../lib/zip/sealed-zip.ts';
import { failReport, findReport, finishReport, insertChunk, type ReportRow } from '../reports/index.ts';
import { findReview, type ReviewRow } from '../../governance/reviews/index.ts';
import { type BundleCursor, firstCursor } from './bundle-cursor.ts';
import { beginLog } from './log-place.ts';
import { type BundleMember, hasLines, type MemberPage } from './member.ts';
import { firstOfLog, members } from './members.ts';
import { sealBundle } from './seal-bundle.ts';
import { writeManifest } from './write-manifest.ts';
import { type BlockHash, insertNote, writeBlock } from './write-blocks.ts';

/** The kind of job; its subject is the bundle. */
export const buildBundleKind = 'evidence.build';

/** Lines of one transaction. */
const linesPerChunk = 2_000;

/** Job that builds bundles. */
export const buildBundleJob: JobKind = {
  async handler(context, job) {
    const report = await findReport(context, job.subjectId);
    if (report === undefined || report.state !== 'PENDING') {
      return 'finished';
    }
    const review = await findReview(context, report.reviewId);
    if (review?.state !== 'CLOSED') {
      throw new AppError('FAILED_PRECONDITION', 'The access review is no longer closed, so that no evidence can be made of it.');
    }
    const cursor: BundleCursor = { ...firstCursor, ...(job.cursor as Partial<BundleCursor>) };
    switch (cursor.stage) {
      case 'members':
        return writeMembers(context, { report, review }, job, cursor);
      case 'manifest':
        return goOn(job, await writeManifest(context, report, review, cursor));
      case 'seal':
        return sealBundle(context, report, job, cursor);
      case 'finish':
        return finishReport(context, report, cursor.zip.pieces, commentOf);
    }
  },
  onFailed: (context, job, error) => failReport(context, job.subjectId, error.message),
};

const goOn = (job: Job, cursor: BundleCursor): Exclude<ChunkResult, 'finished'> => ({
  cursor: { ...cursor },
  done: job.done,
  total: job.total,
});

interface Subject {
  readonly report: ReportRow;
  readonly review: ReviewRow;
}

/** Writes the next blocks, of one member or several. */
async function writeMembers(context: Context, { report, review }: Subject, job: Job, from: BundleCursor): Promise<ChunkResult> {
  const zip = createSealedZip((number, content) => insertChunk(context, report.id, number, content), from.zip);
  const blocks: BlockHash[] = [];
  let cursor = from;
  let lines = 0;
  while (lines < linesPerChunk && cursor.member < members.length) {
    if (cursor.member === firstOfLog && cursor.log === null) {
      if (blocks.length > 0) {
        // The members of the log begin with a piece of their own, so that they can be taken back.
        break;
      }
      const begun = await beginLog(context, review.id, cursor);
      if (begun === undefined) {
        return { ...goOn(job, cursor), runAt: new Date(context.now.getTime() + 1_000) };
      }
      cursor = begun;
    }
    const member = members[cursor.member] as BundleMember;
    if (cursor.after === null) {
      await zip.open(member.path);
    }
    const page = await member.read(context, { report, review, log: cursor.log, lastPosition: cursor.lastPosition }, cursor.after ?? '');
    if (page.bytes !== undefined || page.lines.some((line) => line !== '')) {
      blocks.push(await writeBlock(zip, member.path, cursor.blocks, page.bytes ?? page.lines, hasLines(member)));
    }
    lines += page.lines.length;
    cursor = move(cursor, member, page);
    if (page.after === undefined) {
      await zip.close();
    }
    cursor = { ...cursor, zip: zip.state() };
  }
  if (blocks.length > 0) {
    await insertNote(context, report.id, cursor.notes, blocks);
    cursor = { ...cursor, notes: cursor.notes + 1 };
  }
  const isWritten = cursor.member === members.length;
  return { cursor: { ...cursor, stage: isWritten ? 'manifest' : 'members' }, done: job.done + lines, total: job.total };
}

/** The place behind a page of a member. */
function move(cursor: BundleCursor, { counted }: BundleMember, page: MemberPage): BundleCursor {
  const { lines, after, lastPosition = cursor.lastPosition } = page;
  const counts = counted === undefined ? cursor.counts : { ...cursor.counts, [counted]: (cursor.counts[counted] ?? 0) + lines.length };
  return after === undefined
    ? { ...cursor, counts, lastPosition, member: cursor.member + 1, after: null, blocks: 0 }
    : { ...cursor, counts, lastPosition, after, blocks: cursor.blocks + (lines.length === 0 ? 0 : 1) };
}
