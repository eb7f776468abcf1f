/** Lengths of time that lead out of the calendar. */
import { describe, expect, it } from 'vitest';
import { timeBefore } from './time-before.ts';

describe('the time before now', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  it.each([
    [0, '2026-03-01T12:00:00.000Z'],
    [86_400_000, '2026-02-28T12:00:00.000Z'],
    [-86_400_000, '2026-03-02T12:00:00.000Z'],
    [9_999_999_999 * 86_400_000, '0001-01-01T00:00:00.000Z'],
    [-315_576_000_000_000, '9999-12-31T23:59:59.000Z'],
    [Number.POSITIVE_INFINITY, '0001-01-01T00:00:00.000Z'],
  ])('by %d ms is %s', (milliseconds, wanted) => {
    expect(timeBefore(now, milliseconds).toISOString()).toBe(wanted);
  });
});
