/**
 * How the filters of searches become conditions: each member of a filter has one piece of SQL, fixed here in the code, and its value is
 * a parameter.
 */

/** A condition of one member: `?` stands for its value. Text is searched for anywhere, in any case. */
export interface Condition {
  readonly sql: string;
  readonly isText?: boolean;
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
