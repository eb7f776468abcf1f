/** Sources of kind LDAP over HTTP: settings, the password as a secret, and a directory that becomes people, accounts and groups. Left out without slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { adminDn, adminPassword, baseDn, groupDn, hasSlapd, personDn, type Slapd, startSlapd, writeDirectory } from '../support/slapd.ts';
import { until } from '../support/until.ts';

const type = 'type.googleapis.com/countersign.v1.LdapSettings';
const text = Buffer.alloc(32, 7).toString('hex');

describe.runIf(hasSlapd)('sources of directories', () => {
  let slapd: Slapd;
  let server: TestServer;
  let appId: string;
  let id: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const at = (path = ''): string => `/api/v1/apps/${appId}/connectors/${path}`;
  const config = (more: object = {}) => ({ '@type': type, url: slapd.url, baseDn, bindDn: adminDn, ...more });
  const fetchNow = async (): Promise<Loose> => {
    const known = new Set((await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list.map((fetch: Loose) => fetch.id));
    await ok('POST', at(`${id}/force_sync`), {});
    return until(async () => {
      const { list } = await ok('GET', `/api/v1/fetches?connector_id=${id}`);
      const fetch = list.find((one: Loose) => !known.has(one.id));
      expect(fetch?.state).toMatch(/DONE|HELD|FAILED/);
      return fetch;
    });
  };

  beforeAll(async () => {
    slapd = await startSlapd(
      writeDirectory(40, [
        [personDn(1), personDn(2)],
        [groupDn(0), personDn(3)],
      ]),
    );
    server = await startTestServer({
      allowsLocalIssuers: true,
      config: { installationKey: { file: undefined, text, command: undefined } },
    });
    appId = (await ok('POST', '/api/v1/apps', { displayName: 'Directory' })).app.id;
    await ok('POST', '/api/v1/directories', { appId });
    const made = await ok('POST', at('create'), { config: config({ attributes: ['sn'] }) });
    id = made.connectorView.connector.id;
    await ok('POST', at(`${id}/schedule`), { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
  });
  afterAll(async () => {
    await slapd.close();
    await server.stop();
  });

  it('name each setting that is wrong', async () => {
    const wrong = config({ url: 'http://x', baseDn: '', userFilter: '(', attributes: ['userPassword'], disabledWhen: ['x'] });
    const answer = await admin('POST', at('create'), { config: wrong });
    expect(violatedFields(answer)).toEqual(['url', 'baseDn', 'userFilter', 'attributes', 'disabledWhen'].map((field) => `config.${field}`));
    expect(violatedFields(await admin('POST', at('create'), { config: config({ bindName: 'x' }) }))).toEqual(['config.bindName']);
  });

  it('fail without their password, and say so', async () => {
    expect(await fetchNow()).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'The password of the bind DN is not set.' });
  });

  it('become people with managers, accounts, groups and what is inherited', async () => {
    await ok('PUT', `/api/v1/sources/${id}/secrets/bindPassword`, { value: adminPassword });
    const fetch = await fetchNow();
    expect([fetch.state, fetch.error, fetch.warnings]).toEqual(['FETCH_STATE_DONE', '', []]);
    const sync = (await ok('GET', `/api/v1/imports/${fetch.importId}`)).import;
    // 2 members, what they inherit, and 1 more member.
    expect(sync).toMatchObject({ added: '5', isComplete: true, counts: { accounts: { added: '40' }, entitlements: { added: '2' } } });
    const people = (await ok('GET', `/api/v1/imports/${fetch.peopleImportId}`)).import;
    expect(people.added).toBe('40');
    const shown = await server.test.admin('SELECT display_name AS name FROM resources WHERE app_id = $1', [appId]);
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['g0', 'g1']));
    expect(await fetchNow()).toMatchObject({ state: 'FETCH_STATE_DONE' });
  });

  it('are tried out with a password that is sent, or that of the source, which goes nowhere else', async () => {
    const tried = (more: object, rest: object = {}) => ok('POST', '/api/v1/sources/test', { config: config(more), ...rest });
    const kinds = ({ steps }: Loose): string[] => steps.map(({ kind }: Loose) => kind.replace('TESTED_STEP_KIND_', ''));
    const wrong = await tried({}, { secrets: { bindPassword: 'wrong' } });
    expect([wrong.errorField, kinds(wrong), wrong.contents]).toEqual(['bindPassword', ['ADDRESS'], []]);
    const encrypted = { url: slapd.tlsUrl, ca: slapd.certificate };
    const good = await tried(encrypted, { secrets: { bindPassword: adminPassword } });
    expect([good.error, good.errorField, kinds(good)]).toEqual(['', '', ['NAME', 'ADDRESS', 'TLS', 'SIGN_IN']]);
    expect(good.steps[2].found).toMatch(/^TLSv1\.3, localhost, 20\d\d-\d\d-\d\d$/);
    expect(good.contents.map(({ isPeople, rows }: Loose) => [isPeople, rows.length])).toEqual([
      [true, 5],
      [false, 5],
    ]);
    expect(JSON.stringify(good)).not.toContain(adminPassword);
    expect(await tried({ url: slapd.tlsUrl })).toMatchObject({ errorField: 'bindPassword' });
    expect(await tried({ url: slapd.tlsUrl }, { secrets: { bindPassword: 'x' } })).toMatchObject({ errorField: 'ca' });
    expect(await tried({ attributes: ['cn'] }, { sourceId: id })).toMatchObject({ error: '' });
    expect(await tried(encrypted, { sourceId: id })).toMatchObject({ errorField: 'bindPassword', steps: [] });
    expect((await admin('POST', '/api/v1/sources/test', { config: config(), sourceId: 'none' })).status).toBe(404);
    const file = await admin('POST', '/api/v1/sources/test', { config: config(), secretFiles: { bindPassword: '../x' } });
    expect([file.status, violatedFields(file)]).toEqual([400, ['secretFiles']]);
  });

  it('forget their password where they lead elsewhere', async () => {
    const { connectorView } = await ok('POST', at(id), {
      connector: { config: config({ url: 'ldaps://elsewhere.example.com' }) },
      updateMask: 'config',
    });
    expect(connectorView.connector.config).toMatchObject({ url: 'ldaps://elsewhere.example.com', bindDn: adminDn });
    expect(JSON.stringify(connectorView)).not.toContain(adminPassword);
    expect(await fetchNow()).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'The password of the bind DN is not set.' });
  });
});
