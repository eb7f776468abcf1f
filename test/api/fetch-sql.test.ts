/** Sources that read a database, over HTTP: from settings and a secret to a sync. */
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openProxy } from '../support/socket-proxy.ts';
import { until } from '../support/until.ts';

const password = 'a very good password';
const role = `api_reader_${process.pid}`;

describe('a source that reads a database', () => {
  let server: TestServer;
  let source: TestDatabase;
  let superuser: pg.Client;
  let proxy: { port: number; server: Server };
  let appId: string;
  let config: Record<string, unknown>;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const make = async (more: object = {}): Promise<string> => {
    const { status, body } = await admin('POST', `/api/v1/apps/${appId}/connectors/create`, { config: { ...config, ...more } });
    expect([status, body.message]).toEqual([200, undefined]);
    return body.connectorView.connector.id;
  };
  const fetchNow = async (id: string) => {
    expect((await admin('POST', `/api/v1/apps/${appId}/connectors/${id}/force_sync`, {})).status).toBe(200);
    return until(async () => {
      const { body } = await admin('GET', `/api/v1/fetches?connector_id=${id}`);
      const [fetch] = body.list.toSorted((a: Loose, b: Loose) => (a.id < b.id ? 1 : -1));
      expect(fetch.state).not.toMatch(/WAITING|RUNNING|READING/);
      return fetch;
    });
  };

  beforeAll(async () => {
    source = await openTestDatabase({ empty: true });
    superuser = new pg.Client({ connectionString: inject('testServer').adminUrl });
    await superuser.connect();
    const { host, port } = superuser;
    proxy = await openProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    await source.admin(`CREATE TABLE public.access (login text, mail text, part text);
      INSERT INTO public.access SELECT 'u' || n, NULL, 'Reader' FROM generate_series(1, 50) n; GRANT SELECT ON public.access TO ${role}`);
    server = await startTestServer({ config: { allowOutbound: ['127.0.0.1', `127.0.0.1:${proxy.port}`], installationKey: key } });
    appId = (await admin('POST', '/api/v1/apps', { displayName: 'Ledger' })).body.app.id;
    config = {
      '@type': 'type.googleapis.com/countersign.v1.SqlSettings',
      engine: 'SQL_ENGINE_POSTGRESQL',
      host: '127.0.0.1',
      port: proxy.port,
      database: decodeURIComponent(/\/([^/?]+)(?:\?|$)/.exec(source.url)?.[1] ?? ''),
      username: role,
      statement: `SELECT login AS account, mail AS email, 'role' AS resource_type, part AS resource, 'holds' AS entitlement FROM access`,
    };
  });
  afterAll(async () => {
    await server.stop();
    proxy.server.close();
    await source.close();
    await superuser.query(`DROP ROLE ${role}`);
    await superuser.end();
  });
  const key = { file: undefined, text: '01'.repeat(32), command: undefined };

  it('becomes a sync once its password is set, and none when it leads elsewhere', async () => {
    const id = await make();
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'The source has no secret named password.' });
    const set = await admin('PUT', `/api/v1/sources/${id}/secrets/password`, { value: password });
    expect(set.body.source).toMatchObject({ kind: 'SOURCE_KIND_SQL', secretsSet: ['password'] });
    expect(JSON.stringify(set.body)).not.toContain(password);
    const done = await fetchNow(id);
    expect(done).toMatchObject({ state: 'FETCH_STATE_DONE', error: '' });
    expect((await admin('GET', `/api/v1/imports/${done.importId}`)).body.import).toMatchObject({ added: '50', connectorId: id });
    await admin('POST', `/api/v1/apps/${appId}/connectors/${id}`, {
      connector: { config: { ...config, host: 'localhost' } },
      updateMask: 'config',
    });
    expect((await admin('GET', `/api/v1/sources/${id}`)).body.source.secretsSet).toEqual([]);
  });

  it('is tried out: how far it comes, its first rows, and what is wrong with which setting', async () => {
    const tried = async (more: object, secrets: object = { password }) =>
      (await admin('POST', '/api/v1/sources/test', { config: { ...config, ...more }, secrets })).body;
    const good = await tried({});
    expect([good.error, good.steps.map(({ kind }: Loose) => kind)]).toEqual(['', ['TESTED_STEP_KIND_ADDRESS', 'TESTED_STEP_KIND_SIGN_IN']]);
    expect(good.steps[1].found).toBe(role);
    expect([good.contents[0].columns[0], good.contents[0].rows.length]).toEqual(['account', 5]);
    const wrong = [tried({ statement: 'SELECT 1 FROM nothing' }), tried({}, {}), tried({ database: 'none' })];
    expect((await Promise.all(wrong)).map(({ errorField }) => errorField)).toEqual(['statement', 'password', 'database']);
    expect(await tried({ host: '10.1.2.3' })).toMatchObject({ errorField: 'host', steps: [] });
  });

  it('says who may do what in a PostgreSQL, by the statement of the documents', async () => {
    const text = await readFile(new URL('../../docs/sources.md', import.meta.url), 'utf8');
    const [, statement = ''] = /Who may do what in a PostgreSQL itself.*?```sql\n(.*?)```/s.exec(text) ?? [];
    await superuser.query(`GRANT pg_monitor TO ${role}`);
    const id = await make({ statement });
    await admin('PUT', `/api/v1/sources/${id}/secrets/password`, { value: password });
    const done = await fetchNow(id);
    expect(done).toMatchObject({ state: 'FETCH_STATE_DONE', error: '' });
    // Other tests have roles on this server, too.
    const held: string[] = [];
    for (let token = ''; ; ) {
      const { body } = await admin('GET', `/api/v1/imports/${done.importId}/grants?page_size=100&page_token=${token}`);
      for (const { account, entitlement: one } of body.list) {
        held.push(`${account} ${one.resourceType}/${one.resource}/${one.entitlement}`);
      }
      token = body.nextPageToken;
      if (!token) {
        break;
      }
    }
    expect(held).toContain(`${role} role/pg_monitor/member`);
  });

  it('says what is wrong: with its settings at once, with its statement when it is run', async () => {
    const wrong = await admin('POST', `/api/v1/apps/${appId}/connectors/create`, { config: { ...config, engine: 0, host: '/tmp' } });
    expect(violatedFields(wrong).sort()).toEqual(['config.engine', 'config.host']);
    const id = await make({ statement: 'DELETE FROM access' });
    await admin('PUT', `/api/v1/sources/${id}/secrets/password`, { value: password });
    expect(await fetchNow(id)).toMatchObject({ state: 'FETCH_STATE_FAILED', error: expect.stringContaining('syntax error') });
  });
});
