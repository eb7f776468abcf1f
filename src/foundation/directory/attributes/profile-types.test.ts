/** Types of attributes: what fits them, and that the schema says the same of every text. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { profileTypes, readTyped } from './profile-types.ts';

describe('types of profile attributes', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it.each([
    ['NUMBER', '42', 42],
    ['NUMBER', ' -1.50 ', -1.5],
    ['NUMBER', '1e3', undefined],
    ['NUMBER', '1234567890123456', undefined],
    ['NUMBER', '0x10', undefined],
    ['NUMBER', '.5', undefined],
    ['NUMBER', '', null],
    ['BOOLEAN', 'Yes', true],
    ['BOOLEAN', 'false', false],
    ['BOOLEAN', '1', undefined],
    ['BOOLEAN', 'constructor', undefined],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['DATE', '2023-02-29', undefined],
    ['DATE', '2023-13-01', undefined],
    ['DATE', '0000-01-01', undefined],
    ['DATE', '2023-01-01T00:00:00Z', undefined],
    ['TEXT', ' as it is ', ' as it is '],
    ['TEXT', '', ''],
  ] as const)('%s reads %j as %j', (type, text, value) => {
    expect(readTyped(type, text)).toBe(value);
  });

  it('are the same in the schema, whatever the text', async () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.-+ e'), maxLength: 20 });
    const dates = fc.tuple(fc.nat(2100), fc.nat(14), fc.nat(33)).map(([y, m, d]) => {
      const two = (number: number) => String(number).padStart(2, '0');
      return `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`;
    });
    const words = fc.constantFrom('true', 'TRUE', 'yes', 'No', 'false', 't', 'on', '', '  ');
    const any = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0'));
    const texts = fc.sample(fc.oneof(digits, dates, words, any), { numRuns: 2000, seed: 7 }).filter((text) => text.isWellFormed());
    for (const type of profileTypes) {
      const rows = await test.database.system().rows<{ text: string; value: unknown; fits: boolean }>(
        `SELECT t AS text, profile_value(to_jsonb(t), $2) AS value, profile_value(to_jsonb(t), $2) IS NOT NULL AS fits
           FROM unnest($1::text[]) WITH ORDINALITY AS u (t, n) ORDER BY n`,
        [texts, type],
      );
      expect(rows.map(({ text, fits, value }) => [text, fits ? value : undefined])).toEqual(
        texts.map((text) => {
          const value = readTyped(type, text);
          return [text, Object.is(value, -0) ? 0 : value];
        }),
      );
    }
  });
});
