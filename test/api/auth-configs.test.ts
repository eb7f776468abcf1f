/** Identity providers over HTTP: made, read, changed and removed; their secret goes in and never comes out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';

const path = '/api/v1/auth-configs';
const secret = 'the secret of the client';
const oidc = { issuerId: 'https://id.example.com/realm', oidcClientId: 'countersign', oidcClientSecret: secret };

describe('identity providers over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const make = async (fields: object = {}): Promise<string> => {
    const { body } = await admin('POST', path, { displayName: 'Sample', oidc, ...fields });
    return body.authConfig.id;
  };
  const events = async (): Promise<unknown[]> =>
    server.system().db.rows("SELECT kind, data FROM events WHERE tenant_id = $1 AND kind LIKE 'auth_config.%' ORDER BY id", [server.id]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
  });
  afterAll(() => server.stop());

  it('live from their making to their end, and their secret is nowhere', async () => {
    const made = await admin('POST', path, { displayName: 'Sample', isDefaultBootstrap: true, bootstrapDomains: ['example.com'], oidc });
    expect(made.status).toBe(200);
    const { id } = made.body.authConfig;
    expect(made.body.authConfig).toMatchObject({
      displayName: 'Sample',
      isDefaultBootstrap: true,
      bootstrapDomains: ['example.com'],
      providerType: 'AUTH_CONFIG_PROVIDER_TYPE_OIDC',
      status: 'AUTH_CONFIG_STATUS_ACTIVE',
      oidc: { issuerId: oidc.issuerId, oidcClientId: 'countersign', oidcClientSecret: '' },
    });
    expect((await admin('GET', `${path}/${id}`)).body).toEqual(made.body);
    expect((await admin('GET', path)).body.list).toEqual([made.body.authConfig]);
    const changed = await admin('POST', `${path}/${id}`, { authConfig: { displayName: 'Changed' }, updateMask: 'displayName' });
    expect(changed.body.authConfig).toMatchObject({ displayName: 'Changed', oidc: { issuerId: oidc.issuerId } });
    const newSecret = await admin('POST', `${path}/${id}`, {
      authConfig: { oidc: { oidcClientSecret: 'another secret' } },
      updateMask: 'oidc.oidcClientSecret',
    });
    expect(newSecret.status).toBe(200);
    expect((await admin('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await admin('GET', `${path}/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await events()).toMatchObject([
      { kind: 'auth_config.created', data: { displayName: 'Sample', issuer: oidc.issuerId, hasSecret: true } },
      { kind: 'auth_config.updated', data: { fields: ['displayName'], newSecret: false } },
      { kind: 'auth_config.updated', data: { fields: [], newSecret: true } },
      { kind: 'auth_config.deleted', data: { displayName: 'Changed' } },
    ]);
  });

  it('keep their secret sealed, in the table, in events and in answers', async () => {
    const id = await make();
    const { db } = server.system();
    const rows = await db.rows<{ sealed: string }>('SELECT client_secret AS sealed FROM auth_configs WHERE tenant_id = $1 AND id = $2', [
      server.id,
      id,
    ]);
    expect(rows[0]?.sealed.length).toBeGreaterThan(secret.length);
    const everything = [
      await db.rows('SELECT to_jsonb(c) AS row FROM auth_configs c WHERE c.tenant_id = $1', [server.id]),
      await events(),
      (await admin('GET', `${path}/${id}`)).body,
      (await admin('GET', path)).body,
      (await admin('POST', `${path}/${id}`, { authConfig: { displayName: 'X' }, updateMask: 'displayName' })).body,
    ];
    expect(JSON.stringify(everything)).not.toContain(secret);
  });

  it('want the secret again for another issuer or client, who would otherwise get it', async () => {
    const id = await make();
    for (const [field, value] of [
      ['issuerId', 'https://evil.example'],
      ['oidcClientId', 'another'],
    ] as const) {
      const answer = await admin('POST', `${path}/${id}`, { authConfig: { oidc: { [field]: value } }, updateMask: `oidc.${field}` });
      expect([field, answer.status, violatedFields(answer)]).toEqual([field, 400, ['authConfig.providerConfig.oidcClientSecret']]);
    }
    const other = { okta: { domain: 'sample.okta.com', oidcClientId: 'countersign' } };
    expect((await admin('POST', `${path}/${id}`, { authConfig: other, updateMask: 'okta' })).status).toBe(400);
    const whole = { okta: { ...other.okta, oidcClientSecret: 'theirs' } };
    const answer = await admin('POST', `${path}/${id}`, { authConfig: whole, updateMask: 'okta' });
    expect(answer.body.authConfig).toMatchObject({ providerType: 'AUTH_CONFIG_PROVIDER_TYPE_OKTA', okta: { domain: 'sample.okta.com' } });
  });

  it.each([
    ['displayName', { displayName: ' ' }],
    ['bootstrapDomains', { bootstrapDomains: ['not a domain'] }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: 'http://id.example.com' } }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: 'http://127.0.0.1:9' } }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: 'https://user:password@id.example.com' } }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: 'https://id.example.com/?x=1' } }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: 'file:///etc/passwd' } }],
    ['oidc.issuerId', { oidc: { ...oidc, issuerId: '' } }],
    ['oidc.oidcClientId', { oidc: { ...oidc, oidcClientId: '' } }],
    ['oidc.scopes', { oidc: { ...oidc, scopes: ['a b\nc'] } }],
    ['okta.domain', { oidc: undefined, okta: { domain: 'evil.example/..', oidcClientId: 'x' } }],
    ['pingone.environmentId', { oidc: undefined, pingone: { environmentId: '../x', oidcClientId: 'x' } }],
    ['google', { oidc: undefined, google: { hostedDomains: ['example.com'] } }],
    ['microsoft', { oidc: undefined, microsoft: {} }],
    ['c1Local', { oidc: undefined, c1Local: {} }],
    ['oidc', { oidc: undefined }],
  ])('are refused for a wrong %s: %j', async (field, fields) => {
    const answer = await admin('POST', path, { displayName: 'Sample', oidc, ...fields });
    expect([answer.status, violatedFields(answer)]).toEqual([400, [field]]);
  });

  it('can be a JumpCloud, a OneLogin or a PingOne', async () => {
    for (const own of [
      { jumpcloud: { oidcClientId: 'x', oidcClientSecret: 'y' } },
      { onelogin: { domain: 'sample.onelogin.com', oidcClientId: 'x', oidcClientSecret: 'y' } },
      { pingone: { environmentId: 'c0ffee', oidcClientId: 'x', oidcClientSecret: 'y' } },
    ]) {
      const type = `AUTH_CONFIG_PROVIDER_TYPE_${Object.keys(own)[0]?.toUpperCase()}`;
      const { body } = await admin('POST', path, { displayName: 'Sample', ...own });
      expect(body.authConfig).toMatchObject({ providerType: type });
    }
  });

  it('are not those of another tenant', async () => {
    const id = await make();
    const theirs = (method: string, body?: unknown) => request(other, other.admin, method, `${path}/${id}`, body);
    expect([(await theirs('GET')).status, (await theirs('POST', {})).status, (await theirs('DELETE')).status]).toEqual([404, 404, 404]);
  });
});
