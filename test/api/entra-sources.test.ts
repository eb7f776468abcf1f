/** Sources of kind ENTRA over HTTP: settings, secrets, and a directory of a fake of Microsoft Graph that becomes people, accounts and grants. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { type FakeGraph, startFakeGraph } from '../support/graph/fake-graph.ts';
import { usualApp } from '../support/graph/fetch-entra.ts';
import { guid, tenantOf, user } from '../support/graph/tenant.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const type = 'type.googleapis.com/countersign.v1.EntraSettings';
const key = Buffer.alloc(32, 7).toString('hex');
const { tenantId, clientId, secret = '' } = usualApp;
const [crm, role, staff, all] = [guid(2, 1), guid(4, 1), guid(3, 1), guid(3, 2)] as const;
const users = Array.from({ length: 12 }, (_, index) => user(index + 1, index === 0 ? {} : { manager: guid(1, 1) }));
const tenant = tenantOf({
  users,
  principals: [
    {
      ...{ id: crm, appId: guid(5, 1), displayName: 'CRM', accountEnabled: true, servicePrincipalType: 'Application' },
      appRoles: [{ id: role, displayName: 'Seller', description: 'Sells.', isEnabled: true, allowedMemberTypes: ['User'] }],
      assigned: [[role, staff]],
    },
  ],
  groups: [
    { id: staff, displayName: 'Staff', groupTypes: ['DynamicMembership'], members: users.map(({ id }) => id), owners: [guid(1, 1)] },
    { id: all, displayName: 'All', groupTypes: [], members: [staff, crm] },
  ],
});

let fake: FakeGraph;
let server: TestServer;
let appId: string;
let id: string;
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
const at = (path = ''): string => `/api/v1/apps/${appId}/connectors/${path}`;
const config = (more: object = {}) => ({ '@type': type, tenantId, clientId, ...more });
const fetchNow = async (): Promise<Loose> => {
  const known = new Set((await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list.map((fetch: Loose) => fetch.id));
  await ok('POST', at(`${id}/force_sync`), {});
  return until(async () => {
    const { list } = await ok('GET', `/api/v1/fetches?connector_id=${id}`);
    // Newest first; a failed one may be followed by its retry.
    const fetch = list.findLast((one: Loose) => !known.has(one.id));
    expect(fetch?.state).toMatch(/DONE|HELD|FAILED/);
    return fetch;
  });
};
const setSecret = (value: string) => ok('PUT', `/api/v1/sources/${id}/secrets/clientSecret`, { value });

beforeAll(async () => {
  fake = await startFakeGraph({ tenant, app: usualApp, pageSize: 5 });
  server = await startTestServer({
    allowsLocalIssuers: true,
    standIns: fake.standIns,
    config: { installationKey: { file: undefined, text: key, command: undefined } },
  });
  appId = (await ok('POST', '/api/v1/apps', { displayName: 'Entra ID' })).app.id;
  await ok('POST', '/api/v1/directories', { appId });
  id = (await ok('POST', at('create'), { config: config({ attributes: ['companyName'] }) })).connectorView.connector.id;
  await ok('POST', at(`${id}/schedule`), { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

it('name each setting that is wrong', async () => {
  const wrong = config({ tenantId: 'example.com', clientId: '', attributes: ['passwordProfile'] });
  const fields = ['tenantId', 'clientId', 'attributes'].map((field) => `config.${field}`);
  expect(violatedFields(await admin('POST', at('create'), { config: wrong }))).toEqual(fields);
  expect((await admin('POST', at('create'), { config: config({ cloud: 'ENTRA_CLOUD_MOON' }) })).status).toBe(400);
});

it('fail without a secret, and with a wrong one, and repeat neither', async () => {
  const none = 'Set one of the secrets clientSecret, certificate and federatedToken. None is set.';
  expect(await fetchNow()).toMatchObject({ state: 'FETCH_STATE_FAILED', error: none });
  await setSecret('mistyped-secret');
  const refused = await fetchNow();
  expect(refused).toMatchObject({ state: 'FETCH_STATE_FAILED', error: expect.stringContaining('the client secret is wrong') });
  expect(JSON.stringify(refused)).not.toContain('mistyped-secret');
});

it('become people with managers, accounts, groups and roles', async () => {
  await setSecret(secret);
  const fetch = await fetchNow();
  expect([fetch.state, fetch.error, fetch.warnings]).toEqual(['FETCH_STATE_DONE', '', []]);
  const sync = (await ok('GET', `/api/v1/imports/${fetch.importId}`)).import;
  // 12 members of Staff, who are in All and sell by that; the owner, the service principal in All, and the administrator.
  expect(sync).toMatchObject({ added: '39', isComplete: true, counts: { accounts: { added: '13' } } });
  const people = (await ok('GET', `/api/v1/imports/${fetch.peopleImportId}`)).import;
  expect(people.added).toBe('12');
  const shown = await server.test.admin('SELECT display_name AS name FROM resources WHERE app_id = $1', [appId]);
  expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['Staff', 'All', 'CRM', 'Global Administrator']));
  expect(await fetchNow()).toMatchObject({ state: 'FETCH_STATE_DONE' });
});

it('end nothing where a page fails five times', async () => {
  let failures = 0;
  const before = (await ok('GET', `/api/v1/sources/${id}`)).source.lastImportId;
  fake.change({
    interfere: (path) => {
      if (!/^\/users.*skiptoken=5/.test(path)) {
        return undefined;
      }
      failures++;
      return { status: 503, headers: { 'retry-after': '0' }, body: '' };
    },
  });
  const fetch = await fetchNow();
  expect(fetch).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'Reading users failed 5 times: Microsoft Graph answered 503.' });
  // Its retry may have begun: it fails as well, until the fake is whole again.
  expect(failures).toBeGreaterThanOrEqual(5);
  expect((await ok('GET', `/api/v1/sources/${id}`)).source.lastImportId).toBe(before);
  fake.change({ interfere: () => undefined });
});

it('are tried out before they are saved', async () => {
  const tried = await ok('POST', '/api/v1/sources/test', { config: config(), secrets: { clientSecret: secret } });
  expect([tried.error, tried.steps.map(({ kind, found }: Loose) => `${kind} ${found}`)]).toEqual([
    '',
    [expect.stringMatching(/^TESTED_STEP_KIND_ADDRESS 127\.0\.0\.1:\d+$/), `TESTED_STEP_KIND_SIGN_IN ${clientId}`],
  ]);
  expect(tried.contents.map(({ isPeople, rows }: Loose) => [isPeople, rows.length])).toEqual([
    [true, 5],
    [false, 5],
  ]);
  const wrong = await ok('POST', '/api/v1/sources/test', { config: config(), secrets: { clientSecret: 'x' } });
  expect([wrong.errorField, wrong.error]).toEqual(['clientSecret', expect.stringContaining('the client secret is wrong')]);
});

it('forget their secret where they lead elsewhere', async () => {
  for (const elsewhere of [{ cloud: 'ENTRA_CLOUD_CHINA' }, { tenantId: guid(7, 9) }]) {
    await setSecret(secret);
    await ok('POST', at(id), { connector: { config: config(elsewhere) }, updateMask: 'config' });
    const { source } = await ok('GET', `/api/v1/sources/${id}`);
    expect(source.secretsSet).toEqual([]);
  }
});
