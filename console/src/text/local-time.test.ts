/** Days and moments of date fields: in the zone that is shown, also where its clocks leap, and whole ones alone. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setTimeZone } from './format.ts';
import { dayEnd, dayStart, fromLocal, toDay, toLocal } from './local-time.ts';
import { addDays, isWhole } from './whole-date.ts';

beforeEach(() => setTimeZone('Europe/Berlin'));
afterEach(() => setTimeZone(undefined));

describe('a field of a date', () => {
  it.each(['0002-07-01', '0202-07-01', '20266-07-01', '2026-07', '2026-13-01', '2026-02-31', ''])('is not whole with "%s"', (value) => {
    expect(isWhole(value)).toBe(false);
    expect(isWhole(`${value}T10:00`, 'datetime-local')).toBe(false);
    expect(fromLocal(`${value}T10:00`)).toBeUndefined();
  });

  it('is whole with a day, and with a time where it asks for one', () => {
    expect(isWhole('2026-07-01')).toBe(true);
    expect(isWhole('2026-07-01', 'datetime-local')).toBe(false);
    expect(isWhole('2026-07-01T18:00', 'datetime-local')).toBe(true);
    expect([isWhole('18:00', 'time'), isWhole('18:', 'time'), isWhole('25:00', 'time')]).toEqual([true, false, false]);
  });
});

describe('a moment', () => {
  it('is shown and read in the zone of the reader, not of the browser', () => {
    for (const [zone, local] of [
      ['Europe/Berlin', '2027-01-31T23:30'],
      ['America/New_York', '2027-01-31T17:30'],
      ['Pacific/Auckland', '2027-02-01T11:30'],
      ['Asia/Kathmandu', '2027-02-01T04:15'],
    ] as const) {
      setTimeZone(zone);
      expect(toLocal('2027-01-31T22:30:00Z')).toBe(local);
      expect(toDay('2027-01-31T22:30:00Z')).toBe(local.slice(0, 10));
      expect(fromLocal(local)).toBe('2027-01-31T22:30:00.000Z');
    }
  });

  it('is empty for none, and for what is none', () => {
    expect([toLocal(undefined), toLocal(''), toLocal('soon'), toDay(undefined)]).toEqual(['', '', '', '']);
  });

  it('is read where clocks leap, forth and back', () => {
    expect(fromLocal('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
    expect(fromLocal('2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(fromLocal('2026-10-25T03:00')).toBe('2026-10-25T02:00:00.000Z');
  });
});

describe('a day', () => {
  it('begins and ends where the reader is', () => {
    expect([dayStart('2027-01-31'), dayEnd('2027-01-31')]).toEqual(['2027-01-30T23:00:00.000Z', '2027-01-31T22:59:59.000Z']);
    expect(dayStart('2027-01-31', '09:00:00')).toBe('2027-01-31T08:00:00.000Z');
    setTimeZone('America/New_York');
    expect([dayStart('2027-01-31'), dayEnd('2027-01-31')]).toEqual(['2027-01-31T05:00:00.000Z', '2027-02-01T04:59:59.000Z']);
    setTimeZone('Pacific/Auckland');
    expect(dayEnd('2027-01-31')).toBe('2027-01-31T10:59:59.000Z');
  });

  it('has 23 or 25 hours where clocks leap', () => {
    expect([dayStart('2026-03-29'), dayEnd('2026-03-29')]).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z']);
    expect([dayStart('2026-10-25'), dayEnd('2026-10-25')]).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z']);
  });

  it('begins an hour later where clocks leap over midnight', () => {
    setTimeZone('America/Santiago');
    expect([dayEnd('2026-09-05'), dayStart('2026-09-06')]).toEqual(['2026-09-06T03:59:59.000Z', '2026-09-06T04:00:00.000Z']);
  });

  it('is one also where years have four digits for the last time', () => {
    setTimeZone('America/New_York');
    expect(dayEnd('9999-12-31')).toBe('+010000-01-01T04:59:59.000Z');
  });

  it.each(['Europe/Berlin', 'America/Santiago', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu', 'UTC'])(
    'comes back as itself in %s',
    (zone) => {
      setTimeZone(zone);
      for (let day = '2026-03-20'; day < '2026-04-12'; day = addDays(day, 1)) {
        expect([toDay(dayStart(day)), toDay(dayEnd(day))]).toEqual([day, day]);
      }
    },
  );

  it('is counted on over the ends of months and years', () => {
    expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
  });
});
