/** Verdicts of a provider's test on each thing that may be wrong with it, and that it goes nowhere else. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testProvider } from './test-provider.ts';

const onThisMachine = { allowed: [], allowsLocal: true };
const elsewhere = { allowed: [], allowsLocal: false };

describe('a test of a provider', () => {
  let server: Server;
  let issuer: string;
  let asked: string[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const json = (response: ServerResponse, body: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const describeBy = (more: object = {}, keys: unknown = { keys: [{ kty: 'RSA' }] }): void => {
    answer = (request, response) =>
      request.url === '/jwks'
        ? json(response, keys)
        : json(response, {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code', 'id_token'],
            ...more,
          });
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    describeBy();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('finds nothing wrong with one that can be used, with or without a slash at the end', async () => {
    const good = { problem: undefined, authorizationEndpoint: `${issuer}/authorize` };
    expect(await testProvider(issuer, onThisMachine)).toEqual(good);
    expect(await testProvider(`${issuer}/`, onThisMachine)).toEqual(good);
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks', '/.well-known/openid-configuration', '/jwks']);
  });

  it.each(['', 'login.example.com', 'ftp://login.example.com', 'https://login.example.com/?x=1', 'https://a:b@login.example.com'])(
    'asks nothing of what is no issuer: %j',
    async (wrong) => {
      expect(await testProvider(wrong, onThisMachine)).toEqual({ problem: 'ADDRESS', detail: wrong });
    },
  );

  it('speaks to nobody in the clear, unless a test says so', async () => {
    expect(await testProvider(issuer, elsewhere)).toEqual({ problem: 'ADDRESS', detail: issuer });
    expect(asked).toEqual([]);
  });

  it('says that nobody answers', async () => {
    expect(await testProvider('http://127.0.0.1:1', onThisMachine)).toMatchObject({ problem: 'UNREACHABLE' });
  });

  it.each([404, 500, 204])('says the status %i', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect(await testProvider(issuer, onThisMachine)).toEqual({ problem: 'STATUS', detail: String(status) });
  });

  it('follows no redirect', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
    expect(await testProvider(issuer, onThisMachine)).toMatchObject({ problem: 'UNREACHABLE' });
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it.each(['<html>', '[]', '"text"', 'null', '{}'])('says that %s is no description', async (body) => {
    answer = (_request, response) => response.end(body);
    expect(await testProvider(issuer, onThisMachine)).toMatchObject({ problem: 'DOCUMENT' });
  });

  it('reads no more than a description has', async () => {
    describeBy({ more: 'x'.repeat(2_000_000) });
    expect(await testProvider(issuer, onThisMachine)).toMatchObject({ problem: 'UNREACHABLE' });
  });

  it.each<[string, object, { problem: string; detail: string }]>([
    ['another issuer', { issuer: 'https://another.example' }, { problem: 'ISSUER', detail: 'https://another.example' }],
    ['an issuer that is no text', { issuer: 7 }, { problem: 'ISSUER', detail: '7' }],
    ['no code flow', { response_types_supported: ['id_token'] }, { problem: 'FLOW', detail: 'response_types_supported' }],
    ['no token endpoint', { token_endpoint: undefined }, { problem: 'FLOW', detail: 'token_endpoint' }],
    ['an endpoint in the clear', { token_endpoint: 'http://192.0.2.1/token' }, { problem: 'FLOW', detail: 'token_endpoint' }],
  ])('says that it has %s', async (_name, more, expected) => {
    describeBy(more);
    expect(await testProvider(issuer, onThisMachine)).toEqual(expected);
  });

  it.each([{}, { keys: [] }, { keys: ['x', null] }, []])('says that it has no keys: %j', async (keys) => {
    describeBy({}, keys);
    expect(await testProvider(issuer, onThisMachine)).toEqual({ problem: 'KEYS', detail: `${issuer}/jwks` });
  });

  it.each(['https://127.0.0.1', 'https://localhost', 'https://[::ffff:10.0.0.1]', 'https://169.254.169.254', 'https://10.0.0.1'])(
    'asks nothing of %s, which is inside',
    async (inside) => {
      expect(await testProvider(inside, elsewhere)).toMatchObject({
        problem: 'UNREACHABLE',
        detail: expect.stringMatching(/--allow-outbound can name it/),
      });
      expect(asked).toEqual([]);
    },
  );
});
