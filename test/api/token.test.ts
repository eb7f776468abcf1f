/**
 * Tokens of the whole service: between tenants, after revocation, from other addresses, and through both spellings of a loopback host. Every
 * refusal of the token endpoint itself is tested beside it, in src/http/token-routes.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertionClaims, keyOfSecret, signJwt } from '../support/assertions.ts';
import { request } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';

const type = 'application/x-www-form-urlencoded';
const self = '/api/v1/auth/introspect';

describe('tokens of the whole service', () => {
  let server: TestServer;
  let other: ServedTenant;
  const post = (tenant: ServedTenant, fields: Record<string, string>, send: ServedTenant['fetch'] = tenant.fetch) =>
    send('/auth/v1/token', { method: 'POST', headers: { 'content-type': type }, body: new URLSearchParams(fields).toString() });
  const secretForm = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const assertionForm = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }, audience: string) => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signJwt(keyOfSecret(clientSecret), assertionClaims(clientId, audience, new Date())),
  });
  const tokenOf = async (response: Response) => ((await response.json()) as { access_token: string }).access_token;
  const make = async (more: object = {}) => {
    const { body } = await request(server, server.admin, 'POST', '/api/v1/iam/personal_clients', { displayName: 'k', ...more });
    return { id: body.client.id as string, clientId: body.client.clientId as string, clientSecret: body.clientSecret as string };
  };
  const get = (tenant: ServedTenant, authorization?: string) =>
    tenant.fetch(self, authorization === undefined ? {} : { headers: { authorization } });

  beforeAll(async () => {
    server = await startTestServer({ config: { trustProxy: ['127.0.0.1'] } });
    other = await server.makeTenant('other.example');
  });
  afterAll(() => server.stop());

  it('are given for a secret and for an assertion whose audience has no port', async () => {
    for (const form of [secretForm(server.admin.credential), assertionForm(server.admin.credential, '127.0.0.1')]) {
      const response = await post(server, form);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect((await get(server, `Bearer ${await tokenOf(response)}`)).status).toBe(200);
    }
  });

  it('work through every loopback name of the tenant, whichever the client id holds', async () => {
    const { port } = server.app;
    for (const host of [`localhost:${port}`, `[::1]:${port}`]) {
      const send = (path: string, init?: RequestInit) => fetchAsHost(host)(`${server.url}${path}`, init ?? {});
      const aliased = { ...server.admin.credential, clientId: server.admin.credential.clientId.replace(/@[^/]+/, `@${host}`) };
      for (const credential of [server.admin.credential, aliased]) {
        for (const form of [secretForm(credential), assertionForm(credential, host)]) {
          const response = await post(server, form, send);
          expect(response.status).toBe(200);
          expect((await send(self, { headers: { authorization: `Bearer ${await tokenOf(response)}` } })).status).toBe(200);
        }
      }
    }
  });

  it('and credentials are worth nothing in another tenant', async () => {
    const token = await tokenOf(await post(server, secretForm(server.admin.credential)));
    expect((await get(other, `Bearer ${token}`)).status).toBe(401);
    const refused = await post(other, secretForm(server.admin.credential));
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
  });

  it('are asked for where missing or bad, as RFC 6750 says', async () => {
    const none = await get(server);
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer(?!.*error)/);
    for (const header of ['Bearer nonsense', 'Basic eDp5', 'Bearer']) {
      const bad = await get(server, header);
      expect(bad.status).toBe(401);
      expect(bad.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
      expect(await bad.json()).toMatchObject({ code: 16 });
    }
  });

  it('stop within 5 s of the revocation', async () => {
    const credential = await make();
    const token = await tokenOf(await post(server, secretForm(credential)));
    expect((await get(server, `bearer ${token}`)).status).toBe(200);
    await request(server, server.admin, 'DELETE', `/api/v1/iam/personal_clients/${credential.id}`);
    await expect.poll(async () => (await get(server, `Bearer ${token}`)).status, { timeout: 60_000, interval: 200 }).toBe(401);
    expect((await post(server, secretForm(credential))).status).toBe(401);
  });

  it('are bound to the addresses of their credential', async () => {
    const credential = await make({ allowSourceCidr: ['203.0.113.0/24'] });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const ask = (address: string) =>
      server.fetch('/auth/v1/token', {
        method: 'POST',
        headers: { 'content-type': type, ...from(address) },
        body: new URLSearchParams(secretForm(credential)).toString(),
      });
    expect((await ask('198.51.100.1')).status).toBe(401);
    const token = await tokenOf(await ask('203.0.113.9'));
    const use = async (address: string) =>
      (await server.fetch(self, { headers: { authorization: `Bearer ${token}`, ...from(address) } })).status;
    expect(await use('203.0.113.10')).toBe(200);
    expect(await use('::ffff:203.0.113.10')).toBe(200);
    expect(await use('198.51.100.1')).toBe(401);
  });

  it('are refused by GET, to JSON, and for hosts that are none, also after doubled slashes', async () => {
    const got = await server.fetch('/auth/v1/token');
    expect(got.status).toBe(405);
    expect(got.headers.get('allow')).toContain('POST');
    const json = await server.fetch('/auth/v1/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect([json.status, await json.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const doubled = await server.fetch('//auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': type },
      body: new URLSearchParams(secretForm(server.admin.credential)).toString(),
    });
    expect(doubled.status).toBe(200);
    expect(
      (await fetchAsHost('unknown.example')(`${server.url}/auth/v1/token`, { method: 'POST', headers: { 'content-type': type }, body: '' }))
        .status,
    ).toBe(404);
  });

  it('tell when their credential was last used', async () => {
    const credential = await make();
    await post(server, secretForm(credential));
    const read = async () =>
      (await request(server, server.admin, 'GET', `/api/v1/iam/personal_clients/${credential.id}`)).body.client.lastUsedAt;
    await expect.poll(read, { timeout: 60_000 }).toMatch(/Z$/);
  });
});
