/** Reports that are made chunk by chunk, as the queue has them made. */
import { expect } from 'vitest';
import { type Context, inTransaction } from '../../src/context.ts';
import { buildReportJob } from '../../src/outward/reports/build-report.ts';
import { createReport } from '../../src/outward/reports/request-report.ts';
import { findChunk, findReport, type ReportFormat } from '../../src/outward/reports/store.ts';
import type { Job } from '../../src/jobs/index.ts';

class Killed extends Error {}

/** Makes a report and returns its file; where `isKilled`, each chunk is undone at its end and done again. */
export async function makeReport(
  context: Context,
  reviewId: string,
  format: ReportFormat,
  isKilled = false,
): Promise<{ id: string; file: Buffer; chunks: number; sha256: string }> {
  const id = await createReport(context, reviewId, format);
  let job = { subjectId: id, cursor: {}, done: 0, total: 0 } as unknown as Job;
  for (let chunks = 1; ; chunks += 1) {
    const chunk = (dies: boolean) =>
      inTransaction(context, async (inside) => {
        const result = await buildReportJob.handler(inside, job);
        if (dies) {
          throw new Killed();
        }
        return result;
      });
    if (isKilled) {
      await expect(chunk(true)).rejects.toThrow(Killed);
    }
    const result = await chunk(false);
    if (result === 'finished') {
      const pieces: Buffer[] = [];
      for (let piece = await findChunk(context, id, 0); piece !== undefined; piece = await findChunk(context, id, pieces.length)) {
        pieces.push(piece);
      }
      return { id, file: Buffer.concat(pieces), chunks, sha256: (await findReport(context, id))?.hashes['SHA256'] ?? '' };
    }
    job = { ...job, ...JSON.parse(JSON.stringify(result)) } as Job;
  }
}
