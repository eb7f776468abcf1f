/**
 * How the filters of searches become conditions: each member of a filter has one piece of SQL, fixed here in the code, and its value is
 * a parameter.
 */

import type { Sql } from './sql.ts';

/** What each member of a filter asks for, as a piece of SQL made of its value. */
export type Conditions<Filter> = { readonly [Member in keyof Filter & string]-?: (value: NonNullable<Filter[Member]>) => Sql };

/** The conditions of the members that are set, in the order of `conditions`; a member that is undefined filters nothing. */
export function conditionsOf<Filter extends object>(filter: Filter, conditions: Conditions<Filter>): Sql[] {
  return (Object.keys(conditions) as (keyof Filter & string)[]).flatMap((member) => {
    const value = filter[member];
    return value === undefined || value === null ? [] : [conditions[member](value as NonNullable<typeof value>)];
  });
}

/** A condition of one member: `?` stands for its value. Text is searched for anywhere, in any case. */
export interface Condition {
  readonly sql: string;
  readonly isText?: boolean;
}

/**
 * That an object with an id of its own in an app is one of those written 'app id/object id'. By the ids first, which an index knows; an array made
 * once, where a join could read the whole table.
 */
export function isOneOfRefs(alias: string): Condition {
  const ids = `ARRAY(SELECT split_part(unnest(?::text[]), '/', 2))`;
  return { sql: `(${alias}.id = ANY (${ids}) AND ${alias}.app_id || '/' || ${alias}.id = ANY (?))` };
}

/** A pattern for ILIKE that finds the text anywhere, its own wildcards taken literally. */
export function escapeLike(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The conditions of the members that are set, numbered after `values`, to which their values are added. */
export function whereOf<Filter extends object>(
  filter: Filter,
  conditions: Readonly<Record<keyof Filter & string, Condition>>,
  values: unknown[],
): string[] {
  const where: string[] = [];
  for (const member of Object.keys(conditions) as (keyof Filter & string)[]) {
    const value = filter[member];
    if (value !== undefined) {
      const { sql, isText } = conditions[member];
      values.push(isText === true ? escapeLike(String(value)) : value);
      where.push(sql.replaceAll('?', `$${values.length}`));
    }
  }
  return where;
}

/** The list, or undefined where it is empty: an empty list filters nothing. */
export function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** The text without the spaces around it, or undefined where nothing is left: an empty text filters nothing. */
export function textOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
