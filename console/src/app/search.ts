/** Members of an address's search, for the schemas of routes. What is not as it should be counts as absent, since anybody can write an address. */
import { check, fallback, literal, nonEmpty, optional, picklist, pipe, string } from 'valibot';
import { isWhole } from '~/text/local-time.ts';

/** Some words, such as a filter or an id. */
export const word = fallback(optional(pipe(string(), nonEmpty())), undefined);

/** A switch that is on; one that is off is absent. */
export const flag = fallback(optional(literal(true)), undefined);

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
