/** Times and durations as the wire writes them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDate, isDuration, normalizeTimestamp, timestamp } from './timestamps.ts';

describe('times', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s is %s', (text, normal) => {
    expect(normalizeTimestamp(text)).toBe(normal);
  });

  it.each([
    '',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+0100',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:30:00-01:00',
    '+12026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
  ])('%j is none', (text) => {
    expect(normalizeTimestamp(text)).toBeUndefined();
  });

  it('are written with the digits they need', () => {
    expect(timestamp(new Date('2026-01-31T12:00:00.000Z'))).toBe('2026-01-31T12:00:00Z');
    expect(timestamp(new Date('2026-01-31T12:00:00.120Z'))).toBe('2026-01-31T12:00:00.120Z');
    expect(timestamp(null)).toBeUndefined();
    expect(parseDate('2026-01-31T12:00:00.120456Z')?.getTime()).toBe(Date.UTC(2026, 0, 31, 12, 0, 0, 120));
    expect(parseDate(undefined)).toBeUndefined();
  });
});

describe('durations', () => {
  it.each(['0s', '3600s', '-1s', '1.5s', '0.000000001s', '315576000000s'])('%s is one', (text) => {
    expect(isDuration(text)).toBe(true);
  });

  it.each(['', 's', '1', '1m', '1.s', '.5s', '1.0000000001s', '315576000001s', ' 1s', '1e3s'])('%j is none', (text) => {
    expect(isDuration(text)).toBe(false);
  });
});

describe('a time in a reply', () => {
  it('is the ISO text of its moment without empty milliseconds, also where days alternate', () => {
    const moments = fc.array(fc.date({ noInvalidDate: true }), { maxLength: 5 });
    fc.assert(
      fc.property(moments, (dates) => {
        for (const date of dates) {
          expect(timestamp(date)).toBe(date.toISOString().replace('.000Z', 'Z'));
        }
      }),
    );
    expect(timestamp(null)).toBeUndefined();
    expect(() => timestamp(new Date(Number.NaN))).toThrow(RangeError);
  });
});
