/** The days that "certify until" offers: those of the zone that is shown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setTimeZone } from '~/text/format.ts';
import { limitDates, offerDates } from './until-dates.ts';

beforeEach(() => setTimeZone('Europe/Berlin'));
afterEach(() => setTimeZone(undefined));

describe('the offered days', () => {
  it('are in one month, in three and at the end of the year, the nearest first', () => {
    expect(offerDates(new Date('2026-11-24T10:00:00Z'))).toEqual([
      { day: '2026-12-24', name: 'month' },
      { day: '2026-12-31', name: 'year' },
      { day: '2027-02-24', name: 'quarter' },
    ]);
    // Of a month without the day it is the last.
    expect(offerDates(new Date('2027-01-31T10:00:00Z'))[0]).toEqual({ day: '2027-02-28', name: 'month' });
    // This year is nearly over.
    expect(offerDates(new Date('2026-12-20T10:00:00Z')).at(-1)).toEqual({ day: '2027-12-31', name: 'year' });
  });

  it('count from today where the reader is', () => {
    const late = new Date('2027-01-30T23:30:00Z');
    expect([offerDates(late)[0]?.day, limitDates(late)]).toEqual(['2027-02-28', { first: '2027-02-02', last: '2028-03-05' }]);
    setTimeZone('America/New_York');
    expect([offerDates(late)[0]?.day, limitDates(late)]).toEqual(['2027-02-28', { first: '2027-02-01', last: '2028-03-04' }]);
  });
});
