/** Combinations that the usual suite tries. */
import { expect, it } from 'vitest';
import { sampled } from './runs.ts';

const all = Array.from({ length: 400 }, (_, index) => [`operation ${index}`, index] as const);
const pick = (list: typeof all, turn: number) => sampled(list, 4, ([name]) => name, { isAll: false, turn });

it('a part is the same in every run of a commit, about as large as the others, and never empty', () => {
  const chosen = pick(all, 7);
  expect(chosen).toEqual(pick(all, 7));
  expect(chosen.length).toBeGreaterThan(70);
  expect(chosen.length).toBeLessThan(130);
  expect(sampled(['only one'], 1000, String, { isAll: false, turn: 0 })).toEqual(['only one']);
});

it('all are tried in as many commits as there are parts, and in ten at most', () => {
  const seen = (parts: number, commits: number) =>
    new Set(
      Array.from({ length: commits }, (_, turn) => sampled(all, parts, ([name]) => name, { isAll: false, turn: 1_900 + turn })).flat(),
    );
  expect(seen(4, 4).size).toBe(all.length);
  expect(seen(16, 10).size).toBe(all.length);
  expect(seen(4, 3).size).toBeLessThan(all.length);
});

it('a new combination changes nothing about the others, and the other suites have them all', () => {
  const without = all.filter(([, index]) => index !== 7);
  for (const turn of [0, 1, 2, 3]) {
    expect(pick(without, turn)).toEqual(pick(all, turn).filter(([, index]) => index !== 7));
  }
  expect(sampled(all, 4, ([name]) => name, { isAll: true })).toEqual(all);
});
