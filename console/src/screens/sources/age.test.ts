/** Ages between what people write and what the API has. */
import { expect, it } from 'vitest';
import { ageOf, secondsOf } from './age.ts';

it.each([
  ['3600s', 1, 'hours'],
  ['86400s', 1, 'days'],
  ['90000s', 25, 'hours'],
  ['34560000s', 400, 'days'],
] as const)('%s is %d %s, and back', (duration, count, unit) => {
  expect(ageOf(duration)).toEqual({ count, unit });
  expect(secondsOf(` ${count} `, unit)).toBe(duration);
});
