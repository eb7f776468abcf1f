/** Names in the order of the reader's language. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sortByName } from './sort-names.ts';
import { loadLanguage } from './text.ts';

beforeEach(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterEach(() => vi.unstubAllGlobals());

it.each(['en-GB', 'de-DE'])('is that of %s, whatever the case and accents', async (language) => {
  await loadLanguage([language]);
  const names = ['zoe', 'Émile', 'anna', 'Zora', 'emil', 'Team 10', 'Team 9', 'Özil', 'Ott', 'Paul'];
  expect(sortByName(names, (name) => name)).toEqual(['anna', 'emil', 'Émile', 'Ott', 'Özil', 'Paul', 'Team 9', 'Team 10', 'zoe', 'Zora']);
});
