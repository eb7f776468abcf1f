/** Names of time zones: read exactly or refused, in every form of a time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainTime, readOtherTime } from './times.ts';

const offsets: readonly (readonly [names: string, offset: string])[] = [
  ['UTC GMT Z z', 'Z'],
  ['CET MEZ cet West', '+01:00'],
  ['CEST MESZ EET', '+02:00'],
  ['EEST', '+03:00'],
  ['WET', '+00:00'],
  ['EST CDT', '-05:00'],
  ['EDT', '-04:00'],
  ['CST MDT', '-06:00'],
  ['MST PDT', '-07:00'],
  ['PST', '-08:00'],
];
const forms: readonly ((zone: string) => string)[] = [
  (zone) => `2024-01-31 10:00 ${zone}`,
  (zone) => `2024-01-31T10:00:00${zone}`,
  (zone) => `31.01.2024 10:00 Uhr ${zone}`,
  (zone) => `1/31/2024 10:00:00 AM ${zone}`,
  (zone) => `Wed, 31 Jan 2024 10:00:00 ${zone}`,
  (zone) => `January 31, 2024 at 10:00 AM (${zone})`,
  (zone) => `Wed Jan 31 10:00:00 ${zone} 2024`,
];

describe('a time with the name of its zone', () => {
  it.each(offsets)('is read exactly: %s', (names, offset) => {
    const read = names.split(' ').flatMap((name) => forms.map((form) => readOtherTime(form(name), undefined)?.text));
    expect(new Set(read.map((text) => text?.replace('T10:00Z', 'T10:00:00Z')))).toEqual(new Set([`2024-01-31T10:00:00${offset}`]));
  });

  it('is refused for any other word, and never read as if there were none', () => {
    const known = new Set(['am', 'pm', 'uhr', 'a', 'p']);
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,8}$/), fc.constantFrom(...forms), (word, form) => {
        const read = readOtherTime(form(word), undefined);
        const plain = readOtherTime(form(''), undefined);
        if (read !== undefined && !known.has(word.toLowerCase())) {
          expect([
            word,
            offsets.some(([names]) => names.toLowerCase().split(' ').includes(word.toLowerCase())) || read.text !== plain?.text,
          ]).toEqual([word, true]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['BST', 'IST', 'ET', 'Europe/Berlin', 'Eastern Standard Time', 'XYZ'])('says what to do: %s', (zone) => {
    for (const form of forms.slice(0, 4)) {
      expect(readOtherTime(form(zone), undefined)).toBeUndefined();
      expect(explainTime(form(zone))).toContain(`${JSON.stringify(zone)} is `);
      expect(explainTime(form(zone))).toContain('write the offset, such as +01:00');
    }
  });

  it('may have the region in brackets behind the offset, and not alone', () => {
    expect(readOtherTime('2024-01-31T10:00:00+01:00[Europe/Berlin]', undefined)?.text).toBe('2024-01-31T10:00:00+01:00');
    expect(readOtherTime('2024-01-31T10:00:00[Europe/Berlin]', undefined)).toBeUndefined();
    expect(readOtherTime('20240131100000.0+0100', undefined)?.text).toBe('2024-01-31T10:00:00+01:00');
  });
});

describe('a number of days', () => {
  it.each([
    ['45322', '2024-01-31'],
    ['45322.5', '2024-01-31'],
    ['45322,5', '2024-01-31'],
    ['20500', '1956-02-15, or 2026-02-16 if it counts from 1970'],
  ])('%s is refused with its reason', (text, day) => {
    expect(readOtherTime(text, undefined)).toBeUndefined();
    expect(explainTime(text)).toBe(
      `"${text}" is a number of days, as Excel keeps dates (here probably ${day}): format the column as a date, such as yyyy-mm-dd, and save the file again`,
    );
  });

  it('is told from seconds, milliseconds and days of the calendar', () => {
    expect(['1706695200', '1706695200000', '20240131'].map((text) => readOtherTime(text, undefined)?.text.slice(0, 10))).toEqual(
      Array(3).fill('2024-01-31'),
    );
    expect(explainTime('soon')).toBe('"soon" is not a time like 2026-01-31T09:00:00Z, nor written in another known way');
  });
});
