/** Uploads: plain or gzip, by header or by their first bytes; what is refused. */
import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource, SourceError } from './csv-source.ts';

const limits = { maxBytes: 1_000_000, maxExpansion: 100, stallMs: 60_000 };
const text = Array.from({ length: 500 }, (_, index) => `row ${index} ${createHash('md5').update(String(index)).digest('hex')}\n`).join('');

function bodyOf(bytes: Buffer | string, size = 10): Readable {
  const all = Buffer.from(bytes as string);
  return Readable.from(
    (function* () {
      for (let at = 0; at < all.length; at += size) {
        yield all.subarray(at, at + size);
      }
    })(),
  );
}

async function read(body: Readable, encoding = '', own = limits): Promise<{ text: string; sha256: string }> {
  const source = openSource(body, encoding, own);
  const pieces: Buffer[] = [];
  for await (const piece of source.pieces) {
    pieces.push(piece);
  }
  return { text: Buffer.concat(pieces).toString(), sha256: source.sha256() };
}

async function reason(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SourceError);
  return (error as SourceError).reason;
}

describe('openSource', () => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  it.each([
    ['plain', text, ''],
    ['plain, said to be identity', text, 'identity'],
    ['gzip by its first bytes', gzipSync(text), ''],
    ['gzip by its header', gzipSync(text), 'gzip'],
    ['gzip in two members', Buffer.concat([gzipSync(text.slice(0, 999)), gzipSync(text.slice(999))]), 'x-gzip'],
  ])('reads %s, with the same hash', async (_name, bytes, encoding) => {
    expect(await read(bodyOf(bytes, 1 + Math.floor(bytes.length / 37)), encoding)).toEqual({ text, sha256 });
    expect(await read(bodyOf(bytes, 1), encoding)).toEqual({ text, sha256 });
  });

  it('reads nothing from an empty body', async () => {
    expect((await read(bodyOf(''))).text).toBe('');
  });

  it.each([
    ['an unknown encoding', () => read(bodyOf(text), 'br'), 'encoding'],
    ['no gzip, said to be one', () => read(bodyOf(text), 'gzip'), 'gzip'],
    ['a gzip cut off', () => read(bodyOf(gzipSync(text).subarray(0, 300)), ''), 'gzip'],
    ['a gzip that expands too far', () => read(bodyOf(gzipSync('0'.repeat(200_000))), ''), 'expands'],
    ['too many bytes', () => read(bodyOf('0'.repeat(1_000_001), 4096), ''), 'size'],
    ['too many bytes in a gzip', () => read(bodyOf(gzipSync(text.repeat(60))), ''), 'size'],
  ])('refuses %s', async (_name, work, expected) => {
    expect(await reason(work)).toBe(expected);
  });

  it('stops a large bomb half-way', async () => {
    const bomb = gzipSync(Buffer.alloc(150 * 1024 * 1024));
    let handed = 0;
    const body = Readable.from(
      (function* () {
        for (let at = 0; at < bomb.length; at += 1024) {
          handed = at;
          yield bomb.subarray(at, at + 1024);
        }
      })(),
    );
    expect(await reason(() => read(body, '', { ...limits, maxBytes: 1e12 }))).toBe('expands');
    expect(handed).toBeLessThan(bomb.length * 0.8);
  });

  it('gives up a body that breaks off or falls silent', async () => {
    const broken = new PassThrough();
    broken.write(text);
    setImmediate(() => broken.destroy(new Error('reset')));
    expect(await reason(() => read(broken))).toBe('aborted');
    const silent = new PassThrough();
    silent.write(text);
    expect(await reason(() => read(silent, '', { ...limits, stallMs: 50 }))).toBe('stalled');
  });
});
