/** Single fields of rows: what each reader takes, and what the database and the API then make of it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { escapeCopy, readEmail, readKey, readProfile, readText, readTime, readWord } from './fields.ts';

/** The value, or why there is none. */
function read<T>(
  reader: (text: string, column: string, complain: (column: string, reason: string) => void) => T,
  text: string,
): T | string[] {
  const reasons: string[] = [];
  const value = reader(text, 'c', (column, reason) => reasons.push(`${column}: ${reason}`));
  return reasons.length > 0 ? reasons : value;
}

describe('times', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it.each([
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2024-02-29 00:00:00.5z', '2024-02-29 00:00:00.5z'],
    ['2024-01-01t00:00:00.123456+15:59', '2024-01-01t00:00:00.123456+15:59'],
    // Cut, not rounded: the largest time of some programs would be of another year.
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00.000000001Z', '0001-01-01T00:00:00.000000Z'],
    ['', ''],
  ])('%j is read as %j', (text, value) => {
    expect(read(readTime, text)).toBe(value);
  });

  it.each([
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:61Z',
    '2024-12-31T23:59:60.5Z',
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00+16:00',
    '2024-01-01',
    '0000-01-01T00:00:00Z',
    ' 2024-01-01T00:00:00Z',
    'never',
  ])('%j is none', (text) => {
    expect(read(readTime, text)).toEqual([`c: ${JSON.stringify(text)} is not a time like 2026-01-31T09:00:00Z`]);
  });

  it.each(['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:60Z', '0001-01-01T00:00:00+00:01'])('%j is outside of what there is', (text) => {
    expect(read(readTime, text)).toEqual([`c: ${JSON.stringify(text)} is not within the years 1 to 9999 (UTC)`]);
  });

  it('that are taken can be stored, and told in the years 1 to 9999', async () => {
    const two = (least: number, most: number) => fc.integer({ min: least, max: most }).map((one) => String(one).padStart(2, '0'));
    const year = fc.oneof(
      fc.constantFrom('0001', '9999', '0000', '0002', '9998'),
      fc.integer({ min: 1, max: 9999 }).map((one) => String(one).padStart(4, '0')),
    );
    const fraction = fc.oneof(
      fc.constant(''),
      fc.constantFrom('.9999999', '.999999', '.5'),
      fc.string({ unit: fc.constantFrom('0', '9'), minLength: 1, maxLength: 9 }).map((digits) => `.${digits}`),
    );
    const zone = fc.oneof(
      fc.constantFrom('Z', 'z'),
      fc.tuple(fc.constantFrom('+', '-'), two(0, 15), two(0, 59)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    );
    const edge = fc.constantFrom('-12-31T23:59:60', '-12-31T23:59:59', '-01-01T00:00:00', '-12-31 10:00:00');
    const any = fc
      .tuple(two(1, 12), two(1, 31), fc.constantFrom('T', ' ', 't'), two(0, 23), two(0, 59), two(0, 60))
      .map(([month, day, between, hour, minute, second]) => `-${month}-${day}${between}${hour}:${minute}:${second}`);
    const texts = fc.sample(
      fc.tuple(year, fc.oneof(edge, any), fraction, zone).map((parts) => parts.join('')),
      3000,
    );
    const taken = texts.flatMap((text) => {
      const value = read(readTime, text);
      return typeof value === 'string' ? [value] : [];
    });
    expect(taken.length).toBeGreaterThan(1000);
    const wrong = await test.admin(
      `SELECT t FROM unnest($1::text[]) AS t WHERE t::timestamptz < '0001-01-01T00:00:00Z' OR t::timestamptz >= '9999-12-31T23:59:59.999999Z'::timestamptz + interval '1 microsecond'`,
      [taken],
    );
    expect(wrong).toEqual([]);
  });
});

describe('texts', () => {
  it.each<[reader: 'key' | 'text', text: string, expected: string | string[]]>([
    ['key', ' a ', 'a'],
    ['key', '\ufeffBu\u0308ro\u00a0\n2\u200b', 'Büro 2'],
    ['key', ' \u200b', ['c: must not be empty']],
    ['key', '\u0958'.repeat(340), ['c: is longer than 1024 bytes']],
    ['key', '', ['c: must not be empty']],
    ['key', 'x'.repeat(1024), 'x'.repeat(1024)],
    ['key', 'x'.repeat(1025), ['c: is longer than 1024 bytes']],
    ['key', 'ü'.repeat(513), ['c: is longer than 1024 bytes']],
    ['text', ' a ', 'a'],
    ['text', '  ', ''],
    ['text', ` ${'x'.repeat(1024)} `, 'x'.repeat(1024)],
    ['text', '漢'.repeat(342), ['c: is longer than 1024 bytes']],
  ])('as a %s: %s', (reader, text, expected) => {
    expect(read(reader === 'key' ? readKey : readText, text)).toEqual(expected);
  });

  it.each<[text: string, expected: string | string[]]>([
    [' Ann@X.example ', 'Ann@X.example'],
    ['', ''],
    ['a', ['c: "a" is not a mail address']],
    ['a@b@c', ['c: "a@b@c" is not a mail address']],
    ['a b@c', ['c: "a b@c" is not a mail address']],
    [`${'a'.repeat(320)}@x`, [`c: "${'a'.repeat(60)}..." is not a mail address`]],
  ])('as an address: %j', (text, expected) => {
    expect(read(readEmail, text)).toEqual(expected);
  });

  it('as one of a few words, in any case; the first where there is nothing', () => {
    const word = (text: string) => read((one, column, complain) => readWord(one, ['USER', 'ROBOT'], column, complain), text);
    expect([word(''), word(' robot '), word('ROBOT'), word(' ')]).toEqual(['USER', 'ROBOT', 'ROBOT', 'USER']);
    expect(word('toString')).toEqual(['c: "toString" is none of USER, ROBOT']);
  });

  it('of columns nobody asked for become a profile, whatever they are named', () => {
    const others = ['__proto__', 'constructor', 'b', ''].map((name, at) => ({ name, at }));
    expect(readProfile(['1', '2', '', '4'], others)).toBe('{"__proto__":"1","constructor":"2","":"4"}');
    expect(readProfile(['', '', '', ''], others)).toBe('');
  });
});

describe('rows for COPY', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it('are read by the database as they were written, whatever the text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\\', '\t', '\n', '\r', 'N', '.', 'é', '😀', "'", '\u001f', '\b'), maxLength: 12 });
    const texts = fc.sample(text, { numRuns: 2000, seed: 3 });
    const rows = await test.database.system().transaction(async (db) => {
      await db.run('CREATE TEMP TABLE copied (no integer, text text) ON COMMIT DROP');
      const lines = texts.map((one, at) => `${at}\t${escapeCopy(one)}\n`);
      await pipeline(Readable.from([lines.join('')]), await db.copyFrom('COPY copied FROM STDIN'));
      return db.rows<{ text: string }>('SELECT text FROM copied ORDER BY no');
    });
    expect(rows.map((row) => row.text)).toEqual(texts);
  });
});
