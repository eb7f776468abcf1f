/** Bundles of reviews that ran: what is in them, that it hangs together, and that a job that is killed writes the same. */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BundleFile, linesOf, takeApart } from '../../../test/support/bundle.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { approve, useReviewRun } from '../../../test/support/review-run.ts';
import { addPerson } from '../../../test/support/tasks.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { openLogProof } from '../../lib/log/log-proof.ts';
import { readLogPolicy } from '../../lib/log/log-policy.ts';
import { hashLeaf } from '../../lib/log/merkle.ts';
import { sealLog } from '../../foundation/audit/seal.ts';
import { restartLog } from '../../foundation/log-proofs/index.ts';
import { findChunk, findReport } from '../reports/store.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';
import { verifyBundle } from '../../verify/index.ts';
import { buildBundleJob } from './build-bundle.ts';
import { requestBundle } from './request-bundle.ts';

const run = useReviewRun();

class Killed extends Error {}

/** Pieces with their numbers. */
type Pieces = { readonly number: number; readonly content: Buffer }[];

/** Makes a bundle chunk by chunk; each chunk is undone once at its end, and what it had written has to come again. */
async function make(context: Context, reviewId: string): Promise<{ file: Buffer; sha256: string; chunks: number }> {
  const { id } = await requestBundle(context, reviewId);
  let job = { subjectId: id, cursor: {}, done: 0, total: 0 } as unknown as Job;
  const listPieces = ({ db, tenantId }: Context): Promise<Pieces> =>
    db.rows('SELECT number, content FROM report_chunks WHERE tenant_id = $1 AND report_id = $2 ORDER BY number', [tenantId, id]);
  for (let chunks = 1; ; chunks += 1) {
    let undone: Pieces = [];
    const attempt = (dies: boolean) =>
      inTransaction(context, async (inside) => {
        const result = await buildBundleJob.handler(inside, job);
        if (dies) {
          undone = await listPieces(inside);
          throw new Killed();
        }
        return result;
      });
    await expect(attempt(true)).rejects.toThrow(Killed);
    const result = await attempt(false);
    expect(await listPieces(context)).toEqual(undone);
    if (result === 'finished') {
      const pieces: Buffer[] = [];
      for (let piece = await findChunk(context, id, 0); piece !== undefined; piece = await findChunk(context, id, pieces.length)) {
        pieces.push(piece);
      }
      expect(await listPieces(context)).toHaveLength(pieces.length);
      return { file: Buffer.concat(pieces), sha256: (await findReport(context, id))?.hashes['SHA256'] ?? '', chunks };
    }
    await sealLog(context, { forMs: 10_000, waitsForLock: true });
    job = { ...job, ...(JSON.parse(JSON.stringify(result)) as object) };
  }
}

const contentOf = (entries: readonly BundleFile[], name: string): Buffer => {
  const entry = entries.find((one) => one.name === name);
  expect(entry, name).toBeDefined();
  return entry?.content ?? Buffer.alloc(0);
};

describe('a bundle', () => {
  it('holds what was decided, is sealed in the log, and has the same bytes wherever its job was killed', async () => {
    const review = await run.opened();
    const first = await run.someTask(review.id);
    await decideTask(run.test.admin(), { ...approve(first.id), comment: 'Still needed.' });
    const second = await run.someTask(review.id);
    await decideTask(run.test.admin(), { ...approve(second.id), decision: 'DENY' });
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');
    const { db, tenantId } = run.test.admin();
    const [claimedBy, claimedIssuer] = [await addPerson(db, tenantId, 'Claimant'), await addPerson(db, tenantId, 'Issuer')];
    await db.run('UPDATE revocations SET claimed_by_id = $3, claimed_issuer_id = $4 WHERE tenant_id = $1 AND certify_task_id = $2', [
      tenantId,
      second.id,
      claimedBy,
      claimedIssuer,
    ]);
    const { file, sha256 } = await make(run.test.admin(), review.id);
    expect(hash('sha256', file, 'hex')).toBe(sha256);

    const entries = takeApart(file);
    const manifest = contentOf(entries, 'manifest.json');
    const { counts, files } = JSON.parse(manifest.toString()) as {
      counts: Record<string, number>;
      files: { path: string; bytes: number }[];
    };
    expect(files.map(({ path }) => path)).toEqual(entries.slice(0, -5).map(({ name }) => name));
    expect(entries.slice(-5).map(({ name }) => name)).toEqual([
      'hashes.jsonl',
      'manifest.json',
      'seal/event.json',
      'seal/proof.tlog-proof',
      'seal/consistency.json',
    ]);
    const summary = readPdf(contentOf(entries, 'summary.pdf')).flat().join(' ');
    expect(summary).toContain('Certified 1');
    expect(summary).toContain('part of a bundle of evidence');
    expect(counts['items']).toBeGreaterThan(10);
    expect(linesOf(entries, 'items.jsonl')).toHaveLength(counts['items'] ?? 0);
    const decisions = linesOf<{ item: string; kind: string }>(entries, 'decisions.jsonl');
    expect(decisions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ item: first.id, kind: 'APPROVED', comment: expect.stringMatching(/^[0-9a-f]{64}$/) }),
        expect.objectContaining({ item: second.id, kind: 'DENIED', comment: null }),
      ]),
    );
    expect(linesOf(entries, 'comments.jsonl')).toEqual([expect.objectContaining({ text: 'Still needed.' })]);

    expect(linesOf(entries, 'revocations.jsonl')).toMatchObject([{ item: second.id, claimedBy, claimedIssuer }]);
    const named = linesOf<{ id: string }>(entries, 'reviewers.jsonl').map(({ id }) => id);
    expect(named).toEqual(expect.arrayContaining([claimedBy, claimedIssuer]));

    const sealed = JSON.parse(contentOf(entries, 'seal/event.json').toString()) as {
      content: { data: object };
      leaf: object;
      position: number;
    };
    expect(sealed.content.data).toEqual({ manifest: hash('sha256', manifest, 'hex') });
    const policy = readLogPolicy(contentOf(entries, 'keys/policy.txt'));
    const proof = openLogProof(policy, contentOf(entries, 'seal/proof.tlog-proof'), hashLeaf(Buffer.from(JSON.stringify(sealed.leaf))));
    expect(proof.index).toBe(sealed.position);
    const all = linesOf<{ position: number; leaf: { kind: string; review: { number: number } | null; target: { id: string } } }>(
      entries,
      'log/events.jsonl',
    );
    expect(all.map(({ position }) => position)).toEqual(all.map(({ position }) => position).toSorted((one, other) => one - other));
    const events = all.filter(({ leaf }) => leaf.review !== null);
    expect(events.map(({ leaf }) => leaf.review?.number)).toEqual(events.map((_, index) => index + 1));
    const grounds = all.filter(({ leaf }) => leaf.review === null);
    expect(grounds.map(({ leaf }) => leaf.kind)).toEqual(
      expect.arrayContaining(['user.roles_changed', 'policy.created', 'grants.imported']),
    );
    const sources = linesOf<{ sync: string }>(entries, 'sources.jsonl');
    const imported = grounds.filter(({ leaf }) => leaf.kind === 'grants.imported').map(({ leaf }) => leaf.target.id);
    expect(imported).toEqual(sources.map(({ sync }) => sync).filter((sync) => sync !== ''));
    expect(events.map(({ leaf }) => leaf.kind)).toEqual(expect.arrayContaining(['review.created', 'review.closed', 'report.requested']));

    const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    try {
      const path = join(folder, 'evidence.zip');
      writeFileSync(path, file);
      expect(await verifyBundle(path)).toMatchObject({ findings: [], verdict: 'unproven' });
      const [, key = ''] = /^log (.+)$/m.exec(contentOf(entries, 'keys/policy.txt').toString()) ?? [];
      expect(await verifyBundle(path, { key: Buffer.from(`${key}\n`) } as never)).toMatchObject({ findings: [], verdict: 'holds' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is refused in words for a review that a release prepared which kept no verdicts', async () => {
    const review = await run.opened();
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');
    await run.test.superuser('SET session_replication_role = replica');
    await run.test.superuser(`DELETE FROM review_verdicts WHERE review_id = '${review.id}'`);
    await run.test.superuser('SET session_replication_role = origin');
    await expect(requestBundle(run.test.admin(), review.id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/^The access review was prepared under Countersign 0\.2/),
    });
  });

  it('is refused in words where the log was restarted since the review began', async () => {
    const review = await run.opened();
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');
    await sealLog(run.test.admin(), { forMs: 10_000, waitsForLock: true });
    await restartLog(run.test.admin(), 'An old backup');
    await expect(requestBundle(run.test.admin(), review.id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/^The log was restarted since this access review began/),
    });
  });
});
