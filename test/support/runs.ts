/** How often a property is tried: a few times by `npm test`, many times by `npm run test:long`. */

/** `few` in the usual suite, `many` in the long one (vitest.long.config.ts). */
export function runs(few: number, many: number): number {
  return process.env['COUNTERSIGN_TEST_LONG'] === undefined ? few : many;
}
