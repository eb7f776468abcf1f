/** The sample company of the demo, brought into a running server: what the inventory's lists show of it, and that a second start adds nothing. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleManualApp, writeSampleGrants, writeSampleTills } from '../../src/samples/access.ts';
import { type LoadedDemo, loadSampleCompany } from '../../src/cli/local/demo-load.ts';
import { environmentFileIn, listWelcome, writeEnvironment } from '../../src/cli/local/demo-welcome.ts';
import { type Client, createClient } from '../../src/client/index.ts';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const clone = join(import.meta.dirname, '../..');

describe('the sample company', () => {
  let server: TestServer;
  let env: Record<string, string>;
  let steps: string[];

  const load = () => {
    const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
    const io = { env, stdin: process.stdin, stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
    steps = [];
    return loadSampleCompany(io, createClient({ url: server.url, credential: server.admin.credential }), (step) => steps.push(step));
  };
  const list = async (...args: string[]) => {
    const result = await runInProcess([...args, '--json'], { env });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(result.stdout);
  };

  beforeAll(async () => {
    server = await startTestServer();
    env = environmentFor(server.url, server.admin.credential);
    expect((await load()).review.state).toBe('ACCESS_REVIEW_STATE_OPEN');
  });
  afterAll(() => server.stop());

  it('has leavers with accounts, unowned accounts, and one that could be two people', async () => {
    const leavers: { user: { email: string } }[] = await list('identity', 'leavers');
    expect(leavers.map(({ user }) => user.email).sort()).toEqual(['goran.sample@example.com', 'priya.sample@example.com']);
    const unowned: { username: string }[] = await list('identity', 'unowned');
    expect(unowned.map(({ username }) => username).sort()).toEqual(['deploy-robot', 'ma', 'old-report-job']);
    expect(await list('identity', 'ambiguous')).toMatchObject([
      { appUser: { username: 'ma' }, matchCount: 2, candidates: [{ displayName: 'Mara Sample' }, { displayName: 'Mateo Sample' }] },
    ]);
  });

  it('has an app of two sources, and one whose second sync added, changed and ended', async () => {
    const orders: { connectorId: string }[] = await list('sync', 'list', '--app', 'Sample Orders');
    expect(new Set(orders.map((sync) => sync.connectorId)).size).toBe(2);
    const [latest, first, ...more] = await list('sync', 'list', '--app', 'Sample Ledger');
    expect(more).toEqual([]);
    expect(latest).toMatchObject({ previousId: first.id, removed: '3' });
    expect(Number(latest.added) > 0 && Number(latest.changed) > 0).toBe(true);
    const ended: { endedAt?: string }[] = await list('grant', 'list', '--app', 'Sample Ledger', '--ended');
    // Three that the file reported, and the access to the app of the account that vanished.
    expect(ended.filter((grant) => grant.endedAt !== undefined)).toHaveLength(4);
  });

  it('has grants that come through a team, and keys that were granted manually', async () => {
    const code: { isDirect: boolean; paths: unknown[] }[] = await list('grant', 'list', '--app', 'Sample Code');
    expect(code.some((grant) => !grant.isDirect && grant.paths.length === 1)).toBe(true);
    const keys: { appearedCause: string; isDerived: boolean }[] = await list('grant', 'list', '--app', sampleManualApp.name);
    const given = keys.filter((grant) => !grant.isDerived);
    expect(given).toHaveLength(sampleManualApp.entitlements.reduce((sum, { emails }) => sum + emails.length, 0));
    expect(given.every((grant) => grant.appearedCause === 'GRANT_CHANGE_CAUSE_MANUAL')).toBe(true);
  });

  it('has a third of its items stand out, whenever it is loaded', async () => {
    const [counted] = await server.test.admin(
      'SELECT count(*)::int AS items, count(*) FILTER (WHERE score >= 20)::int AS closer FROM tasks',
    );
    const share = Number(counted?.['closer']) / Number(counted?.['items']);
    expect([counted, share > 0.25 && share < 0.42]).toEqual([counted, true]);
    // No date of the files stands still.
    const files = (now: string) => [...writeSampleGrants(new Date(now)), writeSampleTills(new Date(now))].map(({ csv }) => csv).join('\n');
    const datesOf = (csv: string) => [...csv.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([date]) => Date.parse(date));
    const [early, late] = [datesOf(files('2031-05-02T12:00:00Z')), datesOf(files('2033-05-01T12:00:00Z'))];
    expect(late.map((date, index) => date - (early[index] ?? 0)).filter((moved) => moved !== 730 * 86_400_000)).toEqual([]);
    expect(Math.max(...early)).toBeLessThan(Date.parse('2031-05-02T12:00:00Z'));
  });

  it('is announced in few lines with the link last, and the credential stays in a file for shells', async () => {
    const { credential } = server.admin;
    const folder = mkdtempSync(join(tmpdir(), "cs-demo's "));
    try {
      const signInUrl = `${server.url}/sign-in#link=x`;
      const lines = listWelcome({ url: server.url, signInUrl, dataDir: folder }, (await load()).review);
      expect(lines.length).toBeLessThan(20);
      expect(lines.filter((line) => line !== '').at(-1)).toBe(`  ${signInUrl}`);
      expect(lines.join('\n')).not.toContain(credential.clientSecret);
      const [, command = ''] = /(\. '.*') {3}/.exec(lines.join('\n')) ?? [];
      await writeEnvironment(environmentFileIn(folder), { url: server.url, credential });
      expect(statSync(environmentFileIn(folder)).mode & 0o777).toBe(0o600);
      const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', `${command}\n./countersign identity leavers`], { cwd: clone });
      expect([stderr, stdout]).toEqual(['', expect.stringContaining('priya.sample@example.com')]);
      const near = listWelcome({ url: server.url, signInUrl, dataDir: '/clone/.countersign/demo' }, (await load()).review, '/clone');
      expect(near.join('\n')).toContain(' . .countersign/demo/environment ');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is removed by a command, once it is said to', async () => {
    const other = await startTestServer();
    try {
      const by = (...args: string[]) => runInProcess(['samples', ...args], { env: environmentFor(other.url, other.admin.credential) });
      expect((await by('show')).stdout).toBe('No samples are loaded.\n');
      const nothing = await by('remove', '--yes');
      expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('No samples are loaded') });
      const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
      const io = { env: {}, stdin: process.stdin, stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
      await loadSampleCompany(io, other.admin.client, () => undefined);
      expect(JSON.parse((await by('show', '--json')).stdout)).toMatchObject({ people: 60, apps: 5, accessReviews: 1 });
      expect(await by('remove')).toMatchObject({ code: 2, stderr: expect.stringContaining('repeat it with --yes') });
      expect((await by('show')).stdout).toBe('Loaded: 60 people, 5 apps, 1 review, 1 conflict monitor.\n');
      expect(await by('remove', '--yes')).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^Removed: 60 people, 5 apps/),
      });
      expect((await by('show')).stdout).toBe('No samples are loaded.\n');
      const sources = await runInProcess(['source', 'list', '--json'], { env: environmentFor(other.url, other.admin.credential) });
      expect(JSON.parse(sources.stdout)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('is loaded to its end after breaks, with no file imported twice', async () => {
    const other = await startTestServer();
    const { client } = other.admin;
    try {
      // Each try gets three calls further than the one before, wherever that breaks it off.
      let left = 0;
      const within = <T>(send: () => Promise<T>): Promise<T> => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('broken off')) : send();
      };
      const broken: Client = {
        ...client,
        call: (method, request) => within(() => client.call(method, request)),
        upload: (method, request, file) => within(() => client.upload(method, request, file)),
      };
      const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
      const io = { env: {}, stdin: process.stdin, stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
      let loaded: LoadedDemo | undefined;
      for (let calls = 6; loaded === undefined; calls += calls < 40 ? 3 : 100) {
        left = calls;
        loaded = await loadSampleCompany(io, broken, () => undefined).catch((error) => {
          expect(error.message).toBe('broken off');
          return undefined;
        });
      }
      expect(loaded.review).toMatchObject({ state: 'ACCESS_REVIEW_STATE_OPEN', autoResolve: true });
      const { list = [] } = await client.call(ImportService.method.list, { pageSize: 100 });
      expect(list.map((view) => view.import?.source).sort()).toEqual(
        ['Sample Code', 'Sample Ledger', 'Sample Ledger', 'Sample Mail', 'Sample Orders', 'Sample Orders', 'samples'].sort(),
      );
    } finally {
      await other.stop();
    }
  });

  it('is there once, however often the demo starts, and the same each time', async () => {
    const before = await list('sync', 'list');
    await load();
    expect(steps).toEqual([]);
    expect(await list('sync', 'list')).toEqual(before);
    const write = (now: string) => [...writeSampleGrants(new Date(now)), writeSampleTills(new Date(now))];
    expect(write('2031-05-02T00:00:00Z')).toEqual(write('2031-05-02T23:59:59Z'));
  });
});
