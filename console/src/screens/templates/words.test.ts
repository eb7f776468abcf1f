/** Schedules in words, and durations in days. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { durationDays, type Frequency, scheduleWords } from './words.ts';

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

const on = (frequency: Frequency, interval?: number) =>
  scheduleWords({ isCampaignScheduleEnabled: true, recurrenceRule: { frequency, ...(interval === undefined ? {} : { interval }) } });

describe('a schedule', () => {
  it.each([
    ['FREQUENCY_DAILY', undefined, 'Every day'],
    ['FREQUENCY_DAILY', 10, 'Every 10 days'],
    ['FREQUENCY_WEEKLY', 1, 'Every week'],
    ['FREQUENCY_WEEKLY', 2, 'Every 2 weeks'],
    ['FREQUENCY_MONTHLY', 0, 'Every month'],
    ['FREQUENCY_MONTHLY', 3, 'Every 3 months'],
    ['FREQUENCY_YEARLY', 1, 'Every year'],
    ['FREQUENCY_YEARLY', 5, 'Every 5 years'],
    ['FREQUENCY_NONE', undefined, 'Once'],
    ['FREQUENCY_UNSPECIFIED', undefined, 'Once'],
  ] as const)('%s with interval %s is %s', (frequency, interval, words) => {
    expect(on(frequency, interval)).toBe(words);
  });

  it('that is off is none, whatever its rule', () => {
    expect(scheduleWords({ isCampaignScheduleEnabled: false, recurrenceRule: { frequency: 'FREQUENCY_DAILY' } })).toBe('No schedule');
    expect(scheduleWords({})).toBe('No schedule');
  });
});

describe('a duration', () => {
  it.each([
    ['1209600s', 14],
    ['86400s', 1],
    ['0s', 0],
    [undefined, 0],
  ] as const)('of %s is %d days', (duration, days) => {
    expect(durationDays(duration)).toBe(days);
  });
});
