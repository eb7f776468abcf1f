/** Durations between the API and a form. */
import { describe, expect, it } from 'vitest';
import { durationOf, shownIn } from './durations.ts';

describe('durations', () => {
  it.each([
    ['1800s', 60, '30'],
    ['43200s', 3600, '12'],
    ['5400s', 3600, '1.5'],
  ])('%s in units of %d seconds is %s, and back', (duration, unit, shown) => {
    expect(shownIn(duration, unit)).toBe(shown);
    expect(durationOf(shown, unit)).toBe(duration);
  });

  it('are absent where nothing is set', () => {
    expect(shownIn(undefined, 60)).toBe('');
    expect(durationOf(' ', 60)).toBeUndefined();
  });
});
