/** Files that are refused by their first bytes, however large: whoever sends hears why, and the connection can be used again or says that it ends. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantsHeader } from '../support/inventory.ts';
import { isLong } from '../support/runs.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const megabyte = 1024 * 1024;
const sizes = isLong ? [1024, 200 * 1024, 5 * megabyte, 50 * megabyte] : [200 * 1024, 6 * megabyte];

/** Lines of text that do not compress. */
const lines = Buffer.from(randomBytes(megabyte).toString('base64').replace(/.{79}/g, '$&\n'));

/** A file of some bytes that begins so. */
function fileOf(begin: string | Buffer, size: number): Buffer {
  return Buffer.concat([Buffer.from(begin as string), Buffer.alloc(size, lines)]);
}

const oldExcel = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const csv = `${grantsHeader}\na,,USER,ENABLED,role,r,e,,\n`;

const doors: readonly (readonly [name: string, path: string, begin: string | Buffer, said: string])[] = [
  ['an old Excel file of people', '/api/v1/imports/people', oldExcel, 'old Excel file (.xls)'],
  ['an old Excel file of grants', '/api/v1/imports/grants?app=Refused', oldExcel, 'old Excel file (.xls)'],
  ['a CSV with a sheet', '/api/v1/imports/grants?app=Refused&sheet=One', csv, 'sheet names a sheet'],
  ['a CSV with another header', '/api/v1/imports/grants?app=Refused', 'colour,size\nred,1\n', 'the header lacks'],
  ['rows that are none', '/api/v1/imports/grants?app=Refused', csv, 'fields where the header has'],
  ['a dry run', '/api/v1/imports/grants?app=Refused&dry_run=true', oldExcel, 'old Excel file (.xls)'],
  ['a file of several apps', '/api/v1/imports/grants?split_by_app=true', oldExcel, 'old Excel file (.xls)'],
  ['a file of several apps without their column', '/api/v1/imports/grants?split_by_app=true&app_column=Nope', csv, 'Nope'],
  ['an app besides', '/api/v1/imports/grants?split_by_app=true&app=Refused', csv, 'leave it out'],
  ['no app', '/api/v1/imports/grants', csv, 'must name the app'],
  ['an unknown mapping', '/api/v1/imports/grants?app=Refused&map=nonsense', csv, 'nonsense'],
  ['columns of an old Excel file', '/api/v1/imports/columns?kind=grants', oldExcel, 'old Excel file (.xls)'],
  ['columns of a CSV with a sheet', '/api/v1/imports/columns?kind=grants&sheet=One', csv, 'sheet names a sheet'],
  ['a c1z that is none', '/api/v1/imports/c1z?app=Refused', csv, ''],
  ['a c1z with a time zone that is none', '/api/v1/imports/c1z?app=Refused&zone=Nowhere', csv, 'time zone'],
];

describe('a file that is refused', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer();
    token = await server.admin.client.token();
  });
  afterAll(() => server.stop());

  interface Sent {
    readonly status: number;
    readonly text: string;
    readonly closes: boolean;
    /** The status of the next request of the same connection; 0 where there was none. */
    readonly next: number;
  }

  const headOf = (path: string, headers: readonly string[]): string =>
    [`POST ${path} HTTP/1.1`, `Host: ${new URL(server.url).host}`, `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

  /** Reads one answer from a connection. */
  async function readAnswer(socket: Socket, before = ''): Promise<{ status: number; text: string; closes: boolean; rest: string }> {
    let got = before;
    for (;;) {
      const end = got.indexOf('\r\n\r\n');
      const length = end < 0 ? Number.NaN : Number(/content-length: (\d+)/i.exec(got.slice(0, end))?.[1]);
      if (end >= 0 && got.length >= end + 4 + length) {
        const head = got.slice(0, end);
        return {
          status: Number(head.split(' ')[1]),
          text: got.slice(end + 4, end + 4 + length),
          closes: /connection: close/i.test(head),
          rest: got.slice(end + 4 + length),
        };
      }
      const [piece] = (await once(socket, 'data')) as [Buffer];
      got += piece.toString('latin1');
    }
  }

  /** Sends all of a file, reading nothing before it has gone where `readsLate`, and then another request. */
  async function sendRaw(path: string, file: Buffer, { isChunked, readsLate }: { isChunked: boolean; readsLate: boolean }): Promise<Sent> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    try {
      const early = readsLate ? undefined : readAnswer(socket);
      socket.write(headOf(path, isChunked ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${file.length}`]));
      for (let from = 0; from < file.length; from += 64 * 1024) {
        const piece = file.subarray(from, from + 64 * 1024);
        const parts = isChunked ? [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')] : [piece];
        if (!socket.write(Buffer.concat(parts))) {
          await once(socket, 'drain');
        }
      }
      if (isChunked) {
        socket.write('0\r\n\r\n');
      }
      const first = await (early ?? readAnswer(socket));
      if (first.closes) {
        return { ...first, next: 0 };
      }
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`);
      return { ...first, next: (await readAnswer(socket, first.rest)).status };
    } finally {
      socket.destroy();
    }
  }

  const forms = [
    { isChunked: false, readsLate: false },
    { isChunked: false, readsLate: true },
    { isChunked: true, readsLate: true },
  ];

  it.each(doors)('%s', async (_name, path, begin, said) => {
    for (const size of sizes) {
      const plain = fileOf(begin, size);
      for (const file of isLong || size < megabyte ? [plain, gzipSync(plain, { level: 1 })] : [plain]) {
        for (const form of forms) {
          const { status, text, closes, next } = await sendRaw(path, file, form);
          expect([size, form, status, closes || next === 200]).toEqual([size, form, 400, true]);
          expect(text).toContain(JSON.stringify(said).slice(1, -1));
        }
      }
    }
  });

  it.each(doors)('%s, sent by fetch', async (_name, path, begin, said) => {
    for (const size of sizes) {
      const answer = await fetch(new URL(path, server.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
        body: new Uint8Array(fileOf(begin, size)),
      });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(JSON.stringify(said).slice(1, -1));
      expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
    }
  });

  it('without a token, or as JSON that is too large, is answered as well', async () => {
    for (const size of sizes.filter((one) => one > megabyte)) {
      for (const form of forms) {
        token = `${token}x`;
        const refused = await sendRaw('/api/v1/imports/grants?app=Refused', fileOf(csv, size), form);
        token = token.slice(0, -1);
        expect([refused.status, refused.closes || refused.next === 200]).toEqual([401, true]);
        const large = await sendRaw('/api/v1/apps', fileOf('{"displayName":"', size), form);
        expect([large.status >= 400 && large.status < 500, large.closes || large.next === 200]).toEqual([true, true]);
      }
    }
  });
});
