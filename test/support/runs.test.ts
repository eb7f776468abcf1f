/** Combinations the usual suite tries. */
import { expect, it } from 'vitest';
import { sampled } from './runs.ts';

const all = Array.from({ length: 400 }, (_, index) => [`operation ${index}`, index] as const);
const pick = (list: typeof all) => sampled(list, 4, ([name]) => name, false);

it('a sample is the same in every run, about one in as many, and never none', () => {
  const chosen = pick(all);
  expect(chosen).toEqual(pick(all));
  expect(chosen.length).toBeGreaterThan(70);
  expect(chosen.length).toBeLessThan(130);
  expect(sampled(['only one'], 1000, String, false)).toEqual(['only one']);
});

it('a new combination changes nothing about the others, and the long suite has them all', () => {
  const without = all.filter(([, index]) => index !== 7);
  expect(pick(without)).toEqual(pick(all).filter(([, index]) => index !== 7));
  expect(sampled(all, 4, ([name]) => name, true)).toEqual(all);
});
