/** Ends the making of a report's file: it is measured and hashed, or given up. */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findChunk, findReport, insertChunk, type ReportRow, updateReportDone, updateReportFailed } from './store.ts';

/**
 * Measures and hashes the whole file, piece by piece, and declares it done. `endOf` returns what stands behind the pieces, given the SHA-256 (hex)
 * of all of them; undefined where nothing does.
 */
export async function finishReport(
  context: Context,
  report: ReportRow,
  pieces: number,
  endOf?: (sha256: string) => string,
): Promise<'finished'> {
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  const add = (content: Buffer): void => {
    md5.update(content);
    sha256.update(content);
    sizeBytes += content.length;
  };
  for (let number = 0; number < pieces; number += 1) {
    const content = await findChunk(context, report.id, number);
    if (content === undefined) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `piece ${number} of report ${report.id} is missing` });
    }
    add(content);
  }
  if (endOf !== undefined) {
    const end = Buffer.from(endOf(sha256.copy().digest('hex')));
    await insertChunk(context, report.id, pieces, end);
    add(end);
  }
  const hashes = { MD5: md5.digest('hex'), SHA256: sha256.digest('hex') };
  await updateReportDone(context, report.id, sizeBytes, hashes);
  await recordEvent(context, {
    kind: 'report.generated',
    targetId: report.reviewId,
    data: { reportId: report.id, format: report.format, sizeBytes, hashes },
  });
  return 'finished';
}

/** Gives up a report, and says why. */
export async function failReport(context: Context, reportId: string, error: string): Promise<void> {
  const report = await findReport(context, reportId);
  await updateReportFailed(context, reportId, error);
  await recordEvent(context, { kind: 'report.failed', targetId: report?.reviewId ?? '', data: { reportId, error } });
}
