/**
 * What both suites hold, `npm test` in small and `npm run test:long` in full: how often a property is tried, how many rows there are, and which
 * cases are for the long one alone. A file that imports this runs in both (vitest.long.config.ts).
 */

/** Whether this is the long suite: `it.runIf(isLong)` for a case that is its alone. */
export const isLong = process.env['COUNTERSIGN_TEST_LONG'] !== undefined;

/** `few` in the usual suite, `many` in the long one. */
export function runs(few: number, many: number): number {
  return isLong ? many : few;
}
