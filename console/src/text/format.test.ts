/** Times, dates and numbers in words: by the reader's language and zone, not by those of the machine, and at the edges of days. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock, date, daysUntil, exactTime, number, percent, relative, setTimeZone, timeZone, weekday } from './format.ts';
import { loadLanguage } from './text.ts';

const now = new Date('2026-11-24T10:06:42Z');

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  vi.useFakeTimers({ now, toFake: ['Date'] });
  setTimeZone('Europe/Berlin');
  await loadLanguage(['en-GB']);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setTimeZone(undefined);
});

describe('a date', () => {
  it('is that of the zone shown, not of Greenwich', () => {
    expect(date('2026-07-14T22:30:00Z')).toBe('15 Jul 2026');
    setTimeZone('America/New_York');
    expect(date('2026-07-14T22:30:00Z')).toBe('14 Jul 2026');
    expect(timeZone()).toBe('America/New_York');
  });

  it('leaves the year out where it is this one and short is asked', () => {
    expect(date('2026-07-14T12:00:00Z', true)).toBe('14 Jul');
    expect(date('2025-07-14T12:00:00Z', true)).toBe('14 Jul 2025');
    // Half past midnight of the next year, in the zone that is shown.
    expect(date('2026-12-31T23:30:00Z', true)).toBe('1 Jan 2027');
  });

  it('has its day of the week, and the year where it is another', () => {
    expect(weekday('2026-12-04T12:00:00Z')).toMatch(/^Fri,? 4 Dec$/);
    expect(weekday('2027-01-15T12:00:00Z')).toContain('2027');
  });
});

describe('a time', () => {
  it('is of the zone shown, with summer time', () => {
    expect(clock('2026-11-24T10:06:42Z')).toBe('11:06');
    expect(clock('2026-07-14T10:06:42Z')).toBe('12:06');
  });

  it('is exact to the second and names its zone', () => {
    expect(exactTime('2026-11-24T10:06:42Z')).toBe('24 November 2026 at 11:06:42 CET');
    expect(exactTime('2026-07-14T10:06:42Z')).toContain('CEST');
  });
});

describe('how long ago', () => {
  it.each([
    ['2026-11-24T10:06:10Z', 'now'],
    ['2026-11-24T10:04:42Z', '2 minutes ago'],
    ['2026-11-24T10:36:42Z', 'in 30 minutes'],
    ['2026-11-24T07:06:42Z', '3 hours ago'],
    ['2026-11-24T20:06:42Z', 'in 10 hours'],
    ['2026-11-23T20:00:00Z', 'yesterday'],
    ['2026-11-25T20:00:00Z', 'tomorrow'],
    ['2026-11-21T10:00:00Z', '3 days ago'],
    ['2026-11-30T10:00:00Z', 'in 6 days'],
    ['2026-11-17T10:00:00Z', '7 days ago'],
    ['2026-11-16T10:00:00Z', '16 Nov'],
    ['2025-11-16T10:00:00Z', '16 Nov 2025'],
  ])('%s is %s', (at, said) => {
    expect(relative(at)).toBe(said);
  });

  it('may be said relatively for longer', () => {
    expect(relative('2026-07-14T10:00:00Z', 365)).toBe('133 days ago');
  });

  it('counts days by the calendar of the zone: an hour past midnight is yesterday', () => {
    expect(relative('2026-11-23T22:30:00Z', 7, new Date('2026-11-24T01:00:00Z'))).toBe('yesterday');
    setTimeZone('UTC');
    expect(daysUntil('2026-11-23T23:59:00Z', new Date('2026-11-24T00:01:00Z'))).toBe(-1);
    expect(daysUntil('2026-11-24T23:59:00Z', new Date('2026-11-24T00:01:00Z'))).toBe(0);
  });

  it('counts a day in which the clocks change as one', () => {
    expect(daysUntil('2026-10-26T11:00:00Z', new Date('2026-10-24T10:00:00Z'))).toBe(2);
  });
});

describe('a number', () => {
  it('has the signs of the language', async () => {
    expect(number(12345)).toBe('12,345');
    expect(percent(183, 412)).toBe('44%');
    expect(percent(0, 0)).toBe('0%');
    // All of them is all, and something is not nothing.
    expect([percent(1599, 1600), percent(1600, 1600), percent(1, 1600), percent(0.29, 1)]).toEqual(['99%', '100%', '<1%', '29%']);
    expect([percent(1599, 1600, 1), percent(1, 1600, 1)]).toEqual(['99.9%', '<0.1%']);
    await loadLanguage(['de-DE']);
    expect(number(12345)).toBe('12.345');
    expect([percent(1599, 1600), percent(1, 1600)]).toEqual(['99\u00a0%', '<1\u00a0%']);
    expect(relative('2026-11-21T10:00:00Z')).toBe('vor 3 Tagen');
  });
});

describe('a language', () => {
  it('is the first wanted that there is, else English', async () => {
    await loadLanguage(['fr', 'de-AT', 'en']);
    expect(document.documentElement.lang).toBe('de');
    await loadLanguage(['fr']);
    expect(document.documentElement.lang).toBe('en');
  });
});
