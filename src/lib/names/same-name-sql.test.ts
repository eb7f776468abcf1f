/** The keys of names as the database makes them, beside ours, over hostile names. */
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { getAddressKey, getIdKey, getNameKey } from './same-name.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

type KeyFunction = 'name_key' | 'look_alike_key' | 'address_key' | 'id_key';

async function keysOf(name: KeyFunction, names: readonly string[]): Promise<string[]> {
  const rows = await test.admin(`SELECT ${name}(n) AS key FROM unnest($1::text[]) WITH ORDINALITY AS x (n, place) ORDER BY place`, [names]);
  return rows.map(({ key }) => String(key));
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ' ',
        '  ',
        '\t',
        '\n',
        '\r',
        '\u000b',
        '\u001f',
        '\u0085',
        '\u00a0',
        '\u1680',
        '\u180e',
        '\u2009',
        '\u2028',
        '\u202f',
      ),
      fc.constantFrom('\u3000', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\ufe0f', '$', '^', '\\', "'", '"'),
      fc.constantFrom(
        'a',
        'B',
        'é',
        'e\u0301',
        'U\u0308\u0323',
        'ß',
        'İ',
        'Σ',
        'ς',
        '\u212a',
        'ﬁ',
        '\u0323\u0301',
        '\u1100\u1161\u11a8',
        '\u0958',
        '\ufb2c',
        '각',
      ),
      fc.constantFrom('@', '.', '。', 'xn--', 'XN--', '-', 'xn--bcher-kva', 'ⅸ', 'ᾀ', 'ᲀ', 'Ꭰ', 'ꭰ'),
      fc.stringMatching(/^@?xn--[a-z0-9-]{1,9}$/),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll('\0', '')),
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.replaceAll('\0', '').replace(/[^\p{L}\p{N}\p{P}\p{Z}\p{M}]/gu, '')),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('name_key', () => {
  it('is what getNameKey returns, of names that are hostile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 50, maxLength: 100 }), async (names) => {
        expect(await keysOf('name_key', names)).toEqual(names.map(getNameKey));
      }),
      { numRuns: 30 },
    );
  });

  // Marks that the younger of both alone knows are put in another order by it: such names are two spellings for the one, and one for the other.
  it('is what getNameKey returns, of every character that both know in a name, before and behind it', async () => {
    const known = Array.from({ length: 0x30000 }, (_, code) => code + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((char) => !/\p{Unassigned}/u.test(char));
    const rows = await test.admin('SELECT c AS char FROM unnest($1::text[]) AS x (c) WHERE unicode_assigned(c)', [known]);
    const all = rows.map(({ char }) => String(char));
    expect(all.length).toBeGreaterThan(140_000);
    for (const make of [(char: string) => char, (char: string) => `${char}a${char}\u0301b`, (char: string) => `a${char}`]) {
      const names = all.map(make);
      const keys = await keysOf('name_key', names);
      expect(names.filter((name, at) => keys[at] !== getNameKey(name))).toEqual([]);
    }
  });
});

describe.each([
  ['address_key', getAddressKey],
  ['id_key', getIdKey],
] as const)('%s', (name, getKey) => {
  it('is what the code makes, of names that are hostile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 50, maxLength: 100 }), async (made) => {
        // Of letters that one of both does not know yet, it knows no case.
        const rows = await test.admin('SELECT n AS name FROM unnest($1::text[]) AS x (n) WHERE unicode_assigned(n)', [made]);
        const names = rows.map((row) => String(row['name']));
        expect(await keysOf(name, names)).toEqual(names.map(getKey));
      }),
      { numRuns: 30 },
    );
  });

  it('is what the code makes, of every character that both know in a name and in a domain', async () => {
    const known = Array.from({ length: 0x30000 }, (_, code) => code + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((char) => !/\p{Unassigned}/u.test(char));
    const rows = await test.admin('SELECT c AS char FROM unnest($1::text[]) AS x (c) WHERE unicode_assigned(c)', [known]);
    const chars = rows.map(({ char }) => String(char));
    const names = chars.flatMap((char) => [`a${char}\u0301b`, `a@a${char}b.test`, `a@${domainToASCII(`a${char}b.test`)}`]);
    const keys = await keysOf(name, names);
    expect(names.filter((one, at) => keys[at] !== getKey(one))).toEqual([]);
  });
});

describe('look_alike_key', () => {
  it.each([
    ['Büro', 'BÜRO'],
    ['Büro', 'bu\u0308 ro\u200b'],
    ['ﬁle server', 'FileServer'],
    ['Straße', 'STRASSE'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['СЕТЬ', 'сеть'],
    ['Ａｄｍｉｎ', 'admin'],
    ['Ad\u200emin\ufe0f', 'ADMIN'],
    ['Gate\u00a02', 'gate2'],
  ])('takes %j for %j', async (one, other) => {
    const [left, right] = await keysOf('look_alike_key', [one, other]);
    expect(left).toBe(right);
  });

  it.each([
    ['Büro', 'Buro'],
    ['Gate 2', 'Gate 3'],
    ['', 'a'],
  ])('does not take %j for %j', async (one, other) => {
    const [left, right] = await keysOf('look_alike_key', [one, other]);
    expect(left).not.toBe(right);
  });

  it('is the same of names that are the same, and of itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 50, maxLength: 100 }), async (names) => {
        const keys = await keysOf('look_alike_key', names);
        expect(await keysOf('look_alike_key', names.map(getNameKey))).toEqual(keys);
        expect(
          await keysOf(
            'look_alike_key',
            names.map((name) => ` ${name.normalize('NFD')}\ufeff`),
          ),
        ).toEqual(keys);
        expect(await keysOf('look_alike_key', keys)).toEqual(keys);
      }),
      { numRuns: 20 },
    );
  });
});
