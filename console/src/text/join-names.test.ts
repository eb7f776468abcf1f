/** Names of things that are in each other: none is said twice in a row. */
import { expect, it } from 'vitest';
import { joinNames } from './join-names.ts';

it.each([
  [['Beta', 'Beta'], 'Beta'],
  [['Beta', 'Beta', 'Read'], 'Beta · Read'],
  [['Beta', '', 'Beta'], 'Beta'],
  [['Beta', 'Read', 'Beta'], 'Beta · Read · Beta'],
  // Two that differ are two.
  [['Beta', 'beta'], 'Beta · beta'],
  [[undefined, ''], ''],
])('%j is %s', (names, joined) => {
  expect(joinNames(...names)).toBe(joined);
});
