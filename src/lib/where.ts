/**
 * Turns the filters of searches into conditions: each member of a filter has one piece of SQL, fixed here in the code, and its value is a
 * parameter.
 */

import { fixed, type Sql, sql } from './sql.ts';

/** Condition of each member of a filter, as a piece of SQL made of its value. */
export type Conditions<Filter> = { readonly [Member in keyof Filter & string]-?: (value: NonNullable<Filter[Member]>) => Sql };

/** The conditions of the members that are set, in the order of `conditions`; a member that is undefined filters nothing. */
export function listConditions<Filter extends object>(filter: Filter, conditions: Conditions<Filter>): Sql[] {
  return (Object.keys(conditions) as (keyof Filter & string)[]).flatMap((member) => {
    const value = filter[member];
    return value === undefined || value === null ? [] : [conditions[member](value as NonNullable<typeof value>)];
  });
}

/**
 * Tests if an object with its own id in an app is one of those written 'app id/object id'. By the ids first, which an index knows; an array made
 * once, where a join could read the whole table.
 */
export function isOneOfRefs(alias: string): (refs: readonly string[]) => Sql {
  const it = fixed(alias);
  return (refs) =>
    sql`(${it}.id = ANY (ARRAY(SELECT split_part(unnest(${refs}::text[]), '/', 2))) AND ${it}.app_id || '/' || ${it}.id = ANY (${refs}))`;
}

/** A pattern for LIKE and ILIKE that finds the text anywhere, its own wildcards taken literally. */
export function escapeLike(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The list, or undefined where it is empty: an empty list filters nothing. */
export function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** The text without the spaces around it, or undefined where nothing is left: an empty text filters nothing. */
export function wantedText(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
