/** 100 % is all, and 0 % is nothing, of whatever numbers. */
import { glob, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorPercent, sayPercent } from './percent.ts';

describe('a share', () => {
  it('is said by one function in every place', async () => {
    const rounded: string[] = [];
    for (const folder of ['src', 'console/src']) {
      for await (const file of glob(`${folder}/**/*.{ts,tsx}`, { exclude: (name) => name.endsWith('/gen') })) {
        if (
          !file.includes('.test.') &&
          /(?:toFixed|Math\.(?:round|floor|ceil))\([^`\n]*\)\}?(?: ?%|.*padStart.*%)|style: 'percent'/.test(await readFile(file, 'utf8'))
        ) {
          rounded.push(file);
        }
      }
    }
    // The console's own takes its number from floorPercent.
    expect(rounded).toEqual(['src/lib/shares/percent.ts', 'console/src/text/format.ts']);
  });

  it.each([
    [0, 0, 0, '0 %'],
    [0, 1600, 0, '0 %'],
    [1, 1600, 0, '<1 %'],
    [1, 1600, 1, '<0.1 %'],
    [2, 1600, 1, '0.1 %'],
    [16, 1600, 0, '1 %'],
    [183, 412, 0, '44 %'],
    [1599, 1600, 0, '99 %'],
    [1599, 1600, 1, '99.9 %'],
    [9_999_999, 10_000_000, 1, '99.9 %'],
    [1600, 1600, 0, '100 %'],
    [1600, 1600, 1, '100.0 %'],
    [0.29, 1, 0, '29 %'],
    [0.57, 1, 0, '57 %'],
  ])('%d of %d with %d digits is %s', (part, whole, digits, said) => {
    expect(sayPercent(part, whole, digits)).toBe(said);
  });

  it('is never more than it is, and all or nothing only where it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 40 }).chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole))),
        fc.integer({ min: 0, max: 2 }),
        ([part, whole], digits) => {
          const percent = floorPercent(part, whole, digits);
          expect(percent * whole).toBeLessThanOrEqual(part * 100 * (1 + 1e-6));
          expect([percent === 100, sayPercent(part, whole, digits).startsWith('0 ')]).toEqual([part === whole, part === 0 && digits === 0]);
        },
      ),
    );
  });
});
