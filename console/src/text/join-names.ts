import { keepDirection } from './text.ts';

/** Joins names of things that are in each other, such as an app, a resource and an entitlement; none stands beside itself. */
export function joinNames(...names: readonly (string | undefined)[]): string {
  const said = names.filter((name): name is string => name !== undefined && name !== '');
  const apart = said.filter((name, place) => name !== said[place - 1]);
  // In one line, none of them turns what stands beside it.
  return apart.length === 1 ? (apart[0] ?? '') : apart.map(keepDirection).join(' · ');
}
