/** Rows in a spool: every row comes back as it was, alone or among those of its group. */
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createRowSpool, readRows, type SpooledRow } from './row-spool.ts';
import { openSpool } from './spool.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('', '\n', '\0', 'a\0\0b', '\r\n"'),
  // Longer than what is read at once.
  fc.nat(90_000).map((length) => '東'.repeat(length)),
);
const row = fc.record({ group: fc.nat(262_143), line: fc.nat(4_000_000_000), isPlain: fc.boolean(), text });

describe('a spool of rows', () => {
  it('gives back every row of the groups that are wanted, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 4 }), fc.nat(262_143), async (batches, limit) => {
        const spool = await openSpool();
        try {
          const rows = createRowSpool(spool);
          for (const batch of batches) {
            for (const one of batch) {
              rows.add(one.group, one.line, one.isPlain, one.text);
            }
            await rows.flush();
          }
          for (const isWanted of [() => true, () => false, (group: number) => group <= limit]) {
            const found: SpooledRow[] = [];
            for await (const some of readRows(spool, isWanted)) {
              found.push(...some);
            }
            const expected = batches.flat().filter(({ group }) => isWanted(group));
            expect(found).toEqual(expected.map(({ line, isPlain, text: said }) => ({ line, isPlain, text: said })));
          }
        } finally {
          await spool.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

it('says that nothing can be written to the temporary directory', async () => {
  vi.stubEnv('TMPDIR', '/nowhere/at/all');
  await expect(openSpool()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('(TMPDIR)') });
  vi.unstubAllEnvs();
});
