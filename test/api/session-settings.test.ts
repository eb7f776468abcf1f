/** Session settings over HTTP: read, changed by mask, and acting on requests and tokens of every kind of credential. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { connectScim, sendScim } from '../support/scim.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const path = '/api/v1/settings/session';
const off = { enabled: false, sourceCidr: [] };
/** Holds no address a test comes from. */
const elsewhere = { enabled: true, sourceCidr: ['192.0.2.0/24'] };
const here = { enabled: true, sourceCidr: ['192.0.2.0/24', '127.0.0.0/8', '::1/128'] };

describe('session settings over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let program: TestPerson;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const change = (sessionSettings: object, updateMask?: string) => admin('POST', path, { sessionSettings, updateMask });
  const statusOf = async (person: TestPerson) => (await request(server, person, 'GET', '/api/v1/auth/introspect')).status;
  const tokenOf = async (person: TestPerson): Promise<{ status: number; body: Loose }> => {
    const { clientId, clientSecret } = person.credential;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const response = await server.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    return { status: response.status, body: await response.json() };
  };
  const eventually = (person: TestPerson, status: number) =>
    expect.poll(() => statusOf(person), { timeout: 60_000, interval: 200 }).toBe(status);

  beforeAll(async () => {
    server = await startTestServer();
    other = await server.makeTenant('other.example');
    basic = await server.makePerson('basic@example.com');
    const { body } = await admin('POST', '/api/v1/service_principals', { displayName: 'Program' });
    const made = await admin('POST', `/api/v1/service_principals/${body.servicePrincipal.id}/credentials`, { displayName: 'Key' });
    const credential = { clientId: made.body.credential.clientId, clientSecret: made.body.clientSecret };
    program = { id: body.servicePrincipal.id, email: '', credential, client: createClient({ url: server.url, credential }) };
  });
  beforeEach(async () => {
    expect((await change({}, '*')).status).toBe(200);
    await eventually(basic, 200);
    await eventually(program, 200);
  });
  afterAll(() => server.stop());

  it('restrict nothing until they are set', async () => {
    const { status, body } = await admin('GET', path);
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionSettings: {
        clientIdApprovalRequestPolicyId: '',
        clientIdMetadataDocumentPolicy: 'CLIENT_ID_METADATA_DOCUMENT_POLICY_UNSPECIFIED',
        externalClientsEnabled: false,
        connectorSource: off,
        externalClientSource: off,
        pccAdminSource: off,
        pccUserSource: off,
        ssoAdminSource: off,
        ssoUserSource: off,
      },
    });
  });

  it('are changed by mask, whole or in parts, and each change is one event', async () => {
    const first = await change({ pccAdminSource: here, maxSessionLength: '7200s', ssoAdminSource: elsewhere });
    expect(first.body.sessionSettings).toMatchObject({ pccAdminSource: here, maxSessionLength: '7200s', ssoAdminSource: elsewhere });
    expect((await admin('GET', path)).body).toEqual(first.body);
    const second = await change({ ssoAdminSource: { sourceCidr: ['10.0.0.0/8'] } }, 'ssoAdminSource.sourceCidr,max_session_length');
    expect(second.body.sessionSettings.ssoAdminSource).toEqual({ enabled: true, sourceCidr: ['10.0.0.0/8'] });
    expect(second.body.sessionSettings).not.toHaveProperty('maxSessionLength');
    expect(second.body.sessionSettings.pccAdminSource).toEqual(here);
    // Said again: nothing happens.
    await change(second.body.sessionSettings);
    const events = await server
      .system()
      .db.rows<{ data: Loose }>(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'session_settings.updated' ORDER BY id`, [
        server.id,
      ]);
    const fields = events.map(({ data }) => data.fields);
    expect(fields.slice(0, 2)).toEqual([
      ['maxSessionLength', 'pccAdminSource', 'ssoAdminSource'],
      ['maxSessionLength', 'ssoAdminSource'],
    ]);
    expect((await request(other, other.admin, 'GET', path)).body.sessionSettings.pccAdminSource).toEqual(off);
  });

  it.each([
    [
      { pccUserSource: { enabled: true, sourceCidr: ['10.0.0.0/8', 'x', '10.0.0.1'] } },
      ['pccUserSource.sourceCidr[1]', 'pccUserSource.sourceCidr[2]'],
    ],
    [{ connectorSource: { enabled: true } }, ['connectorSource.sourceCidr']],
    [{ ssoUserSource: { sourceCidr: ['nonsense'] } }, ['ssoUserSource.sourceCidr[0]']],
    [{ maxSessionLength: '299s' }, ['maxSessionLength']],
    [{ maxSessionLength: '2592001s' }, ['maxSessionLength']],
    [{ maxSessionLength: '0s' }, ['maxSessionLength']],
    [{ pccAdminSource: elsewhere }, ['pccAdminSource']],
  ])('are refused as %j', async (settings, fields) => {
    const answer = await change(settings);
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toEqual(fields.map((field) => `sessionSettings.${field}`));
  });

  it('refuse a mask that names nothing of theirs', async () => {
    expect((await change({}, 'nonsense')).status).toBe(400);
    expect((await change({}, 'pccAdminSource.nonsense')).status).toBe(400);
  });

  it('keep people and programs out by their own restriction, tokens and requests alike, and let them in again', async () => {
    for (const [source, out] of [
      ['pccUserSource', basic],
      ['externalClientSource', program],
    ] as const) {
      const others = [basic, program, server.admin].filter((one) => one !== out);
      expect((await change({ [source]: elsewhere })).status).toBe(200);
      await eventually(out, 401);
      expect((await tokenOf(out)).body).toMatchObject({ error: 'invalid_client', error_description: expect.stringContaining('address') });
      for (const person of others) {
        expect(await statusOf(person)).toBe(200);
        expect((await tokenOf(person)).status).toBe(200);
      }
      expect((await change({ [source]: { enabled: false } })).status).toBe(200);
      await eventually(out, 200);
    }
    // Those for sign-in are kept for what is to come, and keep nobody out; nor does that for connectors keep credentials out.
    await change({ ssoAdminSource: elsewhere, ssoUserSource: elsewhere, connectorSource: elsewhere, pccUserSource: elsewhere });
    // What keeps one of them out shows that the settings are in force.
    await eventually(basic, 401);
    expect([await statusOf(program), await statusOf(server.admin)]).toEqual([200, 200]);
    expect((await change({ pccUserSource: { enabled: false } })).status).toBe(200);
    await eventually(basic, 200);
  }, 240_000);

  it('keep identity providers out by the restriction for connectors, at once', async () => {
    const scim = await connectScim(server, 'Directory');
    for (const [connectorSource, status] of [
      [elsewhere, 401],
      [here, 200],
      [{ ...elsewhere, enabled: false }, 200],
    ] as const) {
      expect((await change({ connectorSource })).status).toBe(200);
      const answer = await scim.send('GET', '/Users');
      expect([connectorSource, answer.status]).toEqual([connectorSource, status]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    }
    await change({ connectorSource: elsewhere });
    const refused = await scim.send('GET', '/Users');
    expect(refused.body.detail).toMatch(/may not be used from this address/);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const reasons = async (): Promise<string[]> =>
      (await server.test.admin(`SELECT data ->> 'reason' AS reason FROM events WHERE kind = 'credential.token_refused'`)).map((row) =>
        String(row.reason),
      );
    await expect.poll(reasons, { timeout: 60_000 }).toContainEqual(expect.stringMatching(/SCIM token was used from an address/));
    // Whose token is not valid learns nothing of it.
    expect((await sendScim(server, `${scim.token}x`, 'GET', '/Users')).body.detail).toMatch(/not valid/);
  });

  it('tell administrators from others by the roles they hold, not by those of the credential', async () => {
    const reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    expect((await change({ pccUserSource: elsewhere })).status).toBe(200);
    await eventually(basic, 401);
    expect(await statusOf(reader)).toBe(200);
    const issued = await server.issueClient(reader.id);
    expect(await statusOf(issued)).toBe(200);
  });

  it('bound the life of new tokens and of those that are out', async () => {
    expect((await tokenOf(basic)).body.expires_in).toBe(3600);
    await change({ maxSessionLength: '300s' });
    await expect.poll(async () => (await tokenOf(basic)).body.expires_in, { timeout: 60_000, interval: 200 }).toBe(300);
    await change({ maxSessionLength: '7200s' });
    await expect.poll(async () => (await tokenOf(basic)).body.expires_in, { timeout: 60_000, interval: 200 }).toBe(3600);
  });

  it('try an address against blocks before they are set', async () => {
    const test = async (body: object) => admin('POST', `${path}/test-source-ip`, body);
    expect((await test({ allowCidr: ['192.0.2.0/24'], sourceIp: '192.0.2.7' })).body).toEqual({ allowed: true, checkedIp: '192.0.2.7' });
    expect((await test({ allow_cidr: ['192.0.2.0/24'], source_ip: '198.51.100.1' })).body).toMatchObject({
      allowed: false,
      checkedIp: '198.51.100.1',
      details: { code: 7, message: expect.stringContaining('198.51.100.1') },
    });
    expect((await test({ allowCidr: ['127.0.0.0/8'] })).body).toEqual({ allowed: true, checkedIp: '127.0.0.1' });
    expect((await test({ allowCidr: ['192.0.2.0/24'], sourceIp: '::ffff:192.0.2.7' })).body).toEqual({
      allowed: true,
      checkedIp: '192.0.2.7',
    });
    expect((await test({ allowCidr: [], sourceIp: '192.0.2.7' })).body.allowed).toBe(true);
    expect(violatedFields(await test({ allowCidr: ['x'], sourceIp: 'y' }))).toEqual(['allowCidr[0]', 'sourceIp']);
  });
});
