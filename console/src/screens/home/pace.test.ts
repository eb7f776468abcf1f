/** Time waiting work takes, in words. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { sayPace } from './pace.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await loadLanguage(['en']);
});
afterAll(() => void vi.unstubAllGlobals());

it.each([
  [0, 30, ''],
  [50, 0, ''],
  [50, Number.NaN, ''],
  [1, 0.4, 'At your usual pace, this takes about 1 minute.'],
  [50, 30, 'At your usual pace, all of them take about 25 minutes.'],
  [50, 30.1, 'At your usual pace, all of them take about 26 minutes.'],
  [165, 32, 'At your usual pace, all of them take about 88 minutes.'],
  [900, 10, 'At your usual pace, all of them take about 3 hours.'],
])('%s decisions of %s seconds', (waiting, seconds, words) => {
  expect(sayPace(waiting, seconds)).toBe(words);
});
