/**
 * Size of both suites, `npm test` in small and `npm run test:long` in large: how often a property is tried, how many rows there are, which
 * combinations are tried, and which cases are for the long one alone. A file that imports this runs in both (vitest.long.config.ts).
 */
import { createHash } from 'node:crypto';
import { seedOfRun } from './seed.ts';

/** True if this is the long suite: `it.runIf(isLong)` for a case that is its alone. */
export const isLong = process.env['COUNTERSIGN_TEST_LONG'] !== undefined;

/** `few` in the usual suite, `many` in the long one. */
export function runs(few: number, many: number): number {
  return isLong ? many : few;
}

/**
 * Times that a property is tried: `few` in the usual suite, a quarter of `many` in the long one, and all of them with COUNTERSIGN_TEST_RUNS=all. The
 * seed of a run is always the same, so more of them look again at what an earlier run saw; a change of the property's subject asks for all.
 */
export function tries(few: number, many: number): number {
  const isAll = process.env['COUNTERSIGN_TEST_RUNS'] === 'all';
  return isLong ? Math.max(few, isAll ? many : Math.ceil(many / 4)) : few;
}

/** True if all combinations are tried: in the long suite, and where somebody asks for tests by name (`-t`). */
const isWhole = isLong || process.env['COUNTERSIGN_TEST_WHOLE'] !== undefined;

/**
 * One of `every` combinations in the usual suite, and at least one; all in the long one. Which ones says the seed of the run
 * (COUNTERSIGN_TEST_SEED) and the words of the combination, so that a new one changes nothing about the others.
 */
export function sampled<T>(
  all: readonly T[],
  every: number,
  wordsOf: (one: T) => string = wordsIn,
  whole: boolean = isWhole,
): readonly T[] {
  if (whole) {
    return all;
  }
  const placeOf = (one: T): number =>
    createHash('sha256')
      .update(`${seedOfRun} ${wordsOf(one)}`)
      .digest()
      .readUInt32BE() /
    2 ** 32;
  const chosen = all.filter((one) => placeOf(one) < 1 / every);
  return chosen.length > 0 ? chosen : all.slice(0, 1);
}

/** The words at the beginning of a row of `it.each`. */
function wordsIn(one: unknown): string {
  return Array.isArray(one) ? one.filter((cell) => typeof cell === 'string').join(' ') : String(one);
}
