/** Times of scheduled reviews: worked examples, and properties against a model that knows nothing of ours. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { datesOf } from '../series/make-review.ts';
import { findNumberFrom, findNumberUpTo, findOccurrence, type Frequency, type Recurrence } from './recurrence.ts';

function rule(frequency: Frequency, startDate: string, more: Partial<Recurrence> = {}): Recurrence {
  return { frequency, interval: 1, startAt: new Date(startDate), endAt: undefined, occurrences: undefined, zone: 'UTC', ...more };
}

function first(recurrence: Recurrence, count: number): string[] {
  return Array.from({ length: count }).flatMap(
    (_, number) => findOccurrence(recurrence, number)?.toISOString().replace(':00.000Z', 'Z') ?? [],
  );
}

describe('occurrences', () => {
  it('are on the last day of a month that does not have the day', () => {
    expect(first(rule('MONTHLY', '2026-01-31T08:00:00Z', { occurrences: 4 }), 9)).toEqual([
      '2026-01-31T08:00Z',
      '2026-02-28T08:00Z',
      '2026-03-31T08:00Z',
      '2026-04-30T08:00Z',
    ]);
    const leap = first(rule('YEARLY', '2024-02-29T08:00:00Z'), 5);
    expect([leap[1], leap[4]]).toEqual(['2025-02-28T08:00Z', '2028-02-29T08:00Z']);
    expect(first(rule('MONTHLY', '2025-11-30T08:00:00Z', { interval: 3 }), 3)).toEqual([
      '2025-11-30T08:00Z',
      '2026-02-28T08:00Z',
      '2026-05-30T08:00Z',
    ]);
  });

  it('keep their time of day when clocks change', () => {
    expect(first(rule('DAILY', '2026-03-07T07:30:00Z', { zone: 'America/New_York' }), 3)).toEqual([
      '2026-03-07T07:30Z',
      // 02:30 does not exist on this day: the offset from before.
      '2026-03-08T07:30Z',
      '2026-03-09T06:30Z',
    ]);
    expect(first(rule('DAILY', '2026-10-24T00:30:00Z', { zone: 'Europe/Berlin' }), 3)).toEqual([
      '2026-10-24T00:30Z',
      // 02:30 comes twice on this day: the first.
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
  });

  it('are of the day there, not of the day in UTC', () => {
    // 23:00 on the last of January in Los Angeles.
    expect(first(rule('MONTHLY', '2026-02-01T07:00:00Z', { zone: 'America/Los_Angeles' }), 3)).toEqual([
      '2026-02-01T07:00Z',
      '2026-03-01T07:00Z',
      '2026-04-01T06:00Z',
    ]);
  });

  it('end with their number or with the last moment, which counts', () => {
    expect(first(rule('NONE', '2026-01-31T08:00:00Z'), 3)).toEqual(['2026-01-31T08:00Z']);
    expect(first(rule('WEEKLY', '2026-01-01T08:00:00Z', { interval: 2, endAt: new Date('2026-01-29T08:00:00Z') }), 9)).toHaveLength(3);
    expect(first(rule('WEEKLY', '2026-01-01T08:00:00Z', { interval: 2, endAt: new Date('2026-01-29T07:59:59.999Z') }), 9)).toHaveLength(2);
    expect(findOccurrence(rule('YEARLY', '2026-01-01T08:00:00Z', { interval: 1000 }), 8)).toBeUndefined();
    expect(findOccurrence(rule('YEARLY', '2026-01-01T08:00:00Z', { interval: 1000 }), 1_000_000_000)).toBeUndefined();
    expect(findOccurrence(rule('DAILY', '2026-01-01T08:00:00Z'), -1)).toBeUndefined();
  });

  it('are found from a moment on and up to one', () => {
    const monthly = rule('MONTHLY', '2026-01-01T00:00:00Z');
    // Down from February 20 to May 10: March and April were missed, May is the latest, June comes next.
    expect(findNumberFrom(monthly, new Date('2026-02-20T00:00:00Z'))).toBe(2);
    expect(findNumberUpTo(monthly, new Date('2026-05-10T00:00:00Z'))).toBe(4);
    expect(findOccurrence(monthly, 5)?.toISOString()).toBe('2026-06-01T00:00:00.000Z');
    expect(findNumberUpTo(monthly, new Date('2025-12-31T23:59:59.999Z'))).toBeUndefined();
    expect(findNumberFrom(rule('NONE', '2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00.001Z'))).toBeUndefined();
  });

  it('give a review its start two days later and its due date', () => {
    const document = { autoStartCampaign: true, accessReviewDuration: '1209600s' };
    const at = new Date('2026-06-01T08:00:00Z');
    expect(datesOf(document, at)).toEqual({ startAt: new Date('2026-06-03T08:00:00Z'), dueAt: new Date('2026-06-17T08:00:00Z') });
    expect(datesOf({ ...document, autoStartCampaign: false }, at)).toEqual({ startAt: undefined, dueAt: new Date('2026-06-15T08:00:00Z') });
    expect(datesOf({ autoStartCampaign: false, accessReviewDuration: '0s' }, at)).toEqual({ startAt: undefined, dueAt: undefined });
  });
});

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'];

/** Time on clocks in a zone, to the minute, as text: by another way of asking than that of the code. */
function clock(at: Date, zone: string): string {
  return at.toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
}

/** The days of a month, counted one by one. */
function daysIn(year: number, month: number): number {
  return [31, (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** The date of an occurrence, counted from the first day by day or month by month. */
function dateByCounting(start: string, frequency: Frequency, steps: number): string {
  let [year = 0, month = 0, day = 0] = start.split('-').map(Number);
  const wanted = day;
  if (frequency === 'DAILY' || frequency === 'WEEKLY') {
    for (let left = steps * (frequency === 'WEEKLY' ? 7 : 1); left > 0; left--) {
      day += 1;
      if (day > daysIn(year, month)) {
        day = 1;
        month += 1;
      }
      if (month > 12) {
        month = 1;
        year += 1;
      }
    }
  } else {
    for (let left = steps * (frequency === 'YEARLY' ? 12 : 1); left > 0; left--) {
      month += 1;
      if (month > 12) {
        month = 1;
        year += 1;
      }
    }
    day = Math.min(wanted, daysIn(year, month));
  }
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const anyRule = fc.record({
  frequency: fc.constantFrom<Frequency>('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  interval: fc.integer({ min: 1, max: 5 }),
  startAt: fc
    .integer({ min: Date.UTC(2000, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 })
    .map((minutes) => new Date(minutes * 60_000)),
  endAt: fc.constant(undefined),
  occurrences: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  zone: fc.constantFrom(...zones),
});

describe('any schedule', () => {
  it('has each occurrence on the counted date at the time of the first, but where clocks have no such time', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 40 }), (recurrence, number) => {
        const at = findOccurrence(recurrence, number);
        if (recurrence.occurrences !== undefined && number >= recurrence.occurrences) {
          expect(at).toBeUndefined();
          return;
        }
        const [startDate = '', startTime = ''] = clock(recurrence.startAt, recurrence.zone).split(' ');
        const wanted = `${dateByCounting(startDate, recurrence.frequency, number * recurrence.interval)} ${startTime}`;
        const shown = at === undefined ? '' : clock(at, recurrence.zone);
        if (shown !== wanted) {
          // Clocks were put forward over it: an hour earlier they showed less than wanted, and now they show more.
          expect(shown > wanted).toBe(true);
          expect(clock(new Date((at?.getTime() ?? 0) - 25 * 3_600_000), recurrence.zone) < wanted).toBe(true);
          return;
        }
        // The first of two: no clock showed the same in the three hours before.
        for (let minutes = 15; minutes <= 180; minutes += 15) {
          expect(clock(new Date((at?.getTime() ?? 0) - minutes * 60_000), recurrence.zone)).not.toBe(wanted);
        }
      }),
      { numRuns: tries(150, 3_000) },
    );
  });

  it('is in order, and is found as by going through it one by one', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: -1_000, max: 40_000 }), (recurrence, days) => {
        const bounded = { ...recurrence, occurrences: recurrence.occurrences ?? 30 };
        const all = Array.from({ length: bounded.occurrences }, (_, number) => findOccurrence(bounded, number) as Date);
        expect(all.every((at, index) => index === 0 || at >= (all[index - 1] as Date))).toBe(true);
        for (const moment of [new Date(bounded.startAt.getTime() + days * 3_600_000), ...all.slice(0, 3)]) {
          const from = all.findIndex((at) => at >= moment);
          expect(findNumberFrom(bounded, moment)).toBe(from === -1 ? undefined : from);
          const upTo = all.findLastIndex((at) => at <= moment);
          expect(findNumberUpTo(bounded, moment)).toBe(upTo === -1 ? undefined : upTo);
        }
      }),
      { numRuns: tries(60, 1_000) },
    );
  });
});
