/** Databases with changed bytes are read to their end or refused: nothing else is thrown, and nothing goes on for ever. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readVector } from '../../../test/support/c1z.ts';
import { tries } from '../../../test/support/runs.ts';
import type { Message } from './messages.ts';
import { readDatabase } from './read-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'c1z-damaged-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a database with changed bytes', () => {
  const whole = zstdDecompressSync(readVector('sdk-0.25-sqlite').subarray(5));
  const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });

  it('is read or refused', () => {
    let number = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 40 }), (changes) => {
        const path = join(folder, `${++number}.db`);
        const bytes = Buffer.from(whole);
        for (const { at, byte } of changes) {
          bytes[at] = byte;
        }
        writeFileSync(path, bytes);
        const messages: Message[] = [];
        readDatabase(path, {}, (message) => messages.push(message));
        expect(['DONE', 'REFUSED']).toContain(messages.at(-1)?.kind);
        expect(messages.length).toBeLessThan(1000);
      }),
      { numRuns: tries(40, 2000) },
    );
    expect(readFileSync(join(folder, '1.db'))).toHaveLength(whole.length);
  });
});
