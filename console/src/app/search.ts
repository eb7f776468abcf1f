/**
 * The search of addresses, read and written, and its members for the schemas of routes. Every text of an address is text: `1000012`, `true` and
 * `"x"` are what they look like. What is not as it should be counts as absent, since anybody can write an address.
 */
import { check, fallback, literal, nonEmpty, optional, picklist, pipe, regex, string, transform, union } from 'valibot';
import { isWhole } from '~/text/whole-date.ts';

/** Reads a search as texts by name. Of a name that is there several times, the last counts. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes a search, so that reading it gives the same texts. What is undefined is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  return members.length === 0 ? '' : `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`;
}

/** Changes these members of a search and keeps the others, also those that change at the same moment. */
export function changeSearch<S extends object>(parts: S): (search: object) => S {
  return (search) => ({ ...search, ...parts });
}

/** Some words, such as a filter or an id. */
export const word = fallback(optional(pipe(string(), nonEmpty())), undefined);

/** A whole number as text. Links that are kept from before have such texts in quotes. */
export const digits = fallback(
  optional(
    pipe(
      string(),
      transform((text) => text.replace(/^"(.*)"$/, '$1')),
      regex(/^\d+$/),
    ),
  ),
  undefined,
);

/** A switch that is on; one that is off is absent. */
export const flag = fallback(
  optional(
    pipe(
      union([literal(true), literal('true')]),
      transform((): true => true),
    ),
  ),
  undefined,
);

/** A day, YYYY-MM-DD. */
export const day = fallback(
  optional(
    pipe(
      string(),
      check((value) => isWhole(value)),
    ),
  ),
  undefined,
);

/** One of some words. */
export function oneWord<const T extends readonly string[]>(words: T) {
  return fallback(optional(picklist(words)), undefined);
}
