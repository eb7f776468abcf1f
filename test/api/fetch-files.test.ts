/** Sources whose files lie on a web server or in a store, over HTTP: from settings and secrets to a sync; and servers that mean harm, which end no grant. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Logger } from '../../src/context.ts';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { s3Key, type S3Store, startS3Store } from '../support/s3-store.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';
const rows = (count: number, name = 'a'): string =>
  Array.from({ length: count }, (_, n) => `${name}${n},,USER,ENABLED,role,A,read,,\n`).join('');
const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const secret = 'Bearer a-very-secret-value';
const logged: string[] = [];
const write = (...said: unknown[]): void => void logged.push(inspect(said, { depth: 10 }));
const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log };
const key = { file: undefined, text: '01'.repeat(32), command: undefined };

describe('sources of files elsewhere', () => {
  let web: Server;
  let answerWith: (request: IncomingMessage, response: ServerResponse) => void;
  let store: S3Store;
  let server: TestServer;
  let appId: string;
  let port: number;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const at = (id = ''): string => `/api/v1/apps/${appId}/connectors${id && `/${id}`}`;
  const https = (more: object = {}) => ({
    '@type': 'type.googleapis.com/countersign.v1.HttpsSettings',
    url: `http://127.0.0.1:${port}/grants.csv`,
    headers: ['Accept: text/csv'],
    ...more,
  });
  const make = async (config: object): Promise<string> => {
    const { id } = (await ok('POST', `${at()}/create`, { config })).connectorView.connector;
    await ok('POST', `${at(id)}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    return id;
  };
  const fetchNow = async (id: string): Promise<Loose> => {
    const before = (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list;
    const waiting = before.find(({ state }: Loose) => state === 'FETCH_STATE_WAITING');
    await ok('POST', `${at(id)}/force_sync`, {});
    const known = new Set(before.map((fetch: Loose) => fetch.id));
    return until(async () => {
      const { list } = await ok('GET', `/api/v1/fetches?connector_id=${id}`);
      // What failed is followed by another that waits.
      const fetch = list.findLast((one: Loose) => (waiting === undefined ? !known.has(one.id) : one.id === waiting.id));
      expect(fetch?.state).toMatch(/DONE|HELD|FAILED|UNCHANGED/);
      return fetch;
    });
  };

  beforeAll(async () => {
    web = createServer((asked, response) => answerWith(asked, response));
    await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
    ({ port } = web.address() as AddressInfo);
    store = await startS3Store();
    const allowOutbound = ['127.0.0.1', `127.0.0.1:${port}`, `127.0.0.1:${store.port}`];
    server = await startTestServer({ log, config: { allowOutbound, installationKey: key, settleSeconds: 0 } });
    appId = (await ok('POST', '/api/v1/apps', { displayName: 'Files' })).app.id;
  });
  afterAll(async () => {
    await server.stop();
    await store.close();
    web.closeAllConnections();
    web.close();
  });

  it('become a sync once their secrets are set, and keep no secret when they lead elsewhere', async () => {
    const asked: IncomingMessage['headers'][] = [];
    answerWith = (request, response) => {
      asked.push(request.headers);
      const isFile = request.url === '/grants.csv' && request.headers.authorization === secret;
      const headers = { 'content-type': 'text/csv', 'last-modified': modified, etag: '"1"' };
      response.writeHead(isFile ? 200 : request.url === '/grants.csv' ? 401 : 404, headers).end(header + rows(50, 'w'));
    };
    const id = await make(https());
    expect(await fetchNow(id)).toMatchObject({
      state: 'FETCH_STATE_FAILED',
      error: `The link asks to sign in: 127.0.0.1:${port} answered 401.`,
    });
    const set = await admin('PUT', `/api/v1/sources/${id}/secrets/header-Authorization`, { value: secret });
    expect(set.body.source).toMatchObject({ kind: 'SOURCE_KIND_HTTPS', secretsSet: ['header-Authorization'] });
    const done = await fetchNow(id);
    expect(done).toMatchObject({ state: 'FETCH_STATE_DONE', error: '', observedFrom: '2026-01-01T00:00:00Z' });
    expect((await ok('GET', `/api/v1/imports/${done.importId}`)).import).toMatchObject({ added: '50', connectorId: id });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_UNCHANGED' });
    await ok('POST', at(id), { connector: { config: https({ url: 'https://elsewhere.example.com/a.csv' }) }, updateMask: 'config' });
    expect((await ok('GET', `/api/v1/sources/${id}`)).source.secretsSet).toEqual([]);
    expect(asked.at(-1)).toMatchObject({ accept: 'text/csv', authorization: secret, 'if-modified-since': modified });
    expect(logged.join()).toContain('asks to sign in');
    const seen = [await ok('GET', at(id)), await ok('POST', '/api/v1/systemlog/events', {}), ...logged];
    expect(JSON.stringify(seen)).not.toContain('a-very-secret-value');
  });

  it('come from a store, whose key id is a setting and whose secret is none', async () => {
    const { region, accessKeyId, secretAccessKey } = s3Key;
    store.objects.set('exports/wiki/grants-1.csv.gz', { bytes: gzipSync(header + rows(30, 's')), modifiedAt: new Date('2026-01-01') });
    const type = 'type.googleapis.com/countersign.v1.S3Settings';
    const config = {
      '@type': type,
      endpoint: store.endpoint,
      region,
      bucket: 'exports',
      prefix: 'wiki/',
      pattern: 'grants-*',
      accessKeyId,
    };
    const tried = await ok('POST', '/api/v1/sources/test', { config, secrets: { secretAccessKey } });
    expect([tried.error, tried.contents[0].rows[1].values[0]]).toEqual(['', 's0']);
    const id = await make(config);
    await ok('PUT', `/api/v1/sources/${id}/secrets/secretAccessKey`, { value: secretAccessKey });
    const done = await fetchNow(id);
    expect(done).toMatchObject({ state: 'FETCH_STATE_DONE', error: '', observedFrom: '2026-01-01T00:00:00Z' });
    const { connector } = (await ok('GET', at(id))).connectorView;
    expect(connector.config).toMatchObject({ accessKeyId, bucket: 'exports' });
    expect(JSON.stringify([connector, done])).not.toContain(secretAccessKey);
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_UNCHANGED' });
    await ok('POST', at(id), { connector: { config: { ...config, endpoint: '' } }, updateMask: 'config' });
    expect((await ok('GET', `/api/v1/sources/${id}`)).source.secretsSet).toEqual([]);
  });

  it('have recovered, too, where their file turns out to be the one before', async () => {
    answerWith = (asked, response) =>
      void response.writeHead(asked.url === '/same.csv' ? 200 : 404, { 'content-type': 'text/csv' }).end(header + rows(3, 'r'));
    const id = await make(https({ url: `http://127.0.0.1:${port}/same.csv` }));
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_DONE' });
    const { id: last } = await fetchNow(id);
    await server.test.admin(`UPDATE countersign.fetches SET state = 'FAILED', failures = 5 WHERE id = '${last}'`);
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_UNCHANGED' });
    expect(
      await server.test.admin(`SELECT FROM countersign.events WHERE kind = 'connector.recovered' AND target_id = '${id}'`),
    ).toHaveLength(1);
  });

  it('end nothing, whatever a server answers', async () => {
    const csv = { 'content-type': 'text/csv' };
    answerWith = (_, response) => void response.writeHead(200, csv).end(header + rows(40, 'h'));
    const id = await make(https({ headers: [], url: `http://127.0.0.1:${port}/export` }));
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_DONE' });
    const countLive = () =>
      server.test.admin(
        'SELECT count(*)::int AS n FROM grants g JOIN sources s ON (s.tenant_id, s.app_id, s.source_no) = (g.tenant_id, g.app_id, g.source_no) WHERE s.id = $1 AND g.ended_at IS NULL',
        [id],
      );
    const before = await countLive();
    expect(before).not.toEqual([{ n: 0 }]);
    const whole = header + rows(40, 'h');
    const hostile: [string, (response: ServerResponse) => void, string][] = [
      [
        'cut off',
        (response) =>
          response.writeHead(200, { ...csv, 'content-length': whole.length }).write(header + rows(3, 'h'), () => response.destroy()),
        'broke off',
      ],
      ['a page', (response) => response.writeHead(200).end('\n<!DOCTYPE html><title>Sign in</title>'), 'The link asks to sign in'],
      ['leads inside', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/a' }).end(), '127.0.0.1:1 is not asked'],
      ['half a gzip', (response) => response.writeHead(200, csv).end(gzipSync(whole).subarray(0, -12)), 'gzip is damaged'],
      ['a bomb', (response) => response.writeHead(200, csv).end(gzipSync(Buffer.alloc(2_000_000, 'a,'))), ''],
      ['half a row', (response) => response.writeHead(200, csv).end(whole.slice(0, -9)), ''],
      ['nothing', (response) => response.writeHead(200, { ...csv, 'content-length': 0 }).end(), ''],
      ['headers alone', (response) => response.writeHead(200, csv).end(header), ''],
      ['noise', (response) => response.writeHead(200, csv).end(Buffer.alloc(5000, 0x9f)), ''],
    ];
    for (const [what, answer, words] of hostile) {
      answerWith = (_, response) => answer(response);
      const failed = await fetchNow(id);
      expect([what, failed.state, failed.importId], failed.error).toEqual([what, 'FETCH_STATE_FAILED', '']);
      expect(failed.error, what).toContain(words);
      expect(failed.error, what).not.toMatch(/went wrong on our side|secret-value/);
    }
    expect(await countLive()).toEqual(before);
  });

  it('name each setting that is wrong', async () => {
    const fields = async (more: object): Promise<unknown> => violatedFields(await admin('POST', `${at()}/create`, { config: https(more) }));
    expect(await fields({ url: 'ftp://a', headers: ['Authorization: Bearer x'], ca: 'x', sheet: 'x'.repeat(201) })).toEqual(
      ['url', 'headers', 'ca', 'sheet'].map((field) => `config.${field}`),
    );
    expect(await fields({ uri: 'x' })).toEqual(['config.uri']);
  });
});
