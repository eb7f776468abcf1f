import { expect, it } from 'vitest';
import { findGroupPaths } from './group-paths.ts';

const find = (parents: Readonly<Record<number, readonly number[]>>) => {
  const { paths, ...rest } = findGroupPaths(0, (group) => parents[group] ?? []);
  return { ...rest, paths: paths.map(({ target, steps }) => `${steps.join('>')}:${target}`) };
};

it('leads up to all groups, the shortest ways first', () => {
  expect(find({ 0: [1, 2], 1: [3], 2: [3] })).toEqual({ isCyclic: false, isCut: false, paths: ['0:1', '0:2', '0>1:3', '0>2:3'] });
});

it('cuts a circle: A in B in A', () => {
  expect(find({ 0: [1], 1: [0] })).toEqual({ isCyclic: true, isCut: false, paths: ['0:1'] });
  expect(find({ 0: [0] })).toEqual({ isCyclic: true, isCut: false, paths: [] });
});

it('has at most 20 steps', () => {
  const chain = Object.fromEntries(Array.from({ length: 30 }, (_, group) => [group, [group + 1]]));
  const { paths, isCut } = find(chain);
  expect([paths.length, isCut]).toEqual([20, true]);
});

it('has at most 16 ways to a group, however many there are', () => {
  // Thirty stages of two groups, each in both of the next: a billion ways.
  const stages = Object.fromEntries(Array.from({ length: 60 }, (_, group) => [group, [2, 3].map((ahead) => group - (group % 2) + ahead)]));
  const { paths, isCut } = find(stages);
  expect(isCut).toBe(true);
  expect(paths.length).toBeLessThanOrEqual(16 * 62);
});
