/**
 * Size of the suites, `npm test` in small and `npm run test:long` in large: how often a property is tried, how many rows there are, and which cases are
 * for the long one alone. A file that says so runs in both (vitest.long.config.ts). Of tables that multiply, `npm test` tries a part, and
 * `npm run test:whole` all.
 */
import { createHash } from 'node:crypto';
import { turnOfRun } from './turn.ts';

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

/** True if all combinations are tried: in `npm run test:whole`, and where somebody asks for tests by name (`-t`). */
const isWhole = process.env['COUNTERSIGN_TEST_WHOLE'] !== undefined;

/** Commits in a row that see all combinations, at most. */
const maxParts = 10;

/**
 * One part of the combinations, of `parts` that are about as large, and at least one combination; all of them in `npm run test:whole`.
 * Each commit tries the next part (turn.ts), so that in ten commits all were tried. The words of a combination choose its part, so that a new one
 * changes nothing about the others.
 */
export function sampled<T>(
  all: readonly T[],
  parts: number,
  wordsOf: (one: T) => string = wordsIn,
  { isAll = isWhole, turn = turnOfRun }: { isAll?: boolean; turn?: number } = {},
): readonly T[] {
  if (isAll) {
    return all;
  }
  const count = Math.min(parts, maxParts);
  const partOf = (one: T): number => createHash('sha256').update(wordsOf(one)).digest().readUInt32BE() % count;
  const chosen = all.filter((one) => partOf(one) === turn % count);
  return chosen.length > 0 ? chosen : all.slice(0, 1);
}

/** The words at the beginning of a row of `it.each`. */
function wordsIn(one: unknown): string {
  return Array.isArray(one) ? one.filter((cell) => typeof cell === 'string').join(' ') : String(one);
}
