/** Lists of signatures and step-ups: each filter shows what it asks for and nothing else, and nobody finds what is another's; and reports have them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { readPdf } from '../support/read-pdf.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { decide, meaning, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let reviewId: string;
let signed: readonly { readonly id: string; readonly taskId: string }[];
/** The transaction of a step-up that waits, and of a test. */
let waiting: Loose;
let otherId: string;
let tested: string;
/** The company has step-ups from before. */
let since: string;

const idsOf = ({ list }: Loose): string[] => list.map(({ id }: Loose) => id);

beforeAll(async () => {
  test = await startSigning();
  since = new Date().toISOString();
  const bySession = await test.openSigned({ stepUpProviderId: '', tspUrl: '' });
  reviewId = bySession.reviewId;
  const [first = '', second = ''] = bySession.taskIds;
  const sign = async (taskId: string) => {
    const { id } = await test.prepare(reviewId, decide([taskId]));
    expect((await test.send('POST', `/api/v1/signatures/${id}/sign`, {})).status).toBe(200);
    return { id, taskId };
  };
  signed = [await sign(first), await sign(second)];
  const made = await test.admin('POST', '/api/v1/step-up/providers', {
    displayName: 'Entra of ours',
    issuerUrl: test.idp.issuer,
    clientId: 'another',
    microsoft: { tenant: '72f988bf-86f1-41af-91ab-2d7cd011db47', validationMode: 'MICROSOFT_VALIDATION_MODE_OIDC' },
  });
  otherId = made.stepUpProvider.id;
  const asked = await test.openSigned();
  waiting = await test.prepare(asked.reviewId, decide(asked.taskIds.slice(0, 1)));
  await test.admin('POST', `/api/v1/step-up/providers/${otherId}/test`, {});
  const { list } = await test.admin('POST', '/api/v1/search/step-up/transactions', {
    targetType: 'TARGET_TYPE_TEST',
    createdAfter: since,
  });
  tested = list[0].id;
}, 240_000);
afterAll(() => test?.stop());

/** The review as it is asked of the assignee. */
const mine = async (id: string): Promise<Loose> =>
  (await test.send('GET', '/api/v1/my/reviews?page_size=100')).body.list.find(({ accessReviewId }: Loose) => accessReviewId === id);

describe('the signatures of a review', () => {
  const list = async (query: string): Promise<string[]> =>
    idsOf((await test.send('GET', `/api/v1/access_review/${reviewId}/signatures?${query}`)).body);

  it('narrow to those that decided a task', async () => {
    const all = signed.map(({ id }) => id);
    expect(await list('')).toEqual(all);
    // A record may be megabytes: it is read by its id.
    const [shown] = (await test.send('GET', `/api/v1/access_review/${reviewId}/signatures`)).body.list;
    expect([shown.record, shown.recordSha256]).toEqual(['', expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect((await test.send('GET', `/api/v1/signatures/${shown.id}`)).body.signature.record).toContain('countersign.submission');
    for (const { id, taskId } of signed) {
      expect(await list(`task_id=${taskId}`)).toEqual([id]);
    }
    expect(await list(`task_id=${'0'.repeat(27)}`)).toEqual([]);
  });

  it('are named beside the submissions that one made', async () => {
    const { list } = (await test.send('GET', '/api/v1/my/submissions?page_size=100')).body;
    const ofReview = list.filter(({ accessReviewId }: Loose) => accessReviewId === reviewId);
    expect(ofReview.map(({ signatureId }: Loose) => signatureId)).toEqual(signed.map(({ id }) => id).reverse());
  });

  it('narrow to a state, and what has expired is none that waits', async () => {
    const of = waiting.accessReviewId;
    const count = async (id: string, state: string): Promise<number> =>
      (await test.send('GET', `/api/v1/access_review/${id}/signatures?state=SIGNATURE_STATE_${state}`)).body.list.length;
    const counts = (id: string) => Promise.all(['PREPARED', 'SIGNED', 'ENDED'].map((state) => count(id, state)));
    expect(await counts(reviewId)).toEqual([0, 2, 0]);
    expect(await counts(of)).toEqual([1, 0, 0]);
    const { db, tenantId } = test.server.system();
    const expireIn = (hours: number) =>
      db.run(`UPDATE signatures SET expires_at = now() + make_interval(hours => $3) WHERE tenant_id = $1 AND id = $2`, [
        tenantId,
        waiting.id,
        hours,
      ]);
    await expireIn(-1);
    expect(await counts(of)).toEqual([0, 0, 1]);
    expect((await mine(of)).signature.waitingId).toBe('');
    await expireIn(24);
  });

  it('stand beside the submissions of the review, without their records', async () => {
    const { list } = await test.admin('GET', `/api/v1/access_review/${reviewId}/submissions`);
    const found = list.map(({ submission, signature }: Loose) => [
      submission.id === signature.submissionId,
      signature.id,
      signature.record,
    ]);
    expect(found.sort()).toEqual(signed.map(({ id }) => [true, id, '']).sort());
    expect(list[0].signature).toMatchObject({ printedName: 'Person 01', byCredential: false, stepUpProviderDisplayName: '', tspUrl: '' });
  });

  it('are asked of reviewers with where they sign in, whether they can, and what waits', async () => {
    expect((await mine(waiting.accessReviewId)).signature).toMatchObject({
      providerDisplayName: 'Company',
      maySign: true,
      waitingId: waiting.id,
      waitingDecisions: '1',
      waitingUntil: expect.any(String),
    });
    expect((await mine(reviewId)).signature).toMatchObject({
      providerDisplayName: '',
      maySign: true,
      waitingId: '',
      waitingDecisions: '0',
    });
    const issued = await request(test.server, await test.server.issueClient(test.world.assignee.id), 'GET', '/api/v1/my/reviews');
    expect(issued.body.list.find(({ accessReviewId }: Loose) => accessReviewId === reviewId).signature.maySign).toBe(false);
    const unsigned = await test.world.openReview();
    expect((await mine(unsigned)).signature).toBeUndefined();
  });

  it('wait no longer once something later was signed', async () => {
    const { reviewId: id, taskIds } = await test.openSigned({ stepUpProviderId: '', tspUrl: '' });
    const left = await test.prepare(id, decide(taskIds.slice(0, 1)));
    expect((await mine(id)).signature.waitingId).toBe(left.id);
    const later = await test.prepare(id, decide(taskIds.slice(0, 2)));
    expect((await mine(id)).signature).toMatchObject({ waitingId: later.id, waitingDecisions: '2' });
    expect((await test.send('POST', `/api/v1/signatures/${later.id}/sign`, {})).status).toBe(200);
    expect((await mine(id)).signature.waitingId).toBe('');
  });

  it('are not found in another tenant, whatever the task', async () => {
    const other = await test.server.makeTenant('other');
    const answer = await request(other, other.admin, 'GET', `/api/v1/access_review/${reviewId}/signatures?task_id=${signed[0]?.taskId}`);
    expect(answer.status).toBe(404);
  });
});

describe('a report of a review that asks for signatures', () => {
  const make = async (format: string): Promise<Buffer> => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    try {
      const file = join(folder, `signed.${format}`);
      const env = environmentFor(test.server.url, test.server.admin.credential);
      expect(await runInProcess(['review', 'report', reviewId, '--format', format, '--output', file], { env })).toMatchObject({ code: 0 });
      return readFileSync(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const readSheet = async (file: Buffer, name: string): Promise<string[][]> =>
    (await readXlsx(file, name, { maxExpansion: 1_000, maxRowBytes: 1e6 })).rows;

  it('lists who signed what with which meaning as a PDF file, with the hashes of the records', async () => {
    const text = readPdf(await make('pdf'))
      .flat()
      .join('');
    expect(text).not.toContain('No submission of this review was signed.');
    const { list } = (await test.send('GET', `/api/v1/access_review/${reviewId}/signatures`)).body;
    for (const { submissionId, printedName, recordSha256 } of list) {
      expect([submissionId, recordSha256]).toEqual([expect.stringMatching(/^\S{27}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
      for (const part of [submissionId.slice(0, 8), printedName, meaning.slice(0, 20), recordSha256.slice(0, 16), recordSha256.slice(-8)]) {
        expect(text).toContain(part);
      }
    }
  });

  it('lists them as an Excel file, and counts them for each reviewer', async () => {
    const file = await make('xlsx');
    expect(await readSheet(file, 'Signatures 1')).toHaveLength(1 + signed.length);
    const [head = [], ...rows] = await readSheet(file, 'Reviewers');
    const column = (name: string): string[] => rows.map((row) => row[head.indexOf(name)] ?? '');
    expect(column('Submissions signed').filter((count) => count !== '0')).toEqual([String(signed.length)]);
    expect(column('Reviewer')[column('Submissions signed').indexOf(String(signed.length))]).toBe('Person 01');
  });
});

describe('a search of step-up providers', () => {
  const search = async (filter: object): Promise<string[]> => idsOf(await test.admin('POST', '/api/v1/search/step-up/providers', filter));

  it.each([
    ['a word of the name', { query: 'entra' }],
    ['the type', { providerType: 'PROVIDER_TYPE_MICROSOFT' }],
  ])('narrows by %s', async (_, filter) => {
    expect(await search(filter)).toEqual([otherId]);
  });

  it('narrows to those that are named', async () => {
    expect(await search({ refs: [{ id: test.providerId }] })).toEqual([test.providerId]);
    expect(await search({ query: 'no such provider' })).toEqual([]);
  });
});

describe('a search of step-ups', () => {
  const search = async (filter: object): Promise<string[]> =>
    idsOf(await test.admin('POST', '/api/v1/search/step-up/transactions', { createdAfter: since, ...filter }));
  const future = new Date(Date.now() + 3_600_000).toISOString();

  it('narrows by provider, state, target, person and time', async () => {
    const signing = waiting.stepUpTransactionId;
    expect(await search({})).toEqual([tested, signing]);
    expect(await search({ providerId: otherId })).toEqual([tested]);
    expect(await search({ targetType: 'TARGET_TYPE_TEST' })).toEqual([tested]);
    expect(await search({ userId: test.world.assignee.id })).toEqual([signing]);
    expect(await search({ state: 'STEP_UP_TRANSACTION_STATE_PENDING' })).toEqual([tested, signing]);
    expect(await search({ state: 'STEP_UP_TRANSACTION_STATE_VERIFIED' })).toEqual([]);
    expect(await search({ createdAfter: future })).toEqual([]);
    expect(await search({ createdBefore: future })).toEqual([tested, signing]);
    expect(await search({ taskId: '0'.repeat(27) })).toEqual([]);
  });

  it('shows a reviewer their own alone', async () => {
    const own = await test.send('POST', '/api/v1/search/step-up/transactions', { createdAfter: since });
    expect(idsOf(own.body)).toEqual([waiting.stepUpTransactionId]);
    const others = await test.send('POST', '/api/v1/search/step-up/transactions', { userId: test.server.admin.id });
    expect(idsOf(others.body)).toEqual([]);
  });
});
