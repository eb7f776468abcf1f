/** Reports of a review with 1,000,000 items: Excel over two sheets and PDF of twenty pages at most, in bounded memory. */
import { mkdtempSync, rmSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRows } from '../support/count-rows.ts';
import { readPdf } from '../support/read-pdf.ts';
import { addTasksOf } from '../support/tasks.ts';
import { type TwoTenants, useTwoTenants } from '../support/tenants.ts';
import { type Context, inTransaction } from '../../src/context.ts';
import type { Job } from '../../src/jobs/index.ts';
import { newId } from '../../src/wire/ids.ts';
import { buildReportJob } from '../../src/outward/reports/build-report.ts';
import { createReport } from '../../src/outward/reports/request-report.ts';
import { findChunk, type ReportFormat } from '../../src/outward/reports/store.ts';

const items = Number(process.env['COUNTERSIGN_TEST_ITEMS'] ?? 1_000_000);
/** Rows of one sheet. */
const most = 500_000;

let test: TwoTenants;
let context: Context;
let reviewId: string;

beforeAll(async () => {
  test = await useTwoTenants();
  context = { ...test.ours.admin, now: new Date() };
  reviewId = await addTasksOf(context.db, context.tenantId);
  const prefix = newId(new Date()).slice(0, 19);
  for (let first = 1; first <= items; first += 50_000) {
    await context.db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
       SELECT $1, $2 || id_suffix(n), $3, n, 'app', 'e' || n, 'acc', 'policy', $4, $4 FROM generate_series($5::bigint, $6::bigint) n`,
      [context.tenantId, prefix, reviewId, new Date(), first, Math.min(items, first + 49_999)],
    );
  }
}, 1_200_000);

afterAll(() => test.close());

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory that is still in use once garbage is collected, in MB. */
function liveMegabytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Makes a report; how much more memory was in use at most, in MB, than before it. */
async function make(format: ReportFormat): Promise<{ id: string; extraMegabytes: number }> {
  const id = await createReport(context, reviewId, format);
  const before = liveMegabytes();
  let highest = before;
  let job = { subjectId: id, cursor: {}, done: 0, total: 0 } as unknown as Job;
  for (let chunks = 0; ; chunks += 1) {
    const result = await inTransaction(context, (inside) => buildReportJob.handler(inside, job));
    highest = chunks % 10 === 0 || result === 'finished' ? Math.max(highest, liveMegabytes()) : highest;
    if (result === 'finished') {
      return { id, extraMegabytes: highest - before };
    }
    job = { ...job, ...JSON.parse(JSON.stringify(result)) } as Job;
  }
}

describe('a report of 1,000,000 items', () => {
  it('as an Excel file has them over two sheets, in 50 MB', { timeout: 3_600_000 }, async () => {
    const { id, extraMegabytes } = await make('XLSX');
    console.info(`Excel: ${extraMegabytes.toFixed(0)} MB more in use`);
    const folder = mkdtempSync(join(tmpdir(), 'large-report-'));
    try {
      const path = join(folder, 'report.xlsx');
      const file = createWriteStream(path);
      for (let number = 0; ; number += 1) {
        const piece = await findChunk(context, id, number);
        if (piece === undefined) {
          break;
        }
        if (!file.write(piece)) {
          await once(file, 'drain');
        }
      }
      file.end();
      await once(file, 'close');
      const rows = countRows(path);
      expect(rows['Decisions 1']).toBe(Math.min(items, most) + 1);
      expect((rows['Decisions 2'] ?? 1) - 1).toBe(Math.max(0, items - most));
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(extraMegabytes).toBeLessThan(50);
  });

  it('as a PDF file has twenty pages at most, and says how many it does not list', { timeout: 600_000 }, async () => {
    const { id, extraMegabytes } = await make('PDF');
    const pages = readPdf((await findChunk(context, id, 0)) ?? Buffer.alloc(0));
    expect(pages.length).toBeLessThanOrEqual(20);
    expect(pages.flat().join(' ')).toMatch(/And [\d,]+ more\. The report as an Excel file lists them all\./);
    console.info(`PDF: ${extraMegabytes.toFixed(0)} MB more in use, ${pages.length} pages`);
    expect(extraMegabytes).toBeLessThan(50);
  });
});
