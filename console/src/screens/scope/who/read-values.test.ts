/** Values between commas. */
import { expect, it } from 'vitest';
import { readValues } from './read-values.ts';

it('reads values with commas between them, and no value behind the last comma', () => {
  expect(readValues('Finance, IT ,, Finance,')).toEqual(['Finance', 'IT']);
  expect(readValues(' ')).toEqual([]);
});
