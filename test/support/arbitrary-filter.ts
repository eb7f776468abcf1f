/**
 * Random filters for tests that hold a search beside a plain one: members that are each there or not. Many members at once find nothing, and two
 * searches that find nothing agree about anything, so at most a few are kept.
 */
import fc from 'fast-check';

/** Filters with up to `most` of these members. */
export function arbitraryFilter<Filter extends object>(
  members: { [Member in keyof Filter]-?: fc.Arbitrary<NonNullable<Filter[Member]>> },
  most: number,
): fc.Arbitrary<Filter> {
  const names = Object.keys(members) as (keyof Filter)[];
  return fc
    .subarray(names, { maxLength: most })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, members[name]])))) as unknown as fc.Arbitrary<Filter>;
}
