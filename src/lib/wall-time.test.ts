/** Wall time: both ways, the hours that come twice and those that never come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asUtcMs, dayAt, isTimeZone, toMoment, wallTimeAt } from './wall-time.ts';

const at = (text: string) => wallTimeAt(new Date(`${text}Z`), 'UTC');

it('reads the clock of a zone', () => {
  expect(wallTimeAt(new Date('2026-06-01T12:00:00Z'), 'Asia/Kolkata')).toEqual({
    year: 2026,
    month: 6,
    day: 1,
    hour: 17,
    minute: 30,
    second: 0,
  });
  expect(wallTimeAt(new Date('2026-12-31T23:30:00Z'), 'Europe/Berlin')).toMatchObject({ year: 2027, month: 1, day: 1, hour: 0 });
});

it.each([
  ['2026-03-07T02:30:00', 'America/New_York', '2026-03-07T07:30:00.000Z'],
  // Left out by the change to summer time: the offset from before it.
  ['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-03-09T02:30:00', 'America/New_York', '2026-03-09T06:30:00.000Z'],
  ['2026-10-24T02:30:00', 'Europe/Berlin', '2026-10-24T00:30:00.000Z'],
  // Comes twice: the first.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-26T02:30:00', 'Europe/Berlin', '2026-10-26T01:30:00.000Z'],
  // A whole day that never came.
  ['2011-12-30T09:00:00', 'Pacific/Apia', '2011-12-30T19:00:00.000Z'],
  ['2026-06-01T09:00:00', 'UTC', '2026-06-01T09:00:00.000Z'],
])('%s in %s is %s', (wall, zone, moment) => {
  expect(toMoment(at(wall), zone).toISOString()).toBe(moment);
});

it('shows what it was asked for, wherever a clock shows it at all', () => {
  const zones = fc.constantFrom('UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca');
  const moments = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const wall = wallTimeAt(moment, zone);
      const found = toMoment(wall, zone);
      expect(wallTimeAt(found, zone)).toEqual(wall);
      expect(found.getTime()).toBeLessThanOrEqual(Math.floor(moment.getTime() / 1000) * 1000);
    }),
    { numRuns: 300 },
  );
  expect(asUtcMs(at('2026-06-01T09:00:00'))).toBe(Date.parse('2026-06-01T09:00:00Z'));
});

it('knows names of zones, and nothing else', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'].filter((zone) => !isTimeZone(zone))).toEqual([]);
  expect(['', '+02:00', 'Mars/Olympus', 'Europe/', 'x'.repeat(200), '../etc', 'UTC; DROP'].filter(isTimeZone)).toEqual([]);
});

describe('a day', () => {
  it.each([
    ['UTC', '2026-03-29T12:00:00Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'],
    ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['Europe/Berlin', '2026-07-01T22:30:00Z', '2026-07-01T22:00:00Z', '2026-07-02T22:00:00Z'],
    ['Pacific/Kiritimati', '2026-12-31T12:00:00Z', '2026-12-31T10:00:00Z', '2027-01-01T10:00:00Z'],
    ['America/New_York', '2026-02-28T23:00:00Z', '2026-02-28T05:00:00Z', '2026-03-01T05:00:00Z'],
  ])('in %s at %s is from its first moment to the first of the next', (zone, moment, from, to) => {
    expect(dayAt(new Date(moment), zone)).toEqual({ from: new Date(from), to: new Date(to) });
  });
});
