/** What came after the snapshot of a review, in its reports and in its bundle: named there, and held by the event of the close. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { linesOf, takeApart } from '../../../test/support/bundle.ts';
import { makeReport } from '../../../test/support/make-report.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { readXlsx } from '../../../test/support/read-xlsx.ts';
import { askSecondVerifier } from '../../../test/support/second-verifier.ts';
import { useReviewRun } from '../../../test/support/review-run.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { verifyBundle } from '../../verify/index.ts';
import { sealLog } from '../../foundation/audit/seal.ts';
import { findChunk } from '../reports/store.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { supplementReview } from '../../governance/reviews/life/supplement.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { buildBundleJob } from './build-bundle.ts';
import { requestBundle } from './request-bundle.ts';

const run = useReviewRun();

/** Gives an account one more entitlement by a sync. */
async function addOne(name: string): Promise<void> {
  const rows = run.test.data.grantsCsv.toString().trimEnd().split('\n');
  const header = (rows[0] ?? '').trim().split(',');
  const cells = (rows[1] ?? '').trim().split(',');
  cells[header.indexOf('entitlement')] = name;
  const body = Readable.from([Buffer.from([...rows, cells.join(',')].join('\n'))]);
  await importGrants(run.test.admin(), { app: 'Domino', allowRemovals: false }, { body, encoding: '' });
}

async function makeBundle(context: Context, reviewId: string): Promise<Buffer> {
  const { id } = await requestBundle(context, reviewId);
  let job = { subjectId: id, cursor: {}, done: 0, total: 0 } as unknown as Job;
  for (;;) {
    const result = await inTransaction(context, (inside) => buildBundleJob.handler(inside, job));
    if (result === 'finished') {
      const pieces: Buffer[] = [];
      for (let piece = await findChunk(context, id, 0); piece !== undefined; piece = await findChunk(context, id, pieces.length)) {
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    }
    await sealLog(context, { forMs: 10_000, waitsForLock: true });
    job = { ...job, ...(JSON.parse(JSON.stringify(result)) as object) };
  }
}

/** What both verifiers find in a bundle: the files that they name. */
async function verify(file: Buffer): Promise<{ ours: string[]; second: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
  try {
    const path = join(folder, 'evidence.zip');
    writeFileSync(path, file);
    const { findings } = await verifyBundle(path);
    const second = askSecondVerifier(path).stdout;
    return { ours: [...new Set(findings.map((one) => one.file))], second };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('is in every form of the report that has room for it, and in the bundle, where nobody can change it', async () => {
  const context = run.test.admin();
  const review = await run.opened({ displayName: 'Quarter' });
  await addOne('came-late');
  // While it is open, the report says how it is now.
  const open = await readXlsx((await makeReport(run.test.admin(), review.id, 'XLSX')).file, 'Summary');
  expect(open.rows).toContainEqual(['Came after the snapshot', '1']);
  await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
  await run.test.until(review.id, 'CLOSED');
  const { id, displayName } = await supplementReview(run.test.admin(), review.id);
  await run.test.until(id, 'OPEN');

  const { file } = await makeReport(context, review.id, 'XLSX');
  const summary = (await readXlsx(file, 'Summary')).rows;
  expect(summary).toContainEqual(['Came after the snapshot', '1']);
  expect(summary).toContainEqual(['Came after the snapshot, and no review asks about it', '0']);
  expect(summary).toContainEqual(['Supplementary reviews', `${displayName} (${id})`]);
  const { rows } = await readXlsx(file, 'After the snapshot 1');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toEqual(expect.arrayContaining(['Domino', expect.stringContaining('came-late'), id]));
  const text = readPdf((await makeReport(context, review.id, 'PDF')).file)
    .flat()
    .join(' ');
  expect(text).toContain('After the snapshot');
  expect(text).toContain('came-late');
  const ofSupplement = (await readXlsx((await makeReport(run.test.admin(), id, 'XLSX')).file, 'Summary')).rows;
  expect(ofSupplement).toContainEqual(['Supplements the review', `Quarter (${review.id})`]);
  expect(ofSupplement).toContainEqual(['Came after the snapshot', 'none came after the snapshot']);

  const bundle = await makeBundle(context, review.id);
  const entries = takeApart(bundle);
  const content = (name: string): Buffer => entries.find((one) => one.name === name)?.content ?? Buffer.alloc(0);
  expect(linesOf(entries, 'arrivals.jsonl')).toHaveLength(1);
  expect(content('README.html').toString()).toContain('1 grant came into the scope after the snapshot');
  expect(JSON.parse(content('review.json').toString())).toMatchObject({ arrived: 1, supplementOf: null, supplements: [id] });
  expect(await verify(bundle)).toMatchObject({ ours: [] });
  // Whoever edits the database after the close is found out by both.
  await run.test.superuser('SET session_replication_role = replica');
  await context.db.run("UPDATE review_arrivals SET entitlement_id = 'another' WHERE tenant_id = $1", [context.tenantId]);
  const edited = await verify(await makeBundle(context, review.id));
  expect(edited.ours).toEqual(['arrivals.jsonl']);
  expect(edited.second).toContain('arrivals.jsonl');
});
