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
import { TaskService } from '../../src/gen/c1/api/task/v1/task_service_pb.js';
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

  it('has a few of many items stand out, for several reasons, whoever is asked', async () => {
    const admin = await server.test.admin(
      `SELECT m.user_id AS id, count(*)::int AS items, count(*) FILTER (WHERE t.score >= 20)::int AS closer
       FROM tasks t JOIN task_assignment_members m ON m.tenant_id = t.tenant_id AND m.assignment_id = t.assignment_id GROUP BY 1 ORDER BY 2`,
    );
    const shares = admin.map(({ items, closer }) => Number(closer) / Number(items));
    expect([admin, shares.every((share) => share > 0.05 && share < 1 / 3)]).toEqual([admin, true]);
    // Whoever loaded them sees some of each kind among their own, which are few enough for a first review.
    const tasks: { task: { stepApproverIds: string[]; insightIds: string[]; data: { score: number } } }[] = [];
    for await (const view of server.admin.client.pages(TaskService.method.search, { pageSize: 100 })) {
      tasks.push(view as (typeof tasks)[number]);
    }
    const own = tasks.filter(({ task }) => task.stepApproverIds.includes(server.admin.id));
    expect(own.length).toBeGreaterThan(8);
    expect(own.length).toBeLessThan(20);
    const kindsOf = (some: typeof tasks) =>
      new Set(some.filter(({ task }) => task.data.score >= 20).flatMap(({ task }) => task.insightIds.map((id) => id.split('-').at(-1))));
    expect([...kindsOf(own)]).toEqual(expect.arrayContaining(['ORPHAN', 'DORMANT', 'RISK', 'UNKNOWN_USE']));
    expect([...kindsOf(tasks)]).toEqual(expect.arrayContaining(['LEAVER', 'CONFLICT', 'OUTLIER', 'DISABLED_ACCOUNT']));
  });

  // A leap day, the last day of a year, a Sunday, and the moments around midnight.
  it.each(['2028-02-29T12:00:00Z', '2031-12-31T23:59:59Z', '2032-01-01T00:00:00Z', '2033-05-01T12:00:00Z'])(
    'has dates that lie before %s, as far as on any other day',
    (day) => {
      const now = Date.parse(day);
      const dayMs = 86_400_000;
      const columns = (time: number) =>
        [...writeSampleGrants(new Date(time)), writeSampleTills(new Date(time))].flatMap(({ csv }) => {
          const [header = '', ...rows] = csv.trimEnd().split('\n');
          const [granted, used] = ['granted_at', 'last_used_at'].map((name) => header.split(',').indexOf(name)) as [number, number];
          return rows.map((row) => row.split(',')).map((cells) => ({ granted: cells[granted] ?? '', used: cells[used] ?? '' }));
        });
      const ages = (time: number) => {
        const today = Math.floor(time / dayMs) * dayMs;
        const age = (date: string) => (date === '' ? undefined : (today - Date.parse(date)) / dayMs);
        return columns(time).map(({ granted, used }) => ({ granted: age(granted), used: age(used) }));
      };
      const rows = ages(now);
      expect(rows).toEqual(ages(Date.parse('2026-06-15T08:00:00Z')));
      expect(Math.min(...rows.map(({ granted = 0 }) => granted))).toBeGreaterThanOrEqual(30);
      expect(Math.min(...rows.map(({ used = 1 }) => used))).toBeGreaterThanOrEqual(1);
      expect(rows.filter(({ granted = 0, used = 0 }) => used > granted)).toEqual([]);
      const longAgo = rows.filter(({ used = 0 }) => used >= 90).length / rows.length;
      expect([longAgo, longAgo > 0.15 && longAgo < 0.35]).toEqual([longAgo, true]);
    },
  );

  it('is announced in few lines with the link last, and the credential stays in a file for shells', async () => {
    const { credential } = server.admin;
    const folder = mkdtempSync(join(tmpdir(), "cs-demo's "));
    try {
      const signInUrl = `${server.url}/sign-in#link=x`;
      const demo = { url: server.url, signInUrl, isRemote: false };
      const { review } = await load();
      const lines = listWelcome({ ...demo, dataDir: folder }, review);
      expect(lines.length).toBeLessThan(20);
      expect(lines.filter((line) => line !== '').at(-1)).toBe(`  ${signInUrl}`);
      expect(lines.join('\n')).not.toContain(credential.clientSecret);
      const [, command = ''] = /(\. '.*') {3}/.exec(lines.join('\n')) ?? [];
      await writeEnvironment(environmentFileIn(folder), { url: server.url, credential });
      expect(statSync(environmentFileIn(folder)).mode & 0o777).toBe(0o600);
      const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', `${command}\n./countersign identity leavers`], { cwd: clone });
      expect([stderr, stdout]).toEqual(['', expect.stringContaining('priya.sample@example.com')]);
      const near = (now: Date, isRemote = false) =>
        listWelcome({ ...demo, isRemote, dataDir: '/clone/.countersign/demo' }, review, { from: '/clone', now });
      expect(near(new Date()).join('\n')).toContain(' . .countersign/demo/environment ');
      // With the steps of loading before them, all fits a window of 40 lines and 80 columns; a link of its own is longer.
      expect(near(new Date(), true).length + steps.length).toBeLessThan(36);
      expect(near(new Date(), true).filter((line) => line.length > 80)).toEqual([]);
      const due = String(review.completionDate).slice(0, 10);
      expect(near(new Date()).join('\n')).toContain(`open, due ${due}`);
      const later = near(new Date(Date.now() + 40 * 86_400_000));
      expect(later.join('\n')).toContain(`overdue since ${due}: delete the data for a new one`);
      expect(later.filter((line) => line.length > 80)).toEqual([]);
      expect(near(new Date()).join('\n')).not.toContain('ssh -L');
      expect(near(new Date(), true).join('\n')).toContain(`ssh -L ${new URL(server.url).port}:localhost:`);
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
