/**
 * How the filters of searches become conditions: each member of a filter has one piece of SQL, fixed here in the code, and its value is
 * a parameter.
 */
import { escapeLike } from './like.ts';

/** A condition of one member: `?` stands for its value. Text is searched for anywhere, in any case. */
export interface Condition {
  readonly sql: string;
  readonly isText?: boolean;
}

/** The conditions of the members that are set, numbered after `values`, to which their values are added. */
export function whereOf<Filter extends object>(filter: Filter, conditions: Readonly<Record<keyof Filter & string, Condition>>, values: unknown[]): string[] {
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

/** The text without the spaces around it, or undefined where nothing is left. */
export function textOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
