/** Every pair of states of a fetch, and the pauses before retries. */
import { describe, expect, it } from 'vitest';
import { type FetchState, fetchStates, findRetryPause, isFinal, statesBefore } from './states.ts';

/** The table of the design: what may follow each state. */
const design: Readonly<Record<FetchState, string>> = {
  WAITING: 'RUNNING SKIPPED',
  RUNNING: 'READING UNCHANGED FAILED WAITING',
  READING: 'DONE HELD FAILED WAITING',
  UNCHANGED: '',
  DONE: '',
  HELD: 'DONE DISCARDED SUPERSEDED',
  DISCARDED: '',
  SUPERSEDED: '',
  FAILED: '',
  SKIPPED: '',
};

describe('states of a fetch', () => {
  const pairs = fetchStates.flatMap((before) => fetchStates.map((after) => ({ before, after })));
  it.each(pairs)('$before to $after', ({ before, after }) => {
    expect(statesBefore(after).includes(before)).toBe(design[before].split(' ').includes(after));
  });

  it('are final where nothing follows', () => {
    expect(fetchStates.filter(isFinal)).toEqual(['UNCHANGED', 'DONE', 'DISCARDED', 'SUPERSEDED', 'FAILED', 'SKIPPED']);
  });
});

describe('the pause before a retry', () => {
  const again = { retry: 'again', retryAfterSeconds: 0 } as const;
  it.each([
    [1, 60_000],
    [2, 300_000],
    [3, 1_500_000],
    [4, 7_200_000],
    [5, undefined],
  ])('after %i failures is at most %s ms', (failures, longest) => {
    expect(findRetryPause(again, failures, () => 1)).toBe(longest);
    expect(findRetryPause(again, failures, () => 0)).toBe(longest === undefined ? undefined : 0);
  });

  it('is as long as the other system asks, up to a day', () => {
    expect(findRetryPause({ ...again, retryAfterSeconds: 90 }, 1, () => 1)).toBe(90_000);
    expect(findRetryPause({ ...again, retryAfterSeconds: 1_000_000 }, 1, () => 1)).toBe(86_400_000);
  });

  it('is none where another try meets the same, and one where a file was half there', () => {
    expect(findRetryPause({ ...again, retry: 'never' }, 1, () => 1)).toBeUndefined();
    expect(findRetryPause({ ...again, retry: 'once' }, 1, () => 1)).toBe(60_000);
    expect(findRetryPause({ ...again, retry: 'once' }, 2, () => 1)).toBeUndefined();
  });
});
