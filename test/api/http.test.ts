/** Rules of every operation on HTTP: hosts, methods, bodies, errors, headers, probes. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoleName } from '../../src/context.ts';
import { type FrameworkServer, startFrameworkServer } from '../support/framework-server.ts';
import { until } from '../support/until.ts';

let server: FrameworkServer;
const superAdmin: readonly RoleName[] = ['SUPER_ADMINISTRATOR'];

beforeAll(async () => {
  server = await startFrameworkServer();
});
afterAll(() => server.stop());

const send = (path: string, init?: RequestInit) => server.fetchAs(superAdmin, path, init);
const post = (path: string, body: string, headers: Record<string, string> = {}, method = 'POST') =>
  send(path, { method, body, headers: { 'content-type': 'application/json', ...headers } });

interface ErrorBody {
  code: number;
  message: string;
  details: { '@type': string; reason?: string; requestId?: string; fieldViolations?: { field: string; description: string }[] }[];
}

/** Checks that a reply is an error in our shape, and gives its parts. */
async function errorOf(reply: Response): Promise<{ code: number; message: string; reason: string | undefined; fields: string[] }> {
  expect(reply.headers.get('content-type')).toContain('application/json');
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9A-Za-z]{27}$/);
  const { code, message, details } = (await reply.json()) as ErrorBody;
  expect(details.find((one) => one.requestId !== undefined)?.requestId).toBe(reply.headers.get('x-request-id'));
  return {
    code,
    message,
    reason: details.find((one) => one.reason !== undefined)?.reason,
    fields: details.flatMap((one) => one.fieldViolations ?? []).map(({ field }) => field),
  };
}

describe('a reply', () => {
  it('is exactly 200, JSON and never empty, with the headers of every reply', async () => {
    const reply = await send('/api/v1/iam/roles/x');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await reply.json()).toMatchObject({ role: { id: 'x' } });
    const empty = await post('/api/v1/apps/a/owners', '{}', {}, 'PUT');
    expect(empty.status).toBe(200);
    expect(await empty.text()).toBe('{}');
  });

  it('that breaks the contract is not sent where replies are checked', async () => {
    const reply = await send('/api/v1/iam/roles/broken');
    expect(reply.status).toBe(500);
  });
});

describe('hosts', () => {
  it('that are unknown get a 404 that says so', async () => {
    for (const path of ['/api/v1/iam/roles', '/nope', '/', '/openapi.json']) {
      const answer = await server.sendRaw(`GET ${path} HTTP/1.1\r\nHost: unknown.example\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404/);
      expect(answer).toContain('unknown.example');
    }
  });

  it('do not matter for the probes', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect(await server.sendRaw(`GET ${path} HTTP/1.1\r\nHost: unknown.example\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200/);
    }
  });

  it('of proxies are not believed unless they are trusted', async () => {
    const forwarded = { 'x-forwarded-host': 'unknown.example', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
    expect((await send('/api/v1/iam/roles', { headers: forwarded })).status).toBe(200);
    expect(server.takeSeen()?.call.baseUrl).toBe(server.url);
    const trusting = await startFrameworkServer({ trustProxy: ['127.0.0.1'] });
    try {
      expect((await trusting.fetchAs(superAdmin, '/api/v1/iam/roles', { headers: forwarded })).status).toBe(404);
      const headers = { ...forwarded, 'x-forwarded-host': 'tenant.example' };
      expect((await trusting.fetchAs(superAdmin, '/api/v1/iam/roles', { headers })).status).toBe(200);
      expect(trusting.takeSeen()?.call.baseUrl).toBe('https://tenant.example');
    } finally {
      await trusting.stop();
    }
  });
});

describe('paths', () => {
  it('may hold encoded slashes, and doubled ones', async () => {
    expect((await send('/api/v1/iam/roles/a%2Fb%20c')).status).toBe(200);
    expect(server.takeSeen()?.message).toMatchObject({ roleId: 'a/b c' });
    expect((await send('//api//v1/iam/roles/x?page_token=//')).status).toBe(200);
    expect(await server.sendRaw('GET http://tenant.example/healthz HTTP/1.1\r\nHost: tenant.example\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200/,
    );
  });

  it.each(['/nope', '/api/v2/iam/roles', '/api/v1', '/api/v1/iam/roles/', '/auth/v2/token'])(
    '%s is 404 in the error shape, whatever the method',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const reply = await send(path, { method });
        expect(reply.status).toBe(404);
        expect((await errorOf(reply)).reason).toBe('NOT_FOUND');
      }
    },
  );

  it('with another method are 405 with what there is', async () => {
    const reply = await post('/api/v1/apps/a/owners', 'not even JSON', {}, 'PATCH');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
    expect((await errorOf(reply)).reason).toBe('METHOD_NOT_ALLOWED');
    expect((await server.fetch('/api/v1/iam/roles', { method: 'POST' })).status).toBe(405);
  });

  it('answer HEAD and OPTIONS', async () => {
    const head = await send('/api/v1/iam/roles', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await server.fetch('/api/v1/apps/a/owners', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([200, 'DELETE, GET, HEAD, PUT, OPTIONS', '{}']);
  });

  it('that are too long or wrongly encoded come in the error shape', async () => {
    const long = await send(`/api/v1/iam/roles/${'x'.repeat(2000)}`);
    expect([long.status, (await errorOf(long)).reason]).toEqual([414, 'URI_TOO_LONG']);
    const wrong = await send('/api/v1/iam/roles/%zz');
    expect([wrong.status, (await errorOf(wrong)).reason]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(await server.sendRaw('this is not HTTP\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request[\s\S]*"code":3/);
    expect(await server.sendRaw(`GET / HTTP/1.1\r\nHost: tenant.example\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431[\s\S]*"code":3/,
    );
  });
});

describe('bodies', () => {
  it.each([
    ['nothing', {}],
    ['an empty body', { body: '' }],
    ['a JSON content type without a body', { headers: { 'content-type': 'application/json' } }],
    ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
    ['a JSON body', { body: '{"appId":"another","app_id":7}', headers: { 'content-type': 'application/json; charset=utf-8' } }],
    ['null', { body: 'null', headers: { 'content-type': 'application/json' } }],
  ])('DELETE may carry %s', async (_, init) => {
    const headers = { ...(('headers' in init && init.headers) || {}) } as Record<string, string>;
    // undici names text for a body without a type.
    const body = 'body' in init && init.body !== '' ? { body: init.body } : {};
    const reply = await send('/api/v1/apps/from-path/owners', { method: 'DELETE', headers, ...body });
    expect(reply.status).toBe(200);
    expect(server.takeSeen()?.message).toMatchObject({ appId: 'from-path' });
  });

  it('are refused when they are not JSON, with where', async () => {
    for (const body of ['{', '{"a":1,}', 'x', "{'a':1}", '\u0000', '{"a":1}{"b":2}']) {
      const reply = await post('/api/v1/search/users', body);
      expect(reply.status).toBe(400);
      expect((await errorOf(reply)).message).toContain('not JSON');
    }
    const reply = await post('/api/v1/search/users', '{"clientSecret": secret-token:abc}');
    expect((await errorOf(reply)).message).not.toContain('abc');
  });

  it('are refused when they are no object, or not UTF-8', async () => {
    for (const body of ['[]', '"x"', '7', 'true']) {
      expect((await post('/api/v1/search/users', body)).status).toBe(400);
    }
    const reply = await send('/api/v1/search/users', {
      method: 'POST',
      body: Buffer.from([0x7b, 0xff, 0x7d]),
      headers: { 'content-type': 'application/json' },
    });
    expect((await errorOf(reply)).message).toContain('UTF-8');
    expect((await post('/api/v1/search/users', '\uFEFF{}')).status).toBe(200);
  });

  it('with __proto__ and doubled members do no harm', async () => {
    const reply = await post(
      '/api/v1/search/users',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"query":"a","query":"b"}',
    );
    expect(reply.status).toBe(200);
    expect(server.takeSeen()?.call.sent).toEqual({ query: 'b' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('without a type, with another type or compressed are 415', async () => {
    const raw = `POST /api/v1/search/users HTTP/1.1\r\nHost: tenant.example\r\nAuthorization: Bearer ${superAdmin[0]}\r\nConnection: close\r\nContent-Length: 2\r\n`;
    expect(await server.sendRaw(`${raw}\r\n{}`)).toMatch(/^HTTP\/1.1 415/);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      const reply = await post('/api/v1/search/users', '{}', { 'content-type': type });
      expect([reply.status, (await errorOf(reply)).reason]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    expect((await post('/api/v1/search/users', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('over 1 MiB are 413, and exactly 1 MiB is not', async () => {
    const padded = (bytes: number): string => `{"query":"x"${' '.repeat(bytes - 13)}}`;
    expect((await post('/api/v1/search/users', padded(1024 * 1024))).status).toBe(200);
    const reply = await post('/api/v1/search/users', padded(1024 * 1024 + 1));
    expect([reply.status, (await errorOf(reply)).reason]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('are streamed without a limit where the contract says so, with fields from the query', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'x');
    const reply = await send('/api/v1/imports/people?source=hr%20system&allowRemovals=true', {
      method: 'POST',
      body,
      headers: { 'content-type': 'Text/CSV; charset=utf-8', 'content-encoding': 'GZIP' },
    });
    expect(await reply.json()).toMatchObject({ import: { rows: String(body.length) } });
    const seen = server.takeSeen();
    expect(seen?.call.sent).toEqual({ source: 'hr system', allowRemovals: true });
    expect([seen?.call.contentType, seen?.call.contentEncoding]).toEqual(['text/csv', 'gzip']);
    expect((await send('/api/v1/imports/people', { method: 'POST' })).status).toBe(200);
  });

  it('that are refused while they are still sent are read to the end, so that the client can read why', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024, ' ');
    const sendBig = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const outgoing = request(`${server.url}${path}`, {
          method: 'POST',
          agent: false,
          headers: { ...headers, 'content-length': body.length, connection: 'close' },
        });
        outgoing.on('response', (reply) => resolve(reply.resume().statusCode)).on('error', reject);
        outgoing.end(body);
      });
    const json = { authorization: `Bearer ${superAdmin[0]}`, 'content-type': 'application/json' };
    expect(await sendBig('/api/v1/search/users', json)).toBe(413);
    expect(await sendBig('/api/v1/search/users', { 'content-type': 'application/json' })).toBe(401);
    expect(await sendBig('/api/v1/iam/roles', json)).toBe(405);
    expect(await sendBig('/api/v1/imports/people', { authorization: 'Bearer BASIC_USER', 'content-type': 'text/csv' })).toBe(403);
  });

  it('that never end lose their connection, whether they were refused or not', async () => {
    const slow = await startFrameworkServer({ bodyTimeMs: 200 });
    const head = (path: string, more: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: localhost:${slow.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n${more}\r\n{`;
    for (const text of [
      head('/api/v1/search/users', 'Authorization: Bearer SUPER_ADMINISTRATOR\r\n'),
      head('/api/v1/search/users', ''),
      head('/api/v1/imports/people', ''),
      head('/nothing', ''),
    ]) {
      const socket = connect(slow.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString();
      });
      socket.on('error', () => undefined);
      socket.write(text);
      await once(socket, 'close', { signal: AbortSignal.timeout(60_000) });
      expect(answer).toMatch(/^HTTP\/1\.1 4/);
    }
    await slow.stop();
  });

  it('that stop half-way are not answered with anything done', async () => {
    server.takeSeen();
    const raw = `POST /api/v1/search/users HTTP/1.1\r\nHost: tenant.example\r\nAuthorization: Bearer ${superAdmin[0]}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"`;
    await server.sendRaw(raw);
    expect(server.takeSeen()).toBeUndefined();
  });
});

describe('pages of a list', () => {
  it.each([
    ['', 25],
    ['page_size=1', 10],
    ['page_size=0', 10],
    ['page_size=-5', 10],
    ['pageSize=10', 10],
    ['page_size=100', 100],
    ['page_size=101', 100],
    ['page_size=99999999999999999999', 100],
    ['page_token=', 25],
  ])('with ?%s have %i items', async (query, size) => {
    expect((await send(`/api/v1/iam/roles?${query}`)).status).toBe(200);
    expect(server.takeSeen()?.call.page).toEqual({ size, after: undefined });
  });

  it.each([
    ['page_size=x', 'pageSize'],
    ['page_size=1.5', 'pageSize'],
    ['page_size=', 'pageSize'],
    ['page_size=1&page_size=2', 'pageSize'],
    ['page_token=x', 'page_token'],
  ])('with ?%s are 400', async (query, field) => {
    const reply = await send(`/api/v1/iam/roles?${query}`);
    expect([reply.status, (await errorOf(reply)).fields]).toEqual([400, [field]]);
  });

  it('go on where the page before ended, in POST too, also with another page size and other things to expand', async () => {
    const first = (await (await post('/api/v1/search/users', '{"query":"x"}')).json()) as { nextPageToken: string };
    expect(first.nextPageToken).not.toBe('');
    const body = { query: 'x', page_token: first.nextPageToken, pageSize: 99, expandMask: { paths: ['*'] } };
    const second = (await (await post('/api/v1/search/users', JSON.stringify(body))).json()) as { nextPageToken: string };
    expect(server.takeSeen()?.call.page).toEqual({ size: 99, after: ['x'] });
    expect(second.nextPageToken).toBe('');
  });

  it('refuse the token of another list, another filter', async () => {
    const { nextPageToken } = (await (await post('/api/v1/search/users', '{"query":"x"}')).json()) as { nextPageToken: string };
    expect((await post('/api/v1/search/users', JSON.stringify({ query: 'y', pageToken: nextPageToken }))).status).toBe(400);
    expect((await send(`/api/v1/iam/roles?page_token=${nextPageToken}`)).status).toBe(400);
  });
});

describe('errors', () => {
  it('without a token are 401 with a challenge, before the body is looked at', async () => {
    const reply = await server.fetch('/api/v1/search/users', {
      method: 'POST',
      body: 'x'.repeat(2_000_000),
      headers: { 'content-type': 'text/plain' },
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="countersign"');
    expect((await errorOf(reply)).code).toBe(16);
    const empty = await server.fetch('/api/v1/iam/roles', { headers: { authorization: ' ' } });
    expect([empty.status, empty.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="countersign"']);
    const wrong = await server.fetch('/api/v1/iam/roles', { headers: { authorization: 'Basic eDp5' } });
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('of permission are 403 and name who holds it', async () => {
    for (const roles of [['BASIC_USER'], ['READ_ONLY_SYSTEM_LOGS']] as RoleName[][]) {
      const reply = await server.fetchAs(roles, '/api/v1/iam/roles');
      expect(reply.status).toBe(403);
      expect((await errorOf(reply)).message).toContain('Read-Only Administrator');
    }
    expect((await server.fetchAs(['READ_ONLY_ADMINISTRATOR'], '/api/v1/iam/roles')).status).toBe(200);
  });

  it('of a rule have its status, message and headers, and never its detail', async () => {
    const conflict = await send('/api/v1/iam/roles/conflict');
    expect(conflict.status).toBe(409);
    const text = await conflict.text();
    expect(text).toContain('Somebody was first.');
    expect(text).not.toContain('secret_name');
    const limited = await send('/api/v1/iam/roles/limited');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    const away = await send('/api/v1/iam/roles/away');
    expect(away.status).toBe(503);
    expect(await away.text()).not.toContain('secret');
  });

  it('of ours are 500 with nothing but the request id, and a log line with all of it', async () => {
    for (const name of ['crash', 'nothing']) {
      const reply = await send(`/api/v1/iam/roles/${name}`);
      expect(reply.status).toBe(500);
      const id = reply.headers.get('x-request-id');
      expect(await reply.json()).toEqual({
        code: 13,
        message: `Something went wrong on our side. The request id is ${id}.`,
        details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: id, servingData: '' }],
      });
      expect(server.logged.some(({ level, fields }) => level === 'error' && (fields as { requestId?: string }).requestId === id)).toBe(
        true,
      );
    }
  });

  it('of the request list every violation with its path', async () => {
    const reply = await post('/api/v1/search/users', '{"query":7,"ids":["a",1],"expand_mask":{"paths":"x"}}');
    expect([reply.status, (await errorOf(reply)).fields]).toEqual([400, ['query', 'ids[1]', 'expandMask.paths']]);
  });
});

describe('the log', () => {
  it('has one line for each request, without query or credentials', async () => {
    server.logged.length = 0;
    await send('/api/v1/iam/roles/some-id?token=secret-thing');
    await until(() => expect(server.logged).toHaveLength(1));
    expect(server.logged[0]?.fields).toMatchObject({
      method: 'GET',
      route: '/api/v1/iam/roles/:role_id',
      status: 200,
      tenantId: '0'.repeat(27),
    });
    expect(JSON.stringify(server.logged)).not.toContain('secret-thing');
    expect(JSON.stringify(server.logged)).not.toContain('SUPER_ADMINISTRATOR');
  });
});

describe('probes', () => {
  it('say that requests can be served, and when not', async () => {
    expect(await (await server.fetch('/healthz')).json()).toEqual({ status: 'alive' });
    expect(await (await server.fetch('/readyz')).json()).toEqual({ status: 'ready' });
    const away = await startFrameworkServer({ checkReady: () => Promise.reject(new Error('no database at /secret')) });
    try {
      const reply = await away.fetch('/readyz');
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect((await errorOf(reply)).message).not.toContain('secret');
      expect((await away.fetch('/healthz')).status).toBe(200);
    } finally {
      await away.stop();
    }
  });

  it('are one small text, made once a second however many ask, and only for those with the token where there is one', async () => {
    let counted = 0;
    const token = 'a token of a scraper';
    const secret = token.replaceAll(' ', '-');
    const counting = await startFrameworkServer({
      metricsToken: secret,
      jobCounts: async () => ({ waiting: ++counted, late: 0, failed: 0, oldestSeconds: 0 }),
    });
    try {
      const read = (authorization: string) => counting.fetch('/metrics', { headers: { authorization } });
      expect((await read('')).status).toBe(401);
      expect((await read('Bearer a-token-of-a-scrapes')).status).toBe(401);
      const texts = await Promise.all(Array.from({ length: 30 }, async () => (await read(`Bearer ${secret}`)).text()));
      expect(new Set(texts.map((text) => /countersign_jobs\{state="waiting"\} (\d+)/.exec(text)?.[1]))).toEqual(new Set(['1']));
      // Unknown paths are all one route; each route that was asked for is two lines beside one for each status.
      await Promise.all(Array.from({ length: 50 }, (_, index) => counting.fetch(`/nothing/${index}`)));
      expect(Buffer.byteLength(texts[0] ?? '')).toBeLessThan(40_000);
    } finally {
      await counting.stop();
    }
  });

  it('and the API browser are for this machine alone unless it is opened', async () => {
    const from = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect([(await server.fetch('/docs', from)).status, (await server.fetch('/openapi.json', from)).status]).toEqual([404, 200]);
    const open = await startFrameworkServer({ opensDocs: true });
    try {
      expect((await open.fetch('/docs', from)).status).toBe(200);
    } finally {
      await open.stop();
    }
  });

  it('are for this machine alone where there is no token, and not for those for whom a proxy asks', async () => {
    const open = await startFrameworkServer({ trustProxy: ['127.0.0.1'] });
    try {
      const read = (headers: Record<string, string>) => open.fetch('/metrics', { headers });
      expect((await read({})).status).toBe(200);
      expect((await read({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
      expect((await read({ forwarded: 'for=203.0.113.9' })).status).toBe(401);
      for (const header of ['x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto']) {
        expect([header, (await read({ [header]: header === 'via' ? '1.1 proxy' : '203.0.113.9' })).status]).toEqual([header, 401]);
      }
      const secure = await open.fetch('/healthz', { headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'HTTPS' } });
      const plain = await open.fetch('/healthz');
      expect([secure.headers.get('strict-transport-security'), plain.headers.get('strict-transport-security')]).toEqual([
        'max-age=31536000',
        null,
      ]);
    } finally {
      await open.stop();
    }
  });

  it('log probes at debug, and requests with who sent them from where', async () => {
    const telling = await startFrameworkServer();
    try {
      await telling.fetch('/healthz');
      await telling.fetchAs(superAdmin, '/api/v1/iam/roles/x');
      const lines = telling.logged.filter(({ level, message }) => level === 'info' && message === 'request');
      expect(lines.map(({ fields }) => fields)).toEqual([
        expect.objectContaining({ callerId: 'somebody', address: '127.0.0.1', status: 200 }),
      ]);
    } finally {
      await telling.stop();
    }
  });

  it('count requests by route, and show pool and jobs', async () => {
    const counting = await startFrameworkServer({
      jobCounts: async () => ({ waiting: 3, late: 2, failed: 1, oldestSeconds: 8.5 }),
      inventoryCounts: async () => ({ openReviews: 9, openTasks: 10, oldestSourceSeconds: 11 }),
      sources: async () => [
        { kind: 'SQL', ageSeconds: 12, held: 2 },
        { kind: 'BATON', ageSeconds: null, held: 1 },
      ],
      fetchEnds: () => [{ kind: 'SQL', state: 'DONE', count: 13 }],
      unsureMails: async () => 14,
      deliveryCounts: async () => ({ waiting: 7, late: 6, failed: 5, oldestSeconds: 4.5 }),
    });
    try {
      await counting.fetchAs(superAdmin, '/api/v1/iam/roles/x');
      await counting.fetchAs(superAdmin, '/api/v1/iam/roles/y');
      const text = await (await counting.fetch('/metrics')).text();
      expect(text).toContain('countersign_http_requests_total{method="GET",route="/api/v1/iam/roles/:role_id",status="200"} 2');
      expect(text).toContain('countersign_http_request_duration_seconds_count{kind="api"} 2');
      expect(text).toContain('countersign_jobs_oldest_seconds 8.5');
      expect(text).toContain('countersign_reviews_open 9');
      expect(text).toContain('countersign_tasks_open 10');
      expect(text).toContain('countersign_source_oldest_seconds 11');
      expect(text).toContain('countersign_source_age_seconds{kind="sql"} 12');
      expect(text).not.toContain('kind="baton"');
      expect(text).toContain('countersign_fetches_held 3');
      expect(text).toContain('countersign_fetches_total{kind="sql",state="done"} 13');
      expect(text).toContain('countersign_jobs{state="waiting"} 3');
      expect(text).toContain('countersign_jobs{state="late"} 2');
      expect(text).toContain('countersign_jobs{state="failed"} 1');
      expect(text).toContain('countersign_deliveries{state="waiting"} 7');
      expect(text).toContain('countersign_deliveries{state="late"} 6');
      expect(text).toContain('countersign_deliveries{state="dead"} 5');
      expect(text).toContain('countersign_deliveries_oldest_seconds 4.5');
      expect(text).toContain('countersign_mails_unsure 14');
      expect(text).toMatch(/countersign_database_connections\{state="idle"\} \d/);
    } finally {
      await counting.stop();
    }
  });
});

describe('pages for eyes', () => {
  it.each([
    ['/', 'text/html'],
    ['/docs', 'text/html'],
    ['/reviews/r', 'text/html'],
    ['/docs/docs.js', 'text/javascript'],
    ['/docs/page.css', 'text/css'],
    ['/openapi.json', 'application/json'],
  ])('%s needs no token and nothing from elsewhere', async (path, type) => {
    const reply = await server.fetch(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const text = await reply.text();
    if (path !== '/openapi.json') {
      expect(text).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\son[a-z]+=/);
      expect(text).not.toMatch(/<script(?! src="\/docs\/)/);
    }
  });

  it('describe what is served here and nothing else', async () => {
    const { paths } = (await (await server.fetch('/openapi.json')).json()) as { paths: Record<string, object> };
    expect(Object.keys(paths)).toContain('/api/v1/iam/roles/{role_id}');
    expect(Object.keys(paths)).not.toContain('/api/v1/access_reviews');
  });
});

describe('a member that the contract does not know', () => {
  const body = JSON.stringify({ nope: 1, updateMask: '' });

  it('is left out, and the reply says so in a header', async () => {
    const reply = await post('/api/v1/apps/a/owners', body, {}, 'PUT');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('warning')).toBe(
      '299 - "nope is not known here and was left out", 299 - "updateMask is not known here and was left out"',
    );
    expect(reply.headers.get('preference-applied')).toBeNull();
    expect((await post('/api/v1/apps/a/owners', '{}', {}, 'PUT')).headers.get('warning')).toBeNull();
  });

  it('is refused where strictness is preferred, with its path and what is known', async () => {
    for (const prefer of ['handling=strict', 'respond-async, Handling="strict"; foo=1']) {
      const reply = await post('/api/v1/apps/a/owners', body, { prefer }, 'PUT');
      expect(reply.status).toBe(400);
      expect(reply.headers.get('preference-applied')).toBe('handling=strict');
      expect(reply.headers.get('warning')).toBeNull();
      expect(await errorOf(reply)).toMatchObject({ fields: ['nope', 'updateMask'], message: expect.stringContaining('known are ') });
    }
    for (const prefer of ['handling=lenient', 'nothandling=strict', 'handling=strictly']) {
      expect((await post('/api/v1/apps/a/owners', body, { prefer }, 'PUT')).status).toBe(200);
    }
    expect((await post('/api/v1/apps/a/owners', '{"userIds": []}', { prefer: 'handling=strict' }, 'PUT')).status).toBe(200);
  });

  it('in a query is treated alike', async () => {
    const reply = await send('/api/v1/iam/roles/x?page_sise=10');
    expect(reply.headers.get('warning')).toContain('page_sise is not known here');
    expect((await send('/api/v1/iam/roles/x?page_sise=10', { headers: { prefer: 'handling=strict' } })).status).toBe(400);
  });

  it('breaks no header, whatever its name and however many there are', async () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}\r\nset-cookie: x="\\é\u{1F600}${'y'.repeat(300)}`, 1]),
    );
    const reply = await post('/api/v1/apps/a/owners', JSON.stringify(hostile), {}, 'PUT');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(reply.headers.get('warning')?.length).toBeLessThan(1000);
    expect(reply.headers.get('warning')).toContain('95 more are not known here');
  });
});
