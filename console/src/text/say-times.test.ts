/** Times in sentences of the server are the reader's. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTimeZone } from './format.ts';
import { sayTimes } from './say-times.ts';
import { loadLanguage } from './text.ts';

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  setTimeZone('Europe/Berlin');
  await loadLanguage(['en-GB']);
});
afterEach(() => {
  vi.unstubAllGlobals();
  setTimeZone(undefined);
});

it.each([
  ['Try again after 2026-11-30T23:30:00.123Z.', 'Try again after 1 Dec 2026, 00:30.'],
  ['From 2026-07-01T10:00:00+02:00 to 2026-07-01T10:00Z.', 'From 1 Jul 2026, 10:00 to 1 Jul 2026, 12:00.'],
])('%s', (written, said) => {
  expect(sayTimes(written)).toBe(said);
});

it.each(['It ended on 2026-11-30.', 'grant-2026-11-30T23:30:00Zulu is unknown.', '2026-13-45T99:99:99Z', 'No time at all.'])(
  'leaves "%s" as it is',
  (sentence) => {
    expect(sayTimes(sentence)).toBe(sentence);
  },
);
