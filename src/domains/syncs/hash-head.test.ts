/** The look at the first bytes of an upload: what it shows, and that nothing of the upload is lost by it. */
import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashHead } from './hash-head.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('hashHead', () => {
  it('tells the first bytes of the first piece, and leaves every byte in its place', async () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 9000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pieces, async (arrays) => {
        const all = arrays.map((array) => Buffer.from(array));
        const body = Readable.from(all, { objectMode: false });
        expect(await hashHead(body, 1000)).toBe(sha256((all[0] as Buffer).subarray(0, 4096)));
        expect(await buffer(body)).toEqual(Buffer.concat(all));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a stream that can be piped', async () => {
    const body = new PassThrough();
    const head = hashHead(body, 1000);
    const packed = gzipSync('account,email\n'.repeat(50_000));
    body.write(packed.subarray(0, 10));
    expect(await head).toBe(sha256(packed.subarray(0, 10)));
    const unpacked = buffer(body.pipe(createGunzip()));
    body.end(packed.subarray(10));
    expect(String(await unpacked)).toBe('account,email\n'.repeat(50_000));
  });

  it('tells nothing of an upload without a byte, one that is broken, and one that never comes', async () => {
    const empty = Readable.from([]);
    expect(await hashHead(empty, 1000)).toBe('');
    const broken = new PassThrough();
    const asked = hashHead(broken, 1000);
    broken.destroy(new Error('the client went away'));
    expect(await asked).toBe('');
    expect(await hashHead(broken, 1000)).toBe('');
    await expect(buffer(broken)).rejects.toThrow();
    const silent = new PassThrough();
    expect(await hashHead(silent, 20)).toBe('');
    silent.end('late');
    expect(String(await buffer(silent))).toBe('late');
  });

  it('leaves no listener behind but one that keeps the process alive', async () => {
    const body = Readable.from([Buffer.from('x')], { objectMode: false });
    await hashHead(body, 1000);
    expect(['readable', 'end', 'close', 'error'].map((event) => body.listenerCount(event))).toEqual([0, 0, 0, 1]);
    // Nobody reads yet: without a listener this would be an unhandled error, and the end of the process.
    body.destroy(new Error('reset'));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(body[Symbol.asyncIterator]().next()).rejects.toThrow('reset');
  });
});
