/** The evidence of a review of real access data: made and downloaded by the command line, verified without the server, and for nobody else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { containedFile, putTogether, takeApart } from '../support/bundle.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { readDataSet } from '../support/data-sets.ts';
import { askSecondVerifier } from '../support/second-verifier.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';

let server: TestServer;
let reader: TestPerson;
let basic: TestPerson;
let folder: string;
let closedId: string;
const path = (name: string): string => join(folder, name);
const run = (...args: string[]) => runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
const admin = (method: string, at: string, body?: unknown) => request(server, server.admin, method, `/api/v1/${at}`, body);

beforeAll(async () => {
  server = await startTestServer();
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
  basic = await server.makePerson('basic@example.com');
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  const { peopleCsv, grantsCsv } = readDataSet('domino');
  writeFileSync(path('people.csv'), peopleCsv);
  writeFileSync(path('grants.csv'), grantsCsv);
  expect((await run('import', 'people', path('people.csv'))).code).toBe(0);
  expect((await run('import', 'grants', path('grants.csv'), '--app', 'Domino')).code).toBe(0);
  closedId = (JSON.parse((await run('review', 'create', '--name', 'Domino, <all>', '--app', 'Domino', '--json')).stdout) as { id: string })
    .id;
  const filters = { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } };
  expect(await admin('POST', `access_review/${closedId}`, { accessReview: { scopeV2: filters } })).toMatchObject({ status: 200 });
  expect((await run('review', 'prepare', closedId)).code).toBe(0);
  expect((await run('review', 'start', closedId)).code).toBe(0);
  const { body } = await admin('POST', 'search/tasks', { accessReviewIds: [closedId], taskStates: ['TASK_STATE_OPEN'], pageSize: 20 });
  const ids: string[] = body.list.map(({ task }: { task: { id: string } }) => task.id);
  const decisions = ids.slice(0, 10).map((taskId, index) => ({
    taskId,
    decision: index === 3 ? 'REVIEW_DECISION_DENY' : 'REVIEW_DECISION_CERTIFY',
    comment: index < 4 ? `Grund: "üb\u2028er" ${index}` : '',
  }));
  expect(await admin('POST', `access_review/${closedId}/submissions`, { decisions })).toMatchObject({ status: 200 });
  expect(await admin('POST', `tasks/${ids[11]}/action/deny`, { comment: 'left' })).toMatchObject({ status: 200 });
  expect(await admin('POST', `tasks/${ids[12]}/action/approve`, {})).toMatchObject({ status: 200 });
  expect((await run('review', 'close', closedId, '--decision', 'revoke', '--yes')).code).toBe(0);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

describe('evidence', () => {
  it('is made, downloaded and verified offline; with the key from outside it holds', async () => {
    const bundle = path('domino.evidence.zip');
    const made = await run('review', 'evidence', closedId, '--output', bundle);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/SHA-256 [0-9a-f]{64} {2}MD5 [0-9a-f]{32}\n$/) });
    const offline = (...args: string[]) => runInProcess(['verify', bundle, ...args], { env: {} });
    const own = await offline();
    expect(own.stdout).not.toContain('DOES NOT HOLD');
    expect(own).toMatchObject({ code: 3, stdout: expect.stringMatching(/events of the review are here/) });
    writeFileSync(path('key.txt'), containedFile(bundle, 'keys/policy.txt'));
    expect(await offline('--key', path('key.txt'))).toMatchObject({ code: 0 });

    const changed = readFileSync(bundle);
    changed[Math.floor(changed.length / 2)]! ^= 1;
    writeFileSync(path('changed.zip'), changed);
    expect(await runInProcess(['verify', path('changed.zip')], { env: {} })).toMatchObject({ code: 1 });
  });

  it('holds by the second verifier, too', () => {
    expect(askSecondVerifier(path('domino.evidence.zip'), '--key', path('key.txt'))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^The bundle holds\.$/m),
    });
  });

  it('names accounts whose details were left out, given twice or changed, by both verifiers', async () => {
    const name = 'population/account-details.jsonl';
    const files = takeApart(readFileSync(path('domino.evidence.zip')));
    const lines = containedFile(path('domino.evidence.zip'), name).toString().split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(10);
    for (const forged of [lines.slice(1), [...lines, lines[0] ?? ''], lines.with(1, (lines[1] ?? '').replace(/"salt":"./, '"salt":"z'))]) {
      const content = Buffer.from(forged.map((line) => `${line}\n`).join(''));
      writeFileSync(path('forged.zip'), putTogether(files.map((file) => (file.name === name ? { name, content } : file))));
      const ours = await runInProcess(['verify', path('forged.zip')], { env: {} });
      const { stdout, status } = askSecondVerifier(path('forged.zip'));
      expect([ours.code, status]).toEqual([1, 1]);
      for (const said of [ours.stdout + ours.stderr, stdout]) {
        expect(said).toContain(`DOES NOT HOLD: ${name}`);
      }
    }
  });

  it('holds what the verdicts follow from', () => {
    const bundle = path('domino.evidence.zip');
    const grants = containedFile(bundle, 'population/grants.jsonl').toString().trimEnd().split('\n');
    for (const line of grants) {
      expect(JSON.parse(line)).toMatchObject({
        firstSeenAt: expect.stringMatching(/^20.*Z$/),
        held: expect.stringMatching(/^(?:DIRECT|INHERITED|BOTH)$/),
      });
    }
    expect(JSON.parse(containedFile(bundle, 'review.json').toString())).toMatchObject({
      takenAt: expect.stringMatching(/^20.*Z$/),
      ofConflicts: false,
      lists: [],
    });
  });

  it('is listed with its digests, and each bundle is found in the log by its hash', async () => {
    const { body } = await request(server, reader, 'GET', `/api/v1/access_review/${closedId}/evidence`);
    expect(body.list).toMatchObject([
      { accessReviewId: closedId, state: 'EVIDENCE_BUNDLE_STATE_OK', hashes: { SHA256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    expect((await request(server, reader, 'GET', `/api/v1/access_review/${closedId}/report`)).body.list ?? []).toEqual([]);
    const reply = await fetch(body.list[0].downloadUrl);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toMatch(/\.evidence\.zip"$/);
    await reply.arrayBuffer();
  });

  it('is made for a Read-Only Administrator, and again after a bundle was made', async () => {
    expect(await request(server, reader, 'POST', `/api/v1/access_review/${closedId}/evidence`, {})).toMatchObject({
      status: 200,
      body: { evidenceBundle: { state: 'EVIDENCE_BUNDLE_STATE_PENDING' } },
    });
    const second = path('second.zip');
    expect(await run('review', 'evidence', closedId, '--output', second)).toMatchObject({ code: 0 });
    const verified = await runInProcess(['verify', second], { env: {} });
    expect(verified.stdout).not.toContain('DOES NOT HOLD');
    expect(verified).toMatchObject({ code: 3 });
  });

  it('is of closed reviews alone: 400 before', async () => {
    const { id } = JSON.parse((await run('review', 'create', '--name', 'Open', '--app', 'Domino', '--json')).stdout) as { id: string };
    expect(await admin('POST', `access_review/${id}/evidence`, {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('DRAFT') },
    });
    expect(await run('review', 'evidence', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('CLOSED') });
  });

  it('is unknown to those who may not know of the review, and to another tenant', async () => {
    const other = await server.makeTenant('elsewhere.example');
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? {} : undefined;
      expect((await request(server, basic, method, `/api/v1/access_review/${closedId}/evidence`, body)).status).toBe(404);
      expect((await request(server, undefined, method, `/api/v1/access_review/${closedId}/evidence`, body)).status).toBe(401);
      expect((await request(other, other.admin, method, `/api/v1/access_review/${closedId}/evidence`, body)).status).toBe(404);
    }
  });
});
