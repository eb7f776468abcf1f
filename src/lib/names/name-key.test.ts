/** Names that are the same, and names that are not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getNameKey } from './name-key.ts';

describe('getNameKey', () => {
  it.each([
    ['Café', 'CAFÉ'],
    ['Cafe\u0301', 'Caf\u00e9'],
    [' Wiki\t', 'wiki'],
    ['СЕТЬ', 'сеть'],
  ])('takes %j for %j', (one, other) => {
    expect(getNameKey(one)).toBe(getNameKey(other));
  });

  it.each([
    ['Cafe', 'Café'],
    ['Wi ki', 'Wiki'],
    ['', 'a'],
  ])('does not take %j for %j', (one, other) => {
    expect(getNameKey(one)).not.toBe(getNameKey(other));
  });

  it('is the key of every spelling of a name, and of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('NFC' as const, 'NFD' as const), (name, form) => {
        const key = getNameKey(name);
        expect(getNameKey(` ${name.normalize(form)} `)).toBe(key);
        expect(getNameKey(key)).toBe(key);
      }),
    );
  });
});
