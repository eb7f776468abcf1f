/**
 * Hostile bytes at the whole service: requests that two parsers could read differently, bodies that never end or are too much, headers that
 * lie, and what must never stand in a log, an event or a reply. JSON that is well-formed is in hostile-json.test.ts.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Logger } from '../../src/context.ts';
import { assertionClaims, keyOfSecret, signJwt } from '../support/assertions.ts';
import { request } from '../support/api.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const logged: string[] = [];
const write = (level: string) => (fields: unknown, message?: string) =>
  void logged.push(
    `${level} ${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value))}`,
  );
const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => log } as Logger;

describe('hostile bytes', () => {
  let server: TestServer;
  let token: string;
  let host: string;

  beforeAll(async () => {
    server = await startTestServer({ log });
    token = await server.admin.client.token();
    host = server.host;
  });
  afterAll(() => server.stop());

  /**
   * Sends pieces with pauses between them, HOST and TOKEN filled in, and returns everything that came back until there is silence. As many
   * answers as are expected have longer: a slow one is not none.
   */
  async function raw(pieces: readonly string[], pauseMs = 0, silenceMs = 400, expected = 1): Promise<string> {
    const socket = connect(server.app.port, '127.0.0.1');
    await once(socket, 'connect');
    let answer = '';
    const patience = (): number => (statuses(answer).length < expected ? 20_000 : silenceMs);
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
      socket.setTimeout(patience());
    });
    socket.on('error', () => undefined);
    socket.on('timeout', () => socket.destroy());
    const closed = once(socket, 'close');
    for (const piece of pieces) {
      socket.write(filled(piece), 'latin1');
      await sleep(pauseMs);
    }
    socket.setTimeout(patience());
    await closed;
    return answer;
  }
  const filled = (text: string): string => text.replaceAll('HOST', host).replaceAll('TOKEN', token);
  const statuses = (answer: string): number[] => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
  const head = (line: string, more: readonly string[] = []): string =>
    [line, 'Host: HOST', 'Authorization: Bearer TOKEN', ...more, '', ''].join('\r\n');
  const countReviews = async (): Promise<number> =>
    (await request(server, server.admin, 'GET', '/api/v1/access_reviews?page_size=100')).body.list.length;
  const body = '{"displayName":"smuggled"}';
  const smuggled = `${head('POST /api/v1/access_review HTTP/1.1', ['Content-Type: application/json', `Content-Length: ${body.length}`])}${body}`;
  const json = 'Content-Type: application/json';

  it.each([
    [
      'both lengths',
      head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: 5', 'Transfer-Encoding: chunked']),
      `0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: 2', 'Content-Length: 400']), `{}${smuggled}`],
    ['a list of lengths', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: 2, 400']), `{}${smuggled}`],
    ['a signed length', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: +2']), `{}${smuggled}`],
    ['a negative length', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: -1']), smuggled],
    ['an unknown coding', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Transfer-Encoding: xchunked']), `0\r\n\r\n${smuggled}`],
    ['chunked twice', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Transfer-Encoding: chunked, identity']), `0\r\n\r\n${smuggled}`],
    ['a space before the colon', head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length : 2']), `{}${smuggled}`],
    ['a folded header', head('POST /api/v1/search/apps HTTP/1.1', [json, 'X-A: b\r\n Content-Length: 2']), `{}${smuggled}`],
    ['bare line feeds', head('POST /api/v1/search/apps HTTP/1.1', [json, 'X-A: b\nContent-Length: 2']), `{}${smuggled}`],
    ['a NUL in a header', head('POST /api/v1/search/apps HTTP/1.1', [json, 'X-A: \0']), smuggled],
    [
      'a chunk that lies about its size',
      head('POST /api/v1/search/apps HTTP/1.1', [json, 'Transfer-Encoding: chunked']),
      `2\r\n{}xx\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'a chunk size of letters',
      head('POST /api/v1/search/apps HTTP/1.1', [json, 'Transfer-Encoding: chunked']),
      `zz\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
  ])('%s: refused, and nothing behind it is carried out', async (_name, start, rest) => {
    const before = await countReviews();
    const answer = await raw([start + rest]);
    expect(statuses(answer)).toEqual([400]);
    expect(await countReviews()).toBe(before);
  });

  it('a request behind one with a body is a request of its own, with authentication of its own', async () => {
    const first = `${head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: 2'])}{}`;
    const second = `GET /api/v1/apps HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    expect(statuses(await raw([first + second], 0, 400, 2))).toEqual([200, 401]);
    const foreign = `GET /api/v1/apps HTTP/1.1\r\nHost: unknown.example\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    expect(statuses(await raw([first + foreign], 0, 400, 2))).toEqual([200, 404]);
  });

  it('a host that is missing, empty, doubled or in the first line is not taken for another', async () => {
    const line = 'GET /api/v1/auth/introspect HTTP/1.1';
    const auth = `Authorization: Bearer ${token}`;
    expect(statuses(await raw([`${line}\r\n${auth}\r\n\r\n`]))[0]).toBe(400);
    expect([400, 404]).toContain(statuses(await raw([`${line}\r\nHost:\r\n${auth}\r\n\r\n`]))[0]);
    expect([400, 404]).toContain(statuses(await raw([`${line}\r\nHost: unknown.example\r\nHost: ${host}\r\n${auth}\r\n\r\n`]))[0]);
    expect(
      statuses(await raw([`GET http://unknown.example/api/v1/auth/introspect HTTP/1.1\r\nHost: unknown.example\r\n${auth}\r\n\r\n`])),
    ).toEqual([404]);
    expect(statuses(await raw([`GET http://${host}/api/v1/auth/introspect HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\n\r\n`]))).toEqual([200]);
  });

  it('two Authorization headers, or one full of odd characters, are not a way in', async () => {
    const line = `GET /api/v1/auth/introspect HTTP/1.1\r\nHost: ${host}\r\n`;
    expect(statuses(await raw([`${line}Authorization: Bearer x\r\nAuthorization: Bearer ${token}\r\n\r\n`]))).toEqual([401]);
    for (const value of [
      `Bearer ${token}, Bearer x`,
      `Bearer\t${token}`,
      `Bearer ${token}\x80`,
      `Bearer "${token}"`,
      token,
      `bearer: ${token}`,
    ]) {
      expect([value, statuses(await raw([`${line}Authorization: ${value}\r\n\r\n`]))]).toEqual([value, [401]]);
    }
  });

  it.each([
    '/api/v1/access_review/../apps',
    '/api/v1/./apps',
    '/api/v1/%2e%2e/v1/apps',
    '/api/v1/apps%00',
    '/api/v1/apps/%',
    '/api/v1/apps/%zz',
    '/API/V1/APPS',
    '/api/v1/apps;x=1',
    '/api/v1\\apps',
    '/api/v1/apps%2f',
  ])('%s is no other way to a list', async (path) => {
    const [status = 0] = statuses(await raw([head(`GET ${path} HTTP/1.1`)]));
    expect([400, 404]).toContain(status);
  });

  it('headers that are too many or too long, methods and versions nobody knows, and noise are refused without a fault', async () => {
    expect([400, 431]).toContain(statuses(await raw([head('GET /healthz HTTP/1.1', [`X-A: ${'a'.repeat(100_000)}`])]))[0]);
    expect(statuses(await raw([head('BREW /api/v1/apps HTTP/1.1')]))[0]).toBe(400);
    for (const method of ['PROPFIND', 'TRACE', 'PATCH', 'PUT']) {
      expect([400, 404, 405]).toContain(statuses(await raw([head(`${method} /api/v1/apps HTTP/1.1`)]))[0]);
    }
    expect(await raw(['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'])).toBe('');
    expect(statuses(await raw(['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']))).toEqual([400]);
    expect(statuses(await raw(['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']))).toEqual([400]);
    expect(statuses(await raw([head('GET /api/v1/apps HTTP/1.1', ['Connection: Upgrade', 'Upgrade: websocket'])]))).toEqual([200]);
    expect(await raw([head('GET /api/v1/apps HTTP/1.1', ['X-HTTP-Method-Override: DELETE'])])).toContain(' 200 ');
  });

  it('chunked bodies work, slow ones too, and one over 1 MiB without a length is 413', async () => {
    const start = head('POST /api/v1/search/apps HTTP/1.1', [json, 'Transfer-Encoding: chunked', 'Connection: close']);
    expect(statuses(await raw([start, '1\r\n{\r\n', '1\r\n}\r\n', '0\r\n\r\n'], 30, 3_000))).toEqual([200]);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    expect(statuses(await raw([start, ...Array.from({ length: 17 }, () => chunk), '0\r\n\r\n'], 1, 3_000))).toEqual([413]);
    expect(
      statuses(
        await raw(
          [
            head('POST /api/v1/search/apps HTTP/1.1', [json, `Content-Length: ${2 ** 20 + 1}`, 'Connection: close']),
            ' '.repeat(2 ** 20 + 1),
          ],
          1,
          3_000,
        ),
      ),
    ).toEqual([413]);
    expect(
      statuses(
        await raw(
          [head('POST /api/v1/search/apps HTTP/1.1', [json, 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close']), '{}'],
          50,
          3_000,
          2,
        ),
      ),
    ).toEqual([100, 200]);
  });

  it('many bodies that never end hold nobody up', async () => {
    const sockets = Array.from({ length: 50 }, () => connect(server.app.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(filled(`${head('POST /api/v1/search/apps HTTP/1.1', [json, 'Content-Length: 100'])}{`));
    }
    await sleep(100);
    expect((await request(server, server.admin, 'GET', '/api/v1/apps')).status).toBe(200);
    // None of them was answered or given up before.
    expect(sockets.filter((socket) => socket.readyState !== 'open' || socket.bytesRead > 0)).toEqual([]);
    for (const socket of sockets) {
      socket.destroy();
    }
  });

  it('a body as another type, in another charset or compressed is 415 or read as UTF-8', async () => {
    const post = (type: string | undefined, content: string | Buffer, more: Record<string, string> = {}): Promise<Response> =>
      server.fetch('/api/v1/search/apps', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(type === undefined ? {} : { 'content-type': type }), ...more },
        body: typeof content === 'string' ? content : new Uint8Array(content),
      });
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      '',
    ]) {
      expect([type, (await post(type, '{}')).status]).toEqual([type, 415]);
    }
    expect((await post('application/json; charset=utf-8', '{}')).status).toBe(200);
    expect((await post('APPLICATION/JSON', '{}')).status).toBe(200);
    expect((await post('application/json', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('application/json', Buffer.from('{"query":"\xff"}', 'latin1'))).status).toBe(400);
    expect((await post('application/json', Buffer.from('{"query":"x"}', 'utf16le'))).status).toBe(400);
    expect((await post('application/json', `${'['.repeat(200_000)}`)).status).toBe(400);
    // Nesting beyond anything is no fault where it is ignored, and refused where it is not.
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect((await post('application/json', nested)).status).toBe(200);
    expect((await post('application/json', `{"policyRefs":[${nested}]}`)).status).toBe(200);
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await post('application/json', `{"policyRefs":${lists}}`)).status).toBe(400);
  });

  it('no secret, token or assertion stands in a log line, an event or another reply', async () => {
    const made = await request(server, server.admin, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Watched' });
    const { clientSecret } = made.body;
    const { clientId } = made.body.client;
    const form = (fields: Record<string, string>): Promise<Response> =>
      server.fetch('/auth/v1/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, ...fields }).toString(),
      });
    const assertion = signJwt(keyOfSecret(clientSecret), assertionClaims(clientId, '127.0.0.1', new Date()));
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const given = (await (await form({ client_secret: clientSecret })).json()) as { access_token: string };
    await form({ client_assertion: assertion, client_assertion_type: type });
    const wrongSecret = `${clientSecret.slice(0, -6)}AAAAAA`;
    await form({ client_secret: wrongSecret });
    await form({ client_assertion: `${assertion}x`, client_assertion_type: type });
    await server.fetch(`/auth/v1/token?client_secret=${encodeURIComponent(clientSecret)}`, { method: 'POST' });
    await server.fetch(`/api/v1/apps?access_token=${given.access_token}`, { headers: { authorization: `Bearer ${given.access_token}x` } });
    await server.fetch('/api/v1/search/apps', {
      method: 'POST',
      headers: { authorization: `Bearer ${given.access_token}`, 'content-type': 'application/json' },
      body: `{"query": "${clientSecret}`,
    });
    const jwk = JSON.parse(Buffer.from(clientSecret.slice(clientSecret.lastIndexOf(':') + 1), 'base64url').toString()) as { d: string };
    const secrets = [clientSecret, jwk.d, wrongSecret.slice(-30), given.access_token, assertion, assertion.split('.')[2] ?? '', token];
    const events: string[] = [];
    let pageToken = '';
    do {
      const { body: page } = await request(server, server.admin, 'POST', '/api/v1/systemlog/events', { pageSize: 100, pageToken });
      events.push(JSON.stringify(page.list));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    const tables = await server
      .system()
      .db.rows<{ text: string }>('SELECT to_jsonb(p)::text AS text FROM personal_clients p WHERE tenant_id = $1', [server.id]);
    const replies: string[] = [];
    for (const path of [
      `/api/v1/iam/personal_clients/${made.body.client.id}`,
      '/api/v1/iam/personal_clients',
      '/.well-known/jwks.json',
      '/metrics',
      '/openapi.json',
    ]) {
      replies.push(await (await server.fetch(path, { headers: { authorization: `Bearer ${token}` } })).text());
    }
    expect(events.join()).toContain('Watched');
    expect(logged.length).toBeGreaterThan(20);
    for (const secret of secrets) {
      for (const [where, texts] of Object.entries({ logged, events, tables: tables.map(({ text }) => text), replies })) {
        expect([where, texts.find((text) => text.includes(secret))]).toEqual([where, undefined]);
      }
    }
  });

  it('was never at fault', () => {
    expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
