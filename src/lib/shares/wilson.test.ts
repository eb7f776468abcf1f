/** The interval against figures of the literature, and what always holds of it. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { wilson } from './wilson.ts';

describe('the interval of a share', () => {
  it.each([
    // Newcombe, Statistics in Medicine 17 (1998), table I: method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i', (hits, tries, lower, upper) => {
    const found = wilson(hits, tries);
    expect(found.lower).toBeCloseTo(lower, 4);
    expect(found.upper).toBeCloseTo(upper, 4);
  });

  it('holds the share, lies between 0 and 1, and says nothing where nothing was tried', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, part) => {
        const hits = Math.floor(part * tries);
        const { lower, upper } = wilson(hits, tries);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual(hits / tries + 1e-12);
        expect(upper).toBeGreaterThanOrEqual(hits / tries - 1e-12);
      }),
    );
    expect(wilson(0, 0)).toEqual({ lower: 0, upper: 1 });
  });
});
