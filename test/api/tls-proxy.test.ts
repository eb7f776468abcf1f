/** Behind a proxy that ends TLS, named or not: every address that the service says of itself is https, and on this machine it is what clients use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';

/** A program that may sign in from a terminal. */
const cone = '2RGdOS94VDferT9e80mdgntl36K';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

let folder: string;
let server: TestServer;
let tenant: ServedTenant;
const proxies: TlsProxy[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-proxy-'));
  const files = makeCertificate(folder, { isTrusted: false });
  server = await startTestServer();
  tenant = await server.makeTenant('reviews.example');
  proxies.push(await startTlsProxy(server.app.port, files));
  proxies.push(await startTlsProxy(server.app.port, files, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }));
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Every text in a value that is an address of the service itself. */
function ownAddresses(body: string, host: string): string[] {
  return [...body.matchAll(/"(https?:\/\/[^"/]+)[^"]*"/g)].map(([, origin = '']) => origin).filter((origin) => origin.endsWith(host));
}

async function tokenOf(proxy: TlsProxy, of: ServedTenant): Promise<string> {
  const { clientId, clientSecret } = of.admin.credential;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }).toString();
  const answer = await proxy.ask(of.host, '/auth/v1/token', { method: 'POST', headers: form, body });
  return JSON.parse(answer.body).access_token as string;
}

describe.each([0, 1])('behind TLS proxy %i', (number) => {
  const proxy = (): TlsProxy => proxies[number] as TlsProxy;

  it('metadata, codes of terminals and SCIM name https', async () => {
    const metadata = await proxy().ask(tenant.host, '/.well-known/oauth-authorization-server');
    expect(JSON.parse(metadata.body)).toMatchObject({
      issuer: `https://${tenant.host}`,
      token_endpoint: `https://${tenant.host}/auth/v1/token`,
      jwks_uri: `https://${tenant.host}/.well-known/jwks.json`,
      device_authorization_endpoint: `https://${tenant.host}/auth/v1/device_authorization`,
    });
    const begin = { method: 'POST', headers: form, body: `client_id=${cone}` };
    const begun = await proxy().ask(tenant.host, '/auth/v1/device_authorization', begin);
    const token = await tokenOf(proxy(), tenant);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const app = await proxy().ask(tenant.host, '/api/v1/apps', { method: 'POST', headers, body: `{"displayName":"Directory ${number}"}` });
    const scimPath = `/api/v1/apps/${JSON.parse(app.body).app.id}/scim`;
    const scim = await proxy().ask(tenant.host, scimPath, { method: 'POST', headers, body: '{}' });
    const authorization = `Bearer ${JSON.parse(scim.body).token}`;
    const types = await proxy().ask(tenant.host, '/scim/v2/ResourceTypes', { headers: { authorization } });
    for (const { status, body } of [metadata, begun, scim, types]) {
      expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), body]);
      expect(new Set(ownAddresses(body, tenant.host))).toEqual(new Set([`https://${tenant.host}`]));
    }
  });

  it('tokens name the same issuer, and work', async () => {
    const token = await tokenOf(proxy(), tenant);
    expect(decodeJwt(token).iss).toBe(`https://${tenant.host}`);
    const roles = await proxy().ask(tenant.host, '/api/v1/iam/roles', { headers: { authorization: `Bearer ${token}` } });
    expect(roles.status).toBe(200);
  });
});

it('names http on a loopback name, where there is no TLS', async () => {
  const metadata = await server.fetch('/.well-known/oauth-authorization-server');
  expect(await metadata.json()).toMatchObject({ issuer: server.url, token_endpoint: `${server.url}/auth/v1/token` });
});
