/** Names, ids and addresses that are the same, and those that are not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getAddressKey, getCaselessNameKey, getIdKey, getNameKey } from './same-name.ts';

/** Letters with and without marks, all that is white or not seen, and anything else. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u0085', '\u3000', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\ufe0f'),
      fc.constantFrom('a', 'B', 'é', 'e\u0301', 'Ü', 'U\u0308', 'ß', 'İ', 'Σ', 'ς', '\u212a', 'ﬁ', '\u0323', '\u0301', '\u1100\u1161'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const blank = fc.constantFrom('', ' ', '\n', '\u00a0', '\u200b', '\ufeff', ' \u2060\u00ad\t');

describe('getNameKey', () => {
  it.each([
    ['Büro', 'Bu\u0308ro'],
    ['Büro', 'Büro '],
    ['Büro', '\u00a0Büro'],
    ['Büro', '\ufeffBüro\u200b'],
    ['Gate 2', 'Gate\u00a0\n 2'],
    ['Gate 2', '\u00adGate 2\r\n'],
  ])('takes %j for %j', (one, other) => {
    expect(getNameKey(one)).toBe(getNameKey(other));
  });

  it.each([
    ['Büro', 'BÜRO'],
    ['Büro', 'Buro'],
    ['Gate2', 'Gate 2'],
    ['Gate', 'Ga\u200bte'],
    ['ﬁle', 'file'],
    ['', 'a'],
  ])('does not take %j for %j', (one, other) => {
    expect(getNameKey(one)).not.toBe(getNameKey(other));
  });

  it('is the key of itself, of every form, and with whatever is not seen around it', () => {
    fc.assert(
      fc.property(hostile, blank, blank, (name, before, after) => {
        const key = getNameKey(name);
        expect(getNameKey(key)).toBe(key);
        expect(getNameKey(name.normalize('NFD'))).toBe(key);
        expect(getNameKey(name.normalize('NFC'))).toBe(key);
        expect(getNameKey(` ${before}${name}${after}\u00a0`)).toBe(key);
        expect(key).toBe(key.normalize('NFC').trim());
      }),
    );
  });

  it('is a name in plain letters as it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        expect(getNameKey(name)).toBe(name.trim().replace(/ +/g, ' '));
      }),
    );
  });

  it('counts no case where only one of a kind may have a name', () => {
    expect(getCaselessNameKey(' CAFE\u0301')).toBe(getCaselessNameKey('Café'));
  });
});

describe('getAddressKey and getIdKey', () => {
  it.each([
    ['Ann@x.test', ' ann@x.test\u00a0', true],
    ['an\u200bn@x.test', 'ann@x.test', true],
    ['jo\u0308rg@x.test', 'JÖRG@x.test', true],
    ['\u0131van@x.test', 'ivan@x.test', false],
    ['İvan@x.test', 'ivan@x.test', false],
    ['аnn@x.test', 'ann@x.test', false],
  ])('%j and %j are one address: %s', (one, other, isOne) => {
    expect(getAddressKey(one) === getAddressKey(other)).toBe(isOne);
  });

  it.each([
    ['4 2', '42', true],
    ['\ufeff42', '42', true],
    ['0042', '42', false],
    ['a42', 'A42', false],
  ])('%j and %j are one employee id: %s', (one, other, isOne) => {
    expect(getIdKey(one) === getIdKey(other)).toBe(isOne);
  });

  it('are the keys of themselves, of every form, and with whatever is not seen anywhere in them', () => {
    fc.assert(
      fc.property(hostile, hostile, blank, (one, other, between) => {
        for (const getKey of [getAddressKey, getIdKey]) {
          const key = getKey(one + other);
          expect(getKey(key)).toBe(key);
          expect(getKey((one + other).normalize('NFD'))).toBe(key);
          expect(getKey(`${one}${between}${other} `)).toBe(key);
        }
      }),
    );
  });
});
