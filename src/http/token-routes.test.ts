/** The token endpoint, the published keys and the metadata over real HTTP, with nothing but these routes in the server. */
import { request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertionClaims, keyOfSecret, signJwt } from '../../test/support/assertions.ts';
import { openTwoTenants, type TwoTenants } from '../../test/support/tenants.ts';
import { createCredential, createTokens, type Tokens } from '../foundation/credentials/index.ts';
import type { CreatedCredential, NewCredential } from '../foundation/credentials/clients/create-credential.ts';
import { createTenantFinder } from '../foundation/tenants/index.ts';
import { AppError } from '../errors.ts';
import { type Context, noReactions, silentLogger } from '../context.ts';
import { createAuthenticator } from './authenticate.ts';
import { addClientAddress } from './listener/client-address.ts';
import { registerTokenRoutes } from './token-routes.ts';

let two: TwoTenants;
let app: FastifyInstance;
let tokens: Tokens;
let port: number;
const type = 'application/x-www-form-urlencoded';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Record<string, unknown>;
}

/** fetch refuses to set Host, so this is plain node:http. */
function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest({ host: '127.0.0.1', port, method, path, headers: { host: 'ours.example', ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const post = (fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  send(
    'POST',
    '/auth/v1/token',
    { 'content-type': type, ...headers },
    typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  );
const make = (input: Partial<NewCredential> = {}, context: Context = two.ours.basic) =>
  createCredential(
    { ...context, now: new Date() },
    { displayName: 'k', ...input, userId: context.actor.userId, secretLabel: 'conductorone.com' },
  );
const secretForm = (of: CreatedCredential) => ({ grant_type: 'client_credentials', client_id: of.row.clientId, client_secret: of.secret });
const assertionForm = (of: CreatedCredential, more: object = {}) => ({
  grant_type: 'client_credentials',
  client_id: of.row.clientId,
  client_assertion_type: assertionType,
  client_assertion: signJwt(keyOfSecret(of.secret), { ...assertionClaims(of.row.clientId, 'ours.example', new Date()), ...more }),
});

beforeAll(async () => {
  two = await openTwoTenants();
  tokens = createTokens({ database: two.database, log: silentLogger, react: noReactions });
  app = Fastify({ routerOptions: { ignoreDuplicateSlashes: true } });
  addClientAddress(app, ['127.0.0.1']);
  registerTokenRoutes(app, { tenants: createTenantFinder(two.database), tokens, log: silentLogger });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  await tokens.close();
  await two.close();
});

describe('POST /auth/v1/token', () => {
  it('answers both flows as RFC 6749 says, and nobody keeps the answer', async () => {
    const mine = await make();
    for (const form of [secretForm(mine), assertionForm(mine)]) {
      const answer = await post(form);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('takes a charset, unknown fields and a doubled slash', async () => {
    const mine = await make();
    expect((await post({ ...secretForm(mine), audience: 'x', resource: 'y' }, { 'content-type': `${type}; charset=UTF-8` })).status).toBe(
      200,
    );
    expect((await send('POST', '//auth/v1/token', { 'content-type': type }, new URLSearchParams(secretForm(mine)).toString())).status).toBe(
      200,
    );
  });

  it('refuses credentials in a header, good ones too', async () => {
    const mine = await make();
    const basic = `Basic ${Buffer.from(`${encodeURIComponent(mine.row.clientId)}:${encodeURIComponent(mine.secret)}`).toString('base64')}`;
    for (const fields of [{ grant_type: 'client_credentials' }, secretForm(mine)]) {
      const answer = await post(fields as Record<string, string>, { authorization: basic });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    }
    for (const empty of ['', ' ']) {
      expect(await post(secretForm(mine), { authorization: empty })).toMatchObject({ status: 200 });
    }
    expect(await post(secretForm(mine), { authorization: 'Bearer x' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('refuses credentials in the address', async () => {
    const mine = await make();
    const query = new URLSearchParams(secretForm(mine)).toString();
    expect(await send('POST', `/auth/v1/token?${query}`, { 'content-type': type }, query)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('refuses %s and says POST', async (method) => {
    const mine = await make();
    const query = new URLSearchParams(secretForm(mine)).toString();
    const answer = await send(method, method === 'GET' ? `/auth/v1/token?${query}` : '/auth/v1/token', {});
    expect(answer).toMatchObject({ status: 405, body: { error: 'invalid_request' } });
    expect(answer.headers.allow).toBe('POST');
  });

  it('refuses a JSON body, any other body, and none', async () => {
    const mine = await make();
    const refused = { status: 400, body: { error: 'invalid_request' } };
    expect(await post(JSON.stringify(secretForm(mine)), { 'content-type': 'application/json' })).toMatchObject(refused);
    expect(await post(JSON.stringify(secretForm(mine)))).toMatchObject(refused);
    expect(await post('x', { 'content-type': 'text/plain' })).toMatchObject(refused);
    expect(await post('x', { 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject(refused);
    expect(await post('x', { 'content-type': 'nonsense' })).toMatchObject(refused);
    expect(await send('POST', '/auth/v1/token', {})).toMatchObject(refused);
    expect(await post('')).toMatchObject(refused);
  });

  it('refuses a form that is too large', async () => {
    expect(await post({ grant_type: 'x'.repeat(20_000) })).toMatchObject({ status: 413, body: { error: 'invalid_request' } });
  });

  it('refuses a repeated parameter, both proofs, and no proof', async () => {
    const mine = await make();
    const form = new URLSearchParams(secretForm(mine)).toString();
    expect(await post(`${form}&client_secret=x`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await post(`${form}&grant_type=client_credentials`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await post({ ...secretForm(mine), ...assertionForm(mine) })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await post({ grant_type: 'client_credentials', client_id: mine.row.clientId })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await post({ ...secretForm(mine), grant_type: 'authorization_code' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
  });

  it('refuses a wrong secret, and one with the right x and the wrong d', async () => {
    const [mine, other] = [await make(), await make()];
    const jwk = (secret: string) => JSON.parse(Buffer.from(secret.split(':')[3] ?? '', 'base64url').toString()) as Record<string, string>;
    const mixed = { ...jwk(other.secret), x: jwk(mine.secret).x };
    const forged = `secret-token:conductorone.com:v1:${Buffer.from(JSON.stringify(mixed)).toString('base64url')}`;
    for (const client_secret of [other.secret, forged, 'x', `${mine.secret}x`]) {
      expect(await post({ ...secretForm(mine), client_secret })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
  });

  it('refuses a jti that was used before', async () => {
    const mine = await make();
    const form = assertionForm(mine);
    expect((await post(form)).status).toBe(200);
    expect(await post(form)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('knows neither unknown hosts nor the clients of another tenant', async () => {
    const mine = await make();
    expect(await post(secretForm(mine), { host: 'unknown.example' })).toMatchObject({ status: 404 });
    expect(await post(secretForm(mine), { host: 'theirs.example' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('believes addresses from the trusted proxy only as far as they go', async () => {
    const mine = await make({ allowSourceCidr: ['10.0.0.0/8', '2001:db8::/32'] });
    const from = async (address?: string) =>
      (await post(secretForm(mine), address === undefined ? {} : { 'x-forwarded-for': address })).status;
    expect(await from()).toBe(401);
    expect(await from('10.1.2.3')).toBe(200);
    expect(await from('::ffff:10.1.2.3')).toBe(200);
    expect(await from('2001:db8::7')).toBe(200);
    expect(await from('192.0.2.1')).toBe(401);
    // Only the last hop was seen by the proxy; what is before it, anybody can write.
    expect(await from('10.1.2.3, 192.0.2.1')).toBe(401);
    for (const written of [
      '10.1.2.3:51234',
      '"10.1.2.3:51234"',
      '[2001:db8::7]:443',
      '192.0.2.1, 10.1.2.3:1',
      ' 10.1.2.3 ,',
      '2001:DB8::7%eth0',
    ]) {
      expect([written, await from(written)]).toEqual([written, 200]);
    }
    for (const unknown of ['unknown', '_hidden', 'unix:', '10.1.2.3, unknown', '10.1.2.3, _x', '10.1.2.3.4', '[10.1.2.3]:80']) {
      expect([unknown, await from(unknown)]).toEqual([unknown, 401]);
    }
  });

  it('does not take a proxy for the client whom it does not name', async () => {
    const ofProxies = await make({ allowSourceCidr: ['127.0.0.0/8'] });
    const from = async (more: Record<string, string>) => (await post(secretForm(ofProxies), more)).status;
    expect(await from({})).toBe(200);
    expect(await from({ 'x-forwarded-for': ' , ' })).toBe(200);
    expect(await from({ 'x-forwarded-for': 'unknown' })).toBe(401);
    // A proxy that sets the one header lets a client's own other one through.
    expect(await from({ forwarded: 'for=192.0.2.1' })).toBe(200);
  });

  it('answers 429 with Retry-After after 100 failures', async () => {
    const mine = await make();
    for (let i = 0; i < 100; i++) {
      await post({ ...secretForm(mine), client_secret: 'x' });
    }
    const answer = await post({ ...secretForm(mine), client_secret: 'x' });
    expect(answer).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(290);
    expect((await post(secretForm(mine))).status).toBe(200);
    expect((await post(secretForm(await make()))).status).toBe(200);
  });
});

describe('published keys and metadata', () => {
  it('let others verify a token', async () => {
    const mine = await make();
    const { body: metadata } = await send('GET', '/.well-known/oauth-authorization-server', {});
    expect(metadata).toMatchObject({
      issuer: 'https://ours.example',
      token_endpoint: 'https://ours.example/auth/v1/token',
      jwks_uri: 'https://ours.example/.well-known/jwks.json',
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519'],
    });
    const { body: jwks } = await send('GET', '/.well-known/jwks.json', {});
    expect((await send('GET', '/auth/v1/jwks', {})).body).toEqual(jwks);
    const { access_token } = (await post(secretForm(mine))).body as { access_token: string };
    const { payload } = await jwtVerify(access_token, createLocalJWKSet(jwks as unknown as JSONWebKeySet), {
      issuer: 'https://ours.example',
      audience: 'ours.example',
    });
    expect(payload).toMatchObject({ sub: two.ours.basicId, client_id: mine.row.clientId, cid: mine.row.id });
    const { body: others } = await send('GET', '/.well-known/jwks.json', { host: 'theirs.example' });
    await expect(jwtVerify(access_token, createLocalJWKSet(others as unknown as JSONWebKeySet))).rejects.toThrow();
    expect((await send('GET', '/.well-known/jwks.json', { host: 'unknown.example' })).status).toBe(404);
  });
});

describe('createAuthenticator', () => {
  const input = (authorization: string | undefined, sourceIp = '192.0.2.1') => ({ authorization, sourceIp, requestId: 'r' });

  it('takes Bearer in any case and nothing else', async () => {
    const { access_token } = (await post(secretForm(await make()))).body as { access_token: string };
    const { authenticate } = createAuthenticator(tokens);
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(await authenticate(two.ours.tenant, input(`${scheme} ${access_token}`))).toMatchObject({ userId: two.ours.basicId });
    }
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${access_token}`,
      access_token,
      `Bearer ${access_token} x`,
      `Bearer ${access_token}x`,
    ]) {
      await expect(authenticate(two.ours.tenant, input(header))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    await expect(authenticate(two.theirs.tenant, input(`Bearer ${access_token}`))).rejects.toBeInstanceOf(AppError);
  });

  it('refuses an address the credential does not allow', async () => {
    const mine = await make({ allowSourceCidr: ['10.0.0.0/8'] });
    const answer = await post(secretForm(mine), { 'x-forwarded-for': '10.0.0.1' });
    const header = `Bearer ${String(answer.body.access_token)}`;
    const { authenticate } = createAuthenticator(tokens);
    expect(await authenticate(two.ours.tenant, input(header, '10.9.9.9'))).toMatchObject({ userId: two.ours.basicId });
    await expect(authenticate(two.ours.tenant, input(header))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
