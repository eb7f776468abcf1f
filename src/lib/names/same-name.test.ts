/** Names, ids and addresses that are the same, and those that are not. */
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameAddress } from './same-address.ts';
import { foldAddress, getAddressKey, getCaselessNameKey, getIdKey, getNameKey } from './same-name.ts';

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
    ['anna@bücher.example', 'Anna@XN--Bcher-KVA.example', true],
    ['anna@BÜCHER.example', 'anna@xn--bcher-kva.example', true],
    ['anna@bu\u0308cher\u3002example', 'anna@xn--bcher-kva.example', true],
    ['anna@ｂücher．example', 'anna@ｘn--bcher-kva｡example', true],
    ['anna@mail.straße.example', 'anna@mail.xn--strae-oqa.example', true],
    ['jo\u0308rg@例え.テスト', 'JÖRG@xn--r8jz45g.xn--zckzah', true],
    ['anna@σίσυφος.example', 'anna@xn--kxa6ajbbmh.example', true],
    ['anna@क्\u200dष.example', 'anna@xn--11b2ezcw70k.example', true],
    ['anna@bücher.example', 'anna@bucher.example', false],
    ['anna@xn--bcher-kva.example', 'anna@xn--bcher-kva.evil', false],
    // A label says nothing that looks like another one: plain letters, capitals, wide letters, dots, what nobody sees.
    ['anna@xn--google-.example', 'anna@google.example', false],
    ['anna@xn--bcher-2pa.example', 'anna@bücher.example', false],
    ['anna@xn--gle-c86sfb.example', 'anna@google.example', false],
    ['anna@xn--google-dja.example', 'anna@google.example', false],
    ['anna@xn--google-rf0c.example', 'anna@google.example', false],
    ['anna@xn--ab-r13a.example', 'anna@a.b.example', false],
    // Nothing but the domain is read.
    ['xn--bcher-kva@x.test', 'bücher@x.test', false],
    ['xn--bcher-kva', 'bücher', false],
    ['anna@xn--99zzzz99.example', 'anna@xn--.example', false],
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

  // Node 20 reads the capital ẞ as ss, as the rule did before Unicode 15.1.
  const letters = Array.from({ length: 0x30000 }, (_, code) => code + 0x80)
    .filter((code) => (code < 0xd800 || code > 0xdfff) && code !== 0x1e9e)
    .map((code) => String.fromCodePoint(code))
    .filter((char) => !/\p{Unassigned}/u.test(char));

  it('are one for a domain in its letters and in its A-labels, of every character that a domain may have', () => {
    let count = 0;
    const differing = letters
      .map((char) => `a${char}b.example`)
      .filter((domain) => {
        const ascii = domainToASCII(domain);
        const isDomain = /^[\w.-]+$/.test(ascii);
        count += Number(isDomain);
        return isDomain && getAddressKey(`anna@${domain}`) !== getAddressKey(`anna@${ascii}`);
      });
    expect(differing).toEqual([]);
    expect(count).toBeGreaterThan(100_000);
  });

  it('are one where addresses are the same, for whatever follows the @, and always there', () => {
    const part = fc.oneof(
      fc.constantFrom('xn--', 'XN--', 'bcher-kva', '-', '.', '。', 'ü', 'U\u0308', 'ß', 'ς', 'Σ', 'ｂ', '\u200d', '@', '%', ' '),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.stringMatching(/^xn--[a-z0-9-]{1,12}$/),
    );
    const domain = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(domain, (name) => {
        const address = `anna@${name}`;
        const key = getAddressKey(address);
        expect(key.startsWith('anna@')).toBe(true);
        expect(getAddressKey(key)).toBe(key);
        expect(getAddressKey(foldAddress(address))).toBe(key);
        const at = address.lastIndexOf('@') + 1;
        const ascii = domainToASCII(address.slice(at));
        expect(!isSameAddress(address, address.slice(0, at) + ascii) || key === getAddressKey(address.slice(0, at) + ascii)).toBe(true);
      }),
    );
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
