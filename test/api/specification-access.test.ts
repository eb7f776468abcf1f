/**
 * Specification 4.2 and 5 as a client lives them: a credential is made, its parts are taken apart as 5.2 says, tokens come by both flows
 * from where the hostname points, and work until they do not. Each refusal of the endpoint is tested in src/http/token-routes.test.ts.
 */
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { assertionClaims, keyOfSecret, signJwt } from '../support/assertions.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

describe('access to the API', () => {
  let server: TestServer;
  let clientId: string;
  let clientSecret: string;
  let created: Loose;

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ask = async (fields: Readonly<Record<string, string>>): Promise<Answer & { headers: Headers }> => {
    const response = await server.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const bySecret = (secret = clientSecret): Promise<Answer> => ask({ client_id: clientId, client_secret: secret });
  const byAssertion = (
    claims: object,
    header: object = { alg: 'EdDSA' },
    key = keyOfSecret(clientSecret),
    signWith?: (data: Buffer) => Buffer,
  ): Promise<Answer> =>
    ask({ client_id: clientId, client_assertion_type: assertionType, client_assertion: signJwt(key, claims, header, signWith) });
  const claims = (more: object = {}): object => ({ ...assertionClaims(clientId, '127.0.0.1', new Date()), ...more });
  const now = (): number => Math.floor(Date.now() / 1000);
  const use = async (authorization: string): Promise<number> =>
    (await server.fetch('/api/v1/access_reviews', { headers: { authorization } })).status;

  beforeAll(async () => {
    server = await startTestServer();
    const answer = await admin('POST', '/api/v1/iam/personal_clients', {
      displayName: 'Mine',
      expires: '2592000s',
      allowSourceCidr: ['127.0.0.0/8', '::1/128'],
    });
    created = answer.body;
    ({ clientSecret } = answer.body);
    ({ clientId } = answer.body.client);
  });
  afterAll(() => server.stop());

  it('has credentials of the form 5.2 says', () => {
    const [random, rest = ''] = clientId.split('@');
    expect(random).toMatch(/^[a-z]+-[a-z]+-\d+$/);
    expect(rest.split('/')).toEqual([server.host, 'pcc']);
    const [prefix, label, version, encoded = ''] = clientSecret.split(':');
    expect([prefix, label, version]).toEqual(['secret-token', 'conductorone.com', 'v1']);
    expect(encoded).toMatch(/^[A-Za-z0-9_-]+$/);
    const jwk = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    expect(Object.keys(jwk).sort()).toEqual(['crv', 'd', 'kty', 'x']);
    expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
    expect(createPublicKey(keyOfSecret(clientSecret)).export({ format: 'jwk' }).x).toBe(jwk.x);
  });

  it('shows the secret at creation and never again', async () => {
    const { id } = created.client;
    for (const answer of [
      await admin('GET', `/api/v1/iam/personal_clients/${id}`),
      await admin('GET', '/api/v1/iam/personal_clients'),
      await admin('POST', '/api/v1/search/iam/personal_clients', {}),
      await admin('POST', `/api/v1/iam/personal_clients/${id}`, { client: { displayName: 'Still mine' } }),
    ]) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toMatch(/secret-token|"d":|clientSecret/);
    }
  });

  it.each([
    ['2592000s', 30],
    ['7776000s', 90],
    [undefined, undefined],
  ])('lives as long as was chosen: %s', async (expires, days) => {
    const { status, body } = await admin('POST', '/api/v1/iam/personal_clients', {
      displayName: 'k',
      ...(expires === undefined ? {} : { expires }),
    });
    expect(status).toBe(200);
    if (days === undefined) {
      expect(body.client).not.toHaveProperty('expiresTime');
    } else {
      const left = new Date(body.client.expiresTime).getTime() - Date.now();
      expect(Math.abs(left - days * 86_400_000)).toBeLessThan(60_000);
    }
  });

  it.each([['1s'], ['0s'], ['2592001s'], ['-2592000s'], ['2592000.5s'], ['31536000s'], ['2592000'], [2592000]])(
    'refuses the lifespan %j',
    async (expires) => {
      expect((await admin('POST', '/api/v1/iam/personal_clients', { displayName: 'k', expires })).status).toBe(400);
    },
  );

  it.each([
    [{}],
    [{ displayName: '' }],
    [{ displayName: '  ' }],
    [{ displayName: 'k', allowSourceCidr: ['10.0.0.0/33'] }],
    [{ displayName: 'k', allowSourceCidr: ['nonsense'] }],
    [{ displayName: 'k', scopedRoles: ['nothing'] }],
    [{ displayName: 'k', scopedRoles: [''] }],
  ])('refuses to make a credential of %j', async (body) => {
    expect((await admin('POST', '/api/v1/iam/personal_clients', body)).status).toBe(400);
  });

  it('gives tokens as 4.2 says, for a secret with and without its version, and for an assertion', async () => {
    const [prefix, label, , encoded] = clientSecret.split(':');
    for (const answer of [await bySecret(), await bySecret(`${prefix}:${label}:${encoded}`), await byAssertion(claims())]) {
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
      expect(answer.body).toMatchObject({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 });
      expect(await use(`Bearer ${answer.body.access_token}`)).toBe(200);
      expect(await use(`bearer ${answer.body.access_token}`)).toBe(200);
      expect(await use(answer.body.access_token)).toBe(401);
    }
  });

  it.each<[string, () => Promise<Answer>]>([
    ['no exp', () => byAssertion({ ...claims(), exp: undefined })],
    ['an exp that is no number', () => byAssertion(claims({ exp: '9999999999' }))],
    ['an exp over five minutes ahead', () => byAssertion(claims({ exp: now() + 305 }))],
    ['an exp past', () => byAssertion(claims({ exp: now() - 61 }))],
    ['an nbf ahead', () => byAssertion(claims({ nbf: now() + 90 }))],
    ['another issuer', () => byAssertion(claims({ iss: 'other' }))],
    ['another subject', () => byAssertion(claims({ sub: server.admin.credential.clientId }))],
    ['no subject', () => byAssertion(claims({ sub: undefined }))],
    ['another audience', () => byAssertion(claims({ aud: 'evil.example' }))],
    ['an audience beside ours', () => byAssertion(claims({ aud: ['127.0.0.1', 'evil.example'] }))],
    ['no audience', () => byAssertion(claims({ aud: [] }))],
    ['an audience that only begins like ours', () => byAssertion(claims({ aud: '127.0.0.1.evil.example' }))],
    ['alg none', () => byAssertion(claims(), { alg: 'none' }, undefined, () => Buffer.alloc(0))],
    ['alg HS256', () => byAssertion(claims(), { alg: 'HS256' })],
    ['a critical header', () => byAssertion(claims(), { alg: 'EdDSA', crit: ['x'], x: 1 })],
    ['another key', () => byAssertion(claims(), { alg: 'EdDSA' }, generateKeyPairSync('ed25519').privateKey)],
    [
      'a key of its own in the header',
      () => {
        const { privateKey, publicKey } = generateKeyPairSync('ed25519');
        return byAssertion(claims(), { alg: 'EdDSA', jwk: publicKey.export({ format: 'jwk' }) }, privateKey, (data) =>
          sign(null, data, privateKey),
        );
      },
    ],
    ['the assertion type missing', () => ask({ client_id: clientId, client_assertion: signJwt(keyOfSecret(clientSecret), claims()) })],
    [
      'both proofs',
      () =>
        ask({
          client_id: clientId,
          client_secret: clientSecret,
          client_assertion_type: assertionType,
          client_assertion: signJwt(keyOfSecret(clientSecret), claims()),
        }),
    ],
    ['another grant', () => ask({ grant_type: 'password', client_id: clientId, client_secret: clientSecret })],
    ['no client', () => ask({ client_secret: clientSecret })],
    ['an unknown client', () => ask({ client_id: `no-body-1@${server.host}/pcc`, client_secret: clientSecret })],
    ['the secret of another', () => bySecret(server.admin.credential.clientSecret)],
    ['half a secret', () => bySecret(clientSecret.slice(0, -4))],
  ])('refuses a token: %s', async (_name, attempt) => {
    const { status, body } = await attempt();
    expect([400, 401]).toContain(status);
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    expect(body.error).toMatch(/^(invalid_client|invalid_request|unsupported_grant_type|invalid_grant)$/);
    expect(status === 401).toBe(body.error === 'invalid_client');
  });

  it('takes every audience that is ours, as text and in a list', async () => {
    const { port } = server.app;
    for (const name of [
      '127.0.0.1',
      `127.0.0.1:${port}`,
      'localhost',
      `localhost:${port}`,
      `http://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/auth/v1/token`,
    ]) {
      for (const aud of [name, [name], [name, 'localhost']]) {
        expect([aud, (await byAssertion(claims({ aud }))).status]).toEqual([aud, 200]);
      }
    }
  });

  it('takes the jti once, and allows a minute of skew', async () => {
    const same = claims();
    expect((await byAssertion(same)).status).toBe(200);
    expect((await byAssertion(same)).status).toBe(401);
    expect((await byAssertion(claims({ exp: now() - 50, iat: now() - 100, nbf: now() - 100 }))).status).toBe(200);
    expect((await byAssertion(claims({ nbf: now() + 50, iat: now() + 50 }))).status).toBe(200);
    expect((await byAssertion(claims({ exp: now() + 298 }))).status).toBe(200);
  });

  it('refuses a token that was changed, cut, or made for somebody else', async () => {
    const { access_token: token } = (await bySecret()).body;
    const [head = '', body = '', signature = ''] = token.split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { privateKey } = generateKeyPairSync('ed25519');
    const forged = `${head}.${encode({ ...payload, exp: payload.exp + 9999 })}`;
    const wrong = [
      `${forged}.${signature}`,
      `${forged}.${sign(null, Buffer.from(forged), privateKey).toString('base64url')}`,
      `${encode({ alg: 'none' })}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${signature.slice(0, -2)}`,
      `${token}.x`,
      signJwt(keyOfSecret(clientSecret), payload, JSON.parse(Buffer.from(head, 'base64url').toString())),
      signJwt(keyOfSecret(clientSecret), claims()),
    ];
    for (const one of wrong) {
      expect([one, await use(`Bearer ${one}`)]).toEqual([one, 401]);
    }
  });

  it('narrows to chosen roles, and never gives more than the owner has', async () => {
    const made = await admin('POST', '/api/v1/iam/personal_clients', {
      displayName: 'k',
      scopedRoles: ['000000ReadOnlyAdministrator', '000000000000000000BasicUser'],
    });
    // The Super Administrator holds no such role by name; what is chosen narrows and adds nothing.
    expect([200, 400]).toContain(made.status);
    const basic = await server.makePerson('plain@example.com');
    const more = await request(server, basic, 'POST', '/api/v1/iam/personal_clients', {
      displayName: 'k',
      scopedRoles: ['000000000SuperAdministrator'],
    });
    expect([400, 403]).toContain(more.status);
    const reader = await server.makePerson('reader2@example.com', ['READ_ONLY_ADMINISTRATOR']);
    const taken = await request(server, reader, 'POST', '/api/v1/iam/personal_clients', {
      displayName: 'k',
      scopedRoles: ['000000000SuperAdministrator'],
    });
    expect([400, 403]).toContain(taken.status);
  });

  it('is not reached through a host of another scheme of names', async () => {
    const { access_token: token } = (await bySecret()).body;
    const response = await fetchAsHost('conductorone.com')(`${server.url}/api/v1/access_reviews`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(404);
  });
});
