/** Names of things that are in each other: none is said twice in a row. */
import { expect, it } from 'vitest';
import { besideApp, joinNames, joinRight } from './join-names.ts';

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

it.each([
  ['Beta', 'Files', 'Read', 'Files · Read'],
  ['Beta', 'Beta', 'Read', 'Read'],
  [undefined, 'Files', 'Read', 'Files · Read'],
  ['Beta', undefined, 'Read', 'Read'],
])('a right of %s to %s called %s is %s', (app, resource, right, joined) => {
  expect(joinRight(app, resource, right)).toBe(joined);
});

it('a right beside its app does not begin with it', () => {
  expect(besideApp('Salesforce', 'Salesforce API Enabled')).toBe('API Enabled');
  expect(besideApp('Sales', 'Salesforce API Enabled')).toBe('Salesforce API Enabled');
  expect(besideApp('Salesforce', 'Salesforce')).toBe('Salesforce');
  expect(besideApp(undefined, 'Read')).toBe('Read');
  expect(besideApp('', ' Read')).toBe(' Read');
});
