/** Files of web servers, good and hostile: what is taken, what is sent to whom, and what is refused. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readVector } from '../../../../test/support/c1z.ts';
import { makeCertificate } from '../../../../test/support/certificate.ts';
import { failureOf, readSource, type Wish } from '../../../../test/support/open-source.ts';
import type { HttpsSettingsJson } from '../../../gen/countersign/v1/files_pb.js';
import { httpsFetcher } from './https.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
let answer: Answer;
let asked: { url: string; headers: IncomingMessage['headers'] }[] = [];
const servers: (Server | TlsServer)[] = [];
const ports: number[] = [];

async function listen(server: Server | TlsServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  ports.push(port);
  return port;
}
const take: Answer = (request, response) => {
  asked.push({ url: `${request.headers.host?.split(':')[0]}${request.url}`, headers: request.headers });
  answer(request, response);
};

let port: number;
beforeAll(async () => {
  port = await listen(createServer(take));
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
afterEach(() => {
  asked = [];
});

const settings = (more: HttpsSettingsJson = {}): Required<HttpsSettingsJson> => ({
  url: `http://127.0.0.1:${port}/files/grants`,
  headers: [],
  ca: '',
  isPeople: false,
  sheet: '',
  needsManifest: false,
  ...more,
});
const allowed = (): string[] => ['127.0.0.1', ...ports.flatMap((one) => [`127.0.0.1:${one}`, `localhost:${one}`])];
const read = (more: HttpsSettingsJson = {}, wish: Wish = {}) => readSource(httpsFetcher, settings(more), { allowed: allowed(), ...wish });
const fault = (more: HttpsSettingsJson = {}, wish: Wish = {}) => failureOf(read(more, wish));
const say =
  (text: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/csv', ...headers }).end(text);

describe('a file of a web server', () => {
  it('is of the time that the server says, or the one of a cache, and never of the future', async () => {
    const now = new Date('2026-02-01T00:00:00Z');
    const of = async (headers: Record<string, string>) => {
      answer = say('text', headers);
      return (await read({}, { clock: () => now }))?.facts.observedFrom.toISOString();
    };
    expect(await of({ 'last-modified': modified })).toBe('2026-01-01T00:00:00.000Z');
    expect(await of({ 'last-modified': 'Fri, 01 Jan 2027 00:00:00 GMT' })).toBe(now.toISOString());
    expect(await of({})).toBe(now.toISOString());
    expect(await of({ age: '3600' })).toBe('2026-01-31T23:00:00.000Z');
    expect(await of({ 'last-modified': 'yesterday' })).toBe(now.toISOString());
  });

  it.each<[string, Record<string, string>, Record<string, string> | undefined]>([
    ['its time', { 'last-modified': modified }, { 'if-modified-since': modified }],
    ['its ETag', { etag: '"1"' }, { 'if-none-match': '"1"' }],
    ['its content alone', {}, undefined],
  ])('is unchanged by %s, whether the server knows conditions or not', async (_, headers, condition) => {
    answer = say('text', headers);
    const first = await read();
    const wish = { lastMark: first?.mark ?? '' };
    expect(first?.text).toBe('text');
    expect(await read({}, wish)).toBeUndefined();
    if (condition !== undefined) {
      expect(asked.at(-1)?.headers).toMatchObject(condition);
      answer = say('', {}, 304);
      expect(await read({}, wish)).toBeUndefined();
    }
    answer = say('other', { ...headers, ...(headers['etag'] !== undefined && { etag: '"2"' }), 'last-modified': new Date().toUTCString() });
    expect((await read({}, wish))?.text).toBe('other');
  });

  it('gets the headers and the part of the address that are secret, and hands them to no other host', async () => {
    const other = await listen(createServer(take));
    answer = (request, response) =>
      request.url?.startsWith('/files/') === true
        ? void response.writeHead(302, { location: `http://localhost:${other}/elsewhere` }).end()
        : say('text')(request, response);
    const secrets = { 'header-Authorization': 'Bearer s3cret', 'header-X-Api-Key': 'k3y', query: '?sig=s1gned' };
    expect((await read({ headers: ['Accept: text/csv'], url: `${settings().url}?a=b` }, { secrets }))?.text).toBe('text');
    expect(asked.map(({ url }) => url)).toEqual(['127.0.0.1/files/grants?a=b&sig=s1gned', 'localhost/elsewhere']);
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-api-key': 'k3y', accept: 'text/csv' });
    expect(asked[1]?.headers).toMatchObject({ 'user-agent': 'Countersign' });
    expect(JSON.stringify(asked[1])).not.toMatch(/s3cret|k3y|s1gned/);
    // An error of any kind names hosts alone.
    answer = say('s3cret k3y', {}, 500);
    const said = [await fault({}, { secrets }), await fault({}, { secrets: { ...secrets, 'header-Host': 'x' } })];
    said.push(await fault({}, { secrets: { 'header-A': 'a\u0000' } }), await fault({}, { secrets, allowed: [] }));
    expect(said).toEqual([
      `UNREACHED: 127.0.0.1:${port} gives no file: it answered 500.`,
      'SETTINGS: The secret header-Host is of a header that is not sent. Remove it.',
      'SETTINGS: The secret header-A has characters that no header may have. Set it again.',
      expect.stringMatching(/^REFUSED: 127.0.0.1:\d+ is not asked/),
    ]);
    expect(said.join()).not.toMatch(/s3cret|k3y|s1gned/);
  });

  it('is asked for over TLS, with the certificates that the settings trust', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
    const { certFile, keyFile } = makeCertificate(folder, { isTrusted: false });
    const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    rmSync(folder, { recursive: true });
    const secure = await listen(createTlsServer({ cert, key }, take));
    const url = `https://127.0.0.1:${secure}/grants`;
    answer = say('text');
    expect((await read({ url, ca: cert }))?.text).toBe('text');
    expect(await fault({ url })).toMatch(/^SETTINGS: 127.0.0.1:\d+ offers no connection that is to be trusted: .*\. Set `ca`/);
    answer = (_, response) => void response.writeHead(301, { location: `http://127.0.0.1:${port}/plain` }).end();
    expect(await fault({ url, ca: cert })).toContain('redirects to an address without encryption');
  });

  it('is held to its manifest, which lies beside it', async () => {
    let manifest: Answer = say('none', {}, 404);
    answer = (request, response) =>
      request.url?.includes('.manifest.json') === true ? manifest(request, response) : say('text')(request, response);
    const url = `http://127.0.0.1:${port}/files/grants.csv`;
    expect((await read({ url }))?.text).toBe('text');
    expect(await fault({ url, needsManifest: true })).toBe('CONFLICT: The file "grants.csv" has no manifest "grants.csv.manifest.json".');
    manifest = say(
      JSON.stringify({ sha256: createHash('sha256').update('text').digest('hex'), rows: 3, exportedAt: '2026-01-01T00:00:00Z' }),
    );
    expect((await read({ url }))?.facts).toMatchObject({ rows: 3, observedFrom: new Date('2026-01-01T00:00:00Z') });
    expect((await read({ url: `${url}?v=1`, needsManifest: true }))?.facts.rows).toBe(3);
    expect(asked.at(-1)?.url).toBe('127.0.0.1/files/grants.csv.manifest.json?v=1');
    manifest = say(JSON.stringify({ sha256: '0'.repeat(64) }));
    expect(await fault({ url })).toBe('CONFLICT: The file has another SHA-256 than its manifest says.');
    manifest = pour;
    expect(await fault({ url })).toContain('larger than 65536 bytes');
    // Where any address shows a page, that page is no manifest.
    manifest = say('<!doctype html>', { 'content-type': 'text/html' });
    expect((await read({ url }))?.text).toBe('text');
  });

  it('may be that of a connector, and gzip by its first bytes or by its header', async () => {
    answer = say(readVector('demo-sdk-0.2.50'));
    const found = await read({}, { zone: 'Europe/Berlin' });
    expect(found?.found).toMatchObject({ contents: [{ kind: 'GRANTS', columns: expect.arrayContaining(['account']) }] });
    expect(found?.text).toContain('alice');
    expect(await fault({ isPeople: true })).toContain('The file is one of a connector');
    answer = say('C1Z3\0 and more');
    expect(await fault()).toContain('Pebble');
    answer = say(gzipSync('text'), { 'content-encoding': 'gzip' });
    expect((await read())?.found).toMatchObject({ contents: [{ encoding: 'gzip' }] });
    answer = say('text', { 'content-encoding': 'br' });
    expect(await fault()).toContain('in an encoding that is not read here');
  });
});

/** Answers for ever. */
const pour: Answer = (_, response) => {
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
  };
  response.writeHead(200, { 'content-type': 'text/csv' }).on('drain', more);
  more();
};

describe('a hostile server', () => {
  it.each<[string, Answer, string]>([
    [
      'breaks off',
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
      'UNREACHED: The file of .* broke off',
    ],
    [
      'breaks off in chunks',
      (_, response) => void response.writeHead(200).write('x'.repeat(600), () => setImmediate(() => response.destroy())),
      'UNREACHED: The file of .* broke off',
    ],
    ['closes at once', (_, response) => void response.destroy(), 'UNREACHED: .* cannot be reached'],
    ['announces too much', say('x', { 'content-length': '99999999999999' }), 'REFUSED: .* more than 20 GiB'],
    [
      'says no end',
      (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\n\r\na,b\n1,2\n'),
      'REFUSED: The server says neither how long',
    ],
    ['speaks something else', (_, response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'), 'UNREACHED: .* cannot be reached'],
    [
      'sends endless headers',
      (_, response) => void response.writeHead(200, { 'x-a': 'a'.repeat(70_000) }).end(),
      'UNREACHED: .* cannot be reached',
    ],
    [
      'leads to this machine',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      'REFUSED: 127.0.0.1:9 is not asked',
    ],
    [
      'leads to the metadata of a cloud',
      (_, response) => void response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
      'REFUSED: 169.254.169.254 is not asked',
    ],
    ['leads to a file', (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(), 'REFUSED: .*'],
    [
      'leads in a circle',
      (_, response) => void response.writeHead(307, { location: '/files/grants' }).end(),
      'REFUSED: .* redirects more than 5 times',
    ],
    ['leads nowhere', (_, response) => void response.writeHead(302, { location: 'http://[' }).end(), 'REFUSED: .* no address'],
    ['asks to sign in', say('no', {}, 401), 'REFUSED: The link asks to sign in: .* answered 401'],
    [
      'shows a page',
      say('\ufeff \n<!DOCTYPE HTML><title>Sign in</title>', { 'content-type': 'application/octet-stream' }),
      'REFUSED: The link asks to sign in: .* answered a page',
    ],
    ['shows a page by its type', say('a,b', { 'content-type': 'Text/HTML; charset=utf-8' }), 'REFUSED: The link asks to sign in'],
    ['has nothing', say('', {}, 404), 'UNREACHED: .* answered 404'],
    ['has a part', say('a', {}, 206), 'UNREACHED: .* answered 206'],
    ['wants another request', say('', {}, 405), 'REFUSED: .* answered 405'],
  ])('%s', async (_, hostile, words) => {
    answer = hostile;
    expect(await fault()).toMatch(new RegExp(`^${words}`));
  });

  it('that has no time is asked again when it likes', async () => {
    const after = async (text: string): Promise<number> => {
      answer = say('', { 'retry-after': text, date: modified }, 503);
      return read().then(
        () => -1,
        (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
      );
    };
    expect([await after('120'), await after('Thu, 01 Jan 2026 00:05:00 GMT'), await after('soon'), await after('-5')]).toEqual([
      120, 300, 0, 0,
    ]);
  });

  it('that hangs is given up when the fetch ends, whatever it has sent', async () => {
    const hangs: Answer[] = [
      () => undefined,
      (_, response) => void response.writeHead(200).write('a'),
      (_, response) => void response.writeHead(200).write('x'.repeat(5000)),
    ];
    for (const hang of hangs) {
      const ending = new AbortController();
      answer = (request, response) => {
        hang(request, response);
        setImmediate(() => ending.abort(new Error('over')));
      };
      expect(await fault({}, { signal: ending.signal })).toBe('Error: over');
    }
    const ended = new AbortController();
    answer = (request, response) => {
      pour(request, response);
      response.once('drain', () => ended.abort(new Error('enough')));
    };
    expect(await fault({}, { signal: ended.signal })).toBe('Error: enough');
  });

  it('whose file grows while it is read gives none', async () => {
    let size = 600;
    const headers = { 'last-modified': modified, etag: '"1"' };
    answer = (request, response) => {
      size += request.method === 'GET' ? 0 : 1;
      response.writeHead(200, { ...headers, 'content-length': size }).end(request.method === 'GET' ? 'x'.repeat(size) : undefined);
    };
    expect(await fault()).toMatch(/^HALF: .* it had 600 bytes, and has 601 now/);
    // A file of right now is looked at again once it could have grown.
    const begun = performance.now();
    size = 600;
    answer = (request, response) => {
      const isGet = request.method === 'GET';
      response
        .writeHead(200, { 'last-modified': new Date().toUTCString(), 'content-length': isGet ? 600 : 700 })
        .end(isGet ? 'x'.repeat(600) : undefined);
    };
    expect(await fault({}, { settleMs: 150 })).toMatch(/^HALF/);
    expect(performance.now() - begun).toBeGreaterThan(100);
    answer = (request, response) =>
      request.method === 'GET' ? say('text', headers)(request, response) : say('', {}, 405)(request, response);
    expect((await read())?.text).toBe('text');
  });
});

describe('settings', () => {
  const fields = (more: HttpsSettingsJson) => httpsFetcher.check(settings(more)).map(({ field }) => field);
  it.each([
    'ftp://a.example/x',
    'a.example/x',
    'https://me:pw@a.example/x',
    'https://a.example/x#part',
    'https://a.example/x?access_token=1',
    'https://a.example/x?sv=1&sig=2',
    `https://a.example/${'x'.repeat(2000)}`,
    '',
  ])('refuse the address %.60s', (url) => {
    expect(fields({ url })).toEqual(['url']);
  });
  it.each(['https://a.example/x?key=1&b=2', 'https://docs.google.com/spreadsheets/d/1a_B-c/edit#gid=12'])('take the address %s', (url) => {
    expect(fields({ url })).toEqual(url.includes('key=') ? ['url'] : []);
  });
  it('refuse a manifest of a sheet', () => {
    expect(fields({ url: 'https://docs.google.com/spreadsheets/d/1a_B-c/edit', needsManifest: true })).toEqual(['needsManifest']);
  });
  it.each([
    ['Authorization: Bearer x'],
    ['X-Api-Key: x'],
    ['Host: x'],
    ['Accept'],
    ['Accept: a', 'accept: b'],
    ['A b: c'],
    Array.from({ length: 9 }, (_, n) => `X-${n}: 1`),
  ])('refuse the headers %j', (...headers) => {
    expect(fields({ headers: headers.flat() })).toEqual(['headers']);
  });
});
