/** Schedules: five fields in a zone, across the hours that come twice or never, and how many moments were missed. */
import { describe, expect, it } from 'vitest';
import { checkSchedule, countMoments, findNext, usualSpec } from './schedule.ts';
import type { AgingSource } from '../sources/index.ts';
import { findStaleAfter } from './freshness.ts';

const next = (spec: string, zone: string, from: string, count: number): string[] => {
  const found: string[] = [];
  for (let at: Date | undefined = new Date(from); at !== undefined && found.length < count; ) {
    at = findNext({ spec, zone }, at);
    found.push(at?.toISOString().slice(0, 16) ?? '');
  }
  return found;
};

describe('a schedule', () => {
  it('comes at the end of the hour that never is, and once in the one that is twice', () => {
    const zone = 'America/New_York';
    expect(next('30 2 * * *', zone, '2026-03-07T00:00:00Z', 3)).toEqual(['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30']);
    expect(next('30 1 * * *', zone, '2026-10-31T12:00:00Z', 2)).toEqual(['2026-11-01T05:30', '2026-11-02T06:30']);
  });

  it.each([
    ['0 30 2 * * *', 'five fields'],
    ['30 2 * *', 'five fields'],
    ['@daily', 'five fields'],
    ['0 0 31 2 *', 'no day'],
    ['*/10 * * * *', '15 minutes'],
    ['0,50 * * * *', '15 minutes'],
    ['0,10 0 1 1 *', '15 minutes'],
    ['a b c d e', 'no schedule'],
    ['61 * * * *', 'no schedule'],
    ['* '.repeat(60), 'five fields'],
  ])('%s is refused', (spec, why) => {
    expect(checkSchedule({ spec, zone: 'UTC' })).toMatchObject([{ field: 'cron.cronSpec', description: expect.stringContaining(why) }]);
  });

  it.each(['*/15 * * * *', '30 2 * * *', '0 0 29 2 *', '0 6 * * 1-5', '5 4 * * sun'])('%s is taken', (spec) => {
    expect(checkSchedule({ spec, zone: 'Europe/Berlin' })).toEqual([]);
  });

  it('is in a zone that exists', () => {
    expect(checkSchedule({ spec: '0 0 * * *', zone: 'Mars/Base' })).toMatchObject([{ field: 'cron.timezone' }]);
  });

  it('counts 18 moments in three days of one every four hours', () => {
    const schedule = { spec: '0 */4 * * *', zone: 'UTC' };
    expect(countMoments(schedule, new Date('2026-05-01T04:00:00Z'), new Date('2026-05-04T03:59:00Z'))).toBe(18);
  });

  it('is by the kind where nobody said one, at a minute that follows from the id', () => {
    const id = 'abcdefghijklmnopqrstuvwxyz0';
    expect(usualSpec('SQL', id)).toMatch(/^\d+ 5 \* \* \*$/);
    expect(usualSpec('LDAP', id)).toMatch(/^\d+ \*\/4 \* \* \*$/);
    expect(checkSchedule({ spec: usualSpec('FOLDER', id), zone: 'UTC' })).toEqual([]);
    expect(usualSpec('SQL', id)).not.toBe(usualSpec('SQL', `${id.slice(1)}x`));
  });
});

describe('the age of data', () => {
  const age = (kind: AgingSource['kind'], schedule = '', staleAfter: number | null = null): number =>
    findStaleAfter({ id: 'a', kind, schedule, zone: '', staleAfter }, new Date('2026-05-01T00:00:00Z')) / 3600;
  it.each([
    ['FILE', '', null, 168],
    ['SCIM', '', null, 48],
    ['FOLDER', '', null, 24],
    ['BATON', '', null, 24],
    ['SQL', '', null, 72],
    ['LDAP', '0 */12 * * *', null, 36],
    ['LDAP', '0 0 * * 1', null, 504],
    ['FILE', '', 7200, 2],
    ['SQL', '0 0 * * 1', 3600, 1],
  ] as const)('of %s by %j, set to %j, may be %d hours', (kind, schedule, staleAfter, hours) => {
    expect(age(kind, schedule, staleAfter)).toBe(hours);
  });
});
