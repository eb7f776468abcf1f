/** Things a provider may not make this service do: follow redirects, read without end, send secrets in the clear, take another issuer's word. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProviderClient, type Provider } from './provider-client.ts';

const expected = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };

const onThisMachine = { allowed: [], allowsLocal: true };
const elsewhere = { allowed: [], allowsLocal: false };

describe('a provider', () => {
  let server: Server;
  let issuer: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: string[];
  let changes = 0;

  const document = (more: object = {}) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    ...more,
  });
  const describeBy = (more: object = {}) => {
    answer = (_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(document(more)));
  };
  const provider = (): Provider => ({
    ...{ issuer, clientId: 'client', clientSecret: 'secret', scope: 'openid', exactMatchClaims: {}, trustsAddresses: false, domains: [] },
    key: String(++changes),
  });
  const begin = (of = provider(), client = createProviderClient(onThisMachine)): Promise<string> =>
    client.begin(of, 'https://ours.example/callback', expected, false);

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    asked = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is asked for what it is once, and again after a change', async () => {
    describeBy();
    asked = [];
    const [client, one] = [createProviderClient(onThisMachine), provider()];
    const url = new URL(await begin(one, client));
    expect([url.origin + url.pathname, url.searchParams.get('state')]).toEqual([`${issuer}/authorize`, expected.state]);
    expect(url.searchParams.get('code_challenge')).not.toBe(expected.codeVerifier);
    await begin(one, client);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
    await begin({ ...one, key: 'changed' }, client);
    expect(asked).toHaveLength(2);
  });

  it('is asked again after a failure', async () => {
    const [client, one] = [createProviderClient(onThisMachine), provider()];
    answer = (_request, response) => response.writeHead(503).end();
    await expect(begin(one, client)).rejects.toThrow();
    describeBy();
    await expect(begin(one, client)).resolves.toContain('/authorize');
  });

  it('does not send this service anywhere else', async () => {
    asked = [];
    answer = (_request, response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
    await expect(begin()).rejects.toThrow();
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('is not read without end', async () => {
    answer = (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(document({ more: 'x'.repeat(2_000_000) })));
    };
    await expect(begin()).rejects.toThrow();
  });

  it('is itself, and no other', async () => {
    describeBy({ issuer: 'https://another.example' });
    await expect(begin()).rejects.toThrow();
  });

  it('is not spoken to in the clear, unless a test says so', async () => {
    asked = [];
    describeBy();
    await expect(begin(provider(), createProviderClient(elsewhere))).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('gets no code and no secret at an address that is not https', async () => {
    describeBy({ token_endpoint: 'http://192.0.2.1/token' });
    const [client, one] = [createProviderClient(onThisMachine), provider()];
    await begin(one, client);
    const returnedTo = new URL(`https://ours.example/callback?code=c&state=${expected.state}`);
    await expect(client.finish(one, returnedTo, expected)).rejects.toThrow();
  });

  it('is not believed without a signature that is its own', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'client',
      sub: 'eve',
      nonce: expected.nonce,
      iat: now,
      exp: now + 60,
      email: 'a@b.example',
      email_verified: true,
    };
    for (const header of [{ alg: 'none' }, { alg: 'RS256', kid: 'x' }]) {
      answer = (request, response) => {
        const body = request.url?.includes('token')
          ? { access_token: 'x', token_type: 'Bearer', id_token: `${part(header)}.${part(claims)}.${part({})}` }
          : request.url?.includes('jwks')
            ? { keys: [] }
            : document();
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      };
      const [client, one] = [createProviderClient(onThisMachine), provider()];
      await begin(one, client);
      const returnedTo = new URL(`https://ours.example/callback?code=c&state=${expected.state}`);
      await expect(client.finish(one, returnedTo, expected)).rejects.toThrow();
    }
  });
});
