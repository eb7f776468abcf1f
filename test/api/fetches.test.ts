/** Sources that fetch by themselves, over HTTP: from a file in the folder of imports to a sync, held, confirmed, discarded. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';
const rows = (count: number, name = 'a'): string =>
  Array.from({ length: count }, (_, n) => `${name}${n},,USER,ENABLED,role,A,read,,\n`).join('');
const typeUrl = 'type.googleapis.com/countersign.v1.FolderSettings';

describe('sources that fetch files of a folder', () => {
  const importDir = mkdtempSync(join(tmpdir(), 'countersign-imports-'));
  const folder = join(importDir, '127.0.0.1');
  let server: TestServer;
  let appId: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const at = (id = ''): string => `/api/v1/apps/${appId}/connectors${id && `/${id}`}`;
  const config = (pattern: string, more: object = {}) => ({ '@type': typeUrl, pattern, ...more });
  const make = async (pattern: string, more: object = {}): Promise<string> => {
    const made = await ok('POST', `${at()}/create`, { config: config(pattern, more) });
    const { id } = made.connectorView.connector;
    // The usual one might come in the middle of a test.
    await ok('POST', `${at(id)}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    return id;
  };
  let clock = Date.now() / 1000 - 86_400;
  const put = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    clock += 60;
    utimesSync(join(folder, name), clock, clock);
  };
  const fetchesOf = async (id: string): Promise<Loose[]> => (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list;
  /** Forces a fetch and waits for its end; one that waits for a retry is brought forward. */
  const fetchNow = async (id: string): Promise<Loose> => {
    const before = await fetchesOf(id);
    const waiting = before.find(({ state }) => state === 'FETCH_STATE_WAITING');
    await ok('POST', `${at(id)}/force_sync`, {});
    const known = new Set(before.map((fetch) => fetch.id));
    const fetchId = waiting?.id ?? (await fetchesOf(id)).findLast((fetch) => !known.has(fetch.id))?.id;
    return until(async () => {
      const { fetch } = await ok('GET', `/api/v1/fetches/${fetchId}`);
      expect(fetch.state).not.toMatch(/WAITING|RUNNING|READING/);
      return fetch;
    });
  };

  beforeAll(async () => {
    mkdirSync(join(folder, 'sub'), { recursive: true });
    server = await startTestServer({ config: { importDir, settleSeconds: 0 } });
    appId = (await ok('POST', '/api/v1/apps', { displayName: 'Wiki' })).app.id;
  });
  afterAll(async () => {
    await server.stop();
    rmSync(importDir, { recursive: true });
  });

  it('become a sync, and nothing where the file is the same', async () => {
    const id = await make('wiki-*.csv');
    put('wiki-1.csv', header + rows(100));
    const done = await fetchNow(id);
    expect(done).toMatchObject({ state: 'FETCH_STATE_DONE', reason: 'FETCH_REASON_FORCED', connectorId: id, appId, error: '' });
    const sync = (await ok('GET', `/api/v1/imports/${done.importId}`)).import;
    expect(sync).toMatchObject({ connectorId: id, added: '100', state: 'IMPORT_STATE_DONE' });
    expect(Date.parse(done.observedFrom) / 1000).toBeCloseTo(clock, 0);
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_UNCHANGED', importId: '' });
    const { connector } = (await ok('GET', at(id))).connectorView;
    expect(connector).toMatchObject({
      status: { status: 'SYNC_STATUS_DONE', lastError: '' },
      connectorSyncCronSchedule: { cronSpec: '0 0 29 2 *', timezone: 'UTC' },
    });
    const { source } = await ok('GET', `/api/v1/sources/${id}`);
    expect(source).toMatchObject({
      kind: 'SOURCE_KIND_FOLDER',
      cronSpec: '0 0 29 2 *',
      nextFetchAt: '2028-02-29T00:00:00Z',
      fetchState: 'FETCH_STATE_UNCHANGED',
      observedFrom: done.observedFrom,
      heldFetchId: '',
    });
  });

  it('hold what takes too much away, import exactly that once it is confirmed, and let the next whole one take its place', async () => {
    const id = await make('held-*.csv');
    put('held-1.csv', header + rows(100, 'h'));
    await fetchNow(id);
    put('held-2.csv', header + rows(80, 'h'));
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_DONE' });
    put('held-3.csv', header + rows(50, 'h'));
    const held = await fetchNow(id);
    expect(held).toMatchObject({ state: 'FETCH_STATE_HELD', importId: '', error: expect.stringContaining('30 of the 80') });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_UNCHANGED' });
    expect((await ok('GET', `/api/v1/sources/${id}`)).source).toMatchObject({ heldFetchId: held.id });
    const ofState = async (state: string) => (await ok('GET', `/api/v1/fetches?connector_id=${id}&state=${state}`)).list;
    expect((await ofState('HELD')).map((one: Loose) => one.id)).toEqual([held.id]);
    expect(await ofState('FAILED')).toEqual([]);
    // The rows that were held are imported, whatever the folder has now.
    put('held-3.csv', header + rows(1, 'h'));
    await ok('POST', `${at(id)}/confirm_sync_valid/${held.id}`, {});
    const { fetch: confirmed } = await ok('GET', `/api/v1/fetches/${held.id}`);
    expect(confirmed).toMatchObject({ state: 'FETCH_STATE_DONE', error: '' });
    expect((await ok('GET', `/api/v1/imports/${confirmed.importId}`)).import).toMatchObject({ rows: '50', removed: '30' });
    const again = await admin('POST', `${at(id)}/confirm_sync_valid/${held.id}`, {});
    expect([again.status, again.body.code]).toEqual([400, 9]);

    const other = await fetchNow(id);
    expect(other).toMatchObject({ state: 'FETCH_STATE_HELD' });
    put('held-4.csv', header + rows(49, 'h'));
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_DONE' });
    expect((await ok('GET', `/api/v1/fetches/${other.id}`)).fetch.state).toBe('FETCH_STATE_SUPERSEDED');
    expect((await admin('POST', `${at(id)}/confirm_sync_valid/${other.id}`, {})).body.code).toBe(9);
  });

  it('are tried out before they are made', async () => {
    put('try.csv', header + rows(7, 'x'));
    const tried = await ok('POST', '/api/v1/sources/test', { config: config('try.csv') });
    expect([tried.error, tried.contents.length, tried.contents[0].rows.length]).toEqual(['', 1, 5]);
    expect(tried.contents[0].rows[1].values[0]).toBe('x0');
    expect((await ok('POST', '/api/v1/sources/test', { config: config('none.csv') })).error).toContain('No file fits');
    put('broken.csv.gz', 'no gzip at all');
    expect((await ok('POST', '/api/v1/sources/test', { config: config('broken.csv.gz') })).error).toContain('gzip is damaged');
    const secrets = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`name${n}`, 'x']));
    const many = await admin('POST', '/api/v1/sources/test', { config: config('try.csv'), secrets });
    expect([many.status, violatedFields(many)]).toEqual([400, ['secrets']]);
    const wrong = await admin('POST', '/api/v1/sources/test', { config: config('../x') });
    expect([wrong.status, violatedFields(wrong)]).toEqual([400, ['config.pattern']]);
    expect((await admin('POST', '/api/v1/sources/test', { config: { '@type': 'type.googleapis.com/a.B' } })).status).toBe(400);
  });

  it('forget what is discarded, with a reason', async () => {
    const id = await make('thrown.csv');
    put('thrown.csv', header + rows(100, 't'));
    await fetchNow(id);
    put('thrown.csv', header + rows(1, 't'));
    const held = await fetchNow(id);
    const path = `/api/v1/fetches/${held.id}/action/discard`;
    expect(violatedFields(await admin('POST', path, { reason: ' ' }))).toEqual(['reason']);
    expect((await ok('POST', path, { reason: 'The export broke off' })).fetch).toMatchObject({
      state: 'FETCH_STATE_DISCARDED',
      error: 'The export broke off',
    });
    expect((await admin('POST', path, { reason: 'again' })).body.code).toBe(9);
    expect(await server.test.admin(`SELECT count(*)::int AS n FROM fetch_rows WHERE fetch_id = '${held.id}'`)).toEqual([{ n: 0 }]);
  });

  it('take no link, no unfinished file, nothing outside of their folder, and no file that its manifest does not know', async () => {
    const paths = ['../other/a.csv', '/etc/passwd', 'sub/../../a.csv', '', 'a*/b.csv', 'a\\b.csv'];
    for (const pattern of paths) {
      const refused = await admin('POST', `${at()}/create`, { config: config(pattern) });
      expect([pattern, refused.status, violatedFields(refused)]).toEqual([pattern, 400, ['config.pattern']]);
    }
    const unknown = await admin('POST', `${at()}/create`, { config: config('a.csv', { patern: 'b' }) });
    expect([unknown.status, violatedFields(unknown)]).toEqual([400, ['config.patern']]);

    const id = await make('sub/odd*');
    writeFileSync(join(importDir, 'secret.csv'), header + rows(3));
    symlinkSync(join(importDir, 'secret.csv'), join(folder, 'sub', 'odd.csv'));
    put('sub/odd.csv.part', header + rows(3));
    const failed = await fetchNow(id);
    expect(failed).toMatchObject({ state: 'FETCH_STATE_FAILED', error: expect.stringContaining('No file fits') });
    put('sub/odd-1.csv', header + rows(9));
    const text = header + rows(9);
    const manifest = (facts: object): void => put('sub/odd-1.csv.manifest.json', JSON.stringify(facts));
    manifest({ sha256: createHash('sha256').update('other').digest('hex') });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_FAILED', error: expect.stringContaining('SHA-256') });
    const sha256 = createHash('sha256').update(text).digest('hex');
    manifest({ sha256, rows: 10 });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'The file has 9 rows, and its manifest says 10.' });
    manifest({ sha256, rows: 9, exportedAt: '2026-01-02T03:04:05Z' });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_DONE', observedFrom: '2026-01-02T03:04:05Z' });
  });

  it('are too old by the age that is set, and reviews say so, and that a fetch is held', async () => {
    const id = await make('old-*.csv');
    const { source } = await ok('GET', `/api/v1/sources/${id}`);
    // Once in four years, three times.
    expect([source.staleAfter, source.isUsualStaleAfter]).toEqual([expect.stringMatching(/^37\d{7}s$/), true]);
    const set = (staleAfter?: string) => admin('PUT', `/api/v1/sources/${id}/stale_after`, { staleAfter });
    for (const wrong of ['3599s', '34560001s', '3600.5s']) {
      expect(violatedFields(await set(wrong))).toEqual(['staleAfter']);
    }
    expect((await set('3600s')).body.source).toMatchObject({ staleAfter: '3600s', isUsualStaleAfter: false, mayRun: true });
    put('old-1.csv', header + rows(100, 'o'));
    await fetchNow(id);
    put('old-2.csv', header + rows(10, 'o'));
    await fetchNow(id);
    await until(async () => expect((await ok('GET', `/api/v1/sources/${id}`)).source.staleSince).toBeDefined());
    const { accessReview } = (await ok('POST', '/api/v1/access_review', { displayName: 'Old data' })).accessReview;
    await ok('POST', `/api/v1/access_review/${accessReview.id}`, { accessReview: { singleApp: { appId } }, updateMask: 'singleApp' });
    const { accuracy } = await ok('GET', `/api/v1/access_review/${accessReview.id}/accuracy`);
    const found = accuracy.sources.find((one: Loose) => one.connectorId === id);
    expect(found.flags).toEqual(['ACCURACY_FLAG_STALE', 'ACCURACY_FLAG_HELD']);
    await set('34560000s');
    await until(async () => expect((await ok('GET', `/api/v1/sources/${id}`)).source.staleSince).toBeUndefined());
    expect((await set()).body.source.isUsualStaleAfter).toBe(true);
  });

  it('are fetched for nobody while paused, and take no upload', async () => {
    const id = await make('paused.csv');
    const upload = await sendFile(server, server.admin, `/api/v1/imports/grants?connector_id=${id}`, header + rows(1));
    expect([upload.status, upload.body.code]).toEqual([400, 9]);
    await ok('POST', `${at(id)}/pause`, {});
    expect((await admin('POST', `${at(id)}/force_sync`, {})).body.code).toBe(9);
    await ok('POST', `${at(id)}/resume`, {});
    const kept = await ok('GET', at(id));
    expect(kept.connectorView.connector.config).toEqual({ ...config('paused.csv'), isPeople: false, sheet: '', needsManifest: false });
    const changed = await admin('POST', at(id), {
      connector: { config: { '@type': 'type.googleapis.com/c1.Other' } },
      updateMask: 'config',
    });
    expect([changed.status, violatedFields(changed)]).toEqual([400, ['connector.config']]);
  });

  it('are run and read by their owners, and are not there for anybody else', async () => {
    const [one, other] = [await make('mine-*.csv'), await make('theirs-*.csv')];
    const keeper = await server.makePerson('keeper@ours.example');
    await ok('PUT', `/api/v2/apps/${appId}/connectors/${one}/owners`, { roleSlug: 'owner', userRefs: [{ id: keeper.id }] });
    const asKeeper = (method: string, path: string, body?: unknown) => request(server, keeper, method, path, body);
    expect((await asKeeper('GET', '/api/v1/sources')).body.list).toMatchObject([{ id: one, mayRun: true }]);
    expect((await asKeeper('GET', at())).body.list).toMatchObject([{ connector: { id: one } }]);
    expect((await asKeeper('GET', '/api/v1/fetches')).body.list).toEqual([]);
    put('mine-1.csv', header + rows(20, 'm'));
    await fetchNow(one);
    put('mine-2.csv', header + rows(1, 'm'));
    const held = await fetchNow(one);
    put('theirs-1.csv', header + rows(1, 't'));
    const foreign = await fetchNow(other);
    expect((await asKeeper('GET', '/api/v1/fetches')).body.list.map((fetch: Loose) => fetch.connectorId)).toEqual([one, one]);
    const answers = async (id: string, fetchId: string): Promise<number[]> => {
      const asked: Answer[] = [];
      for (const [method, path, body] of [
        ['GET', at(id)],
        ['GET', `/api/v1/sources/${id}`],
        ['GET', `/api/v1/fetches/${fetchId}`],
        ['POST', `${at(id)}/pause`, {}],
        ['POST', `${at(id)}/resume`, {}],
        ['POST', `${at(id)}/confirm_sync_valid/${fetchId}`, {}],
        ['POST', `/api/v1/fetches/${fetchId}/action/discard`, { reason: 'No' }],
        ['POST', `${at(id)}/force_sync`, {}],
        ['PUT', `/api/v1/sources/${id}/removal_share`, { removalShare: 3 }],
      ] as const) {
        asked.push(await asKeeper(method, path, body));
      }
      return asked.map(({ status }) => status);
    };
    // What was confirmed cannot be discarded; settings are for Super Administrators.
    expect(await answers(one, held.id)).toEqual([200, 200, 200, 200, 200, 200, 400, 200, 403]);
    expect(await answers(other, foreign.id)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 403]);
    expect((await asKeeper('GET', '/api/v1/apps/0/connectors')).status).toBe(404);
  });
});
