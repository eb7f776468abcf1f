/**
 * Pieces of SQL that carry their own values, so that one file can hand a condition to another without either counting placeholders. A piece
 * is written as a tagged template; what stands in `${}` is a value, or another piece. Which pieces a module offers is its store's business.
 */
import tag, { empty, join, raw, Sql } from 'sql-template-tag';

export { empty, Sql };

/** A piece of SQL: `sql\`t.state = ${state}\``. Everything in `${}` becomes a parameter, save other pieces, which become part of the text. */
export const sql = tag;

/** SQL that stands fixed in the code: a column list, an alias, a direction. Never anything that came from outside: it is not a parameter. */
export function fixed(text: string): Sql {
  return raw(text);
}

/** The conditions, all of which must hold; TRUE where there are none. */
export function allSql(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('TRUE') : join(conditions as Sql[], ' AND ');
}

/** The conditions, one of which must hold, in brackets; FALSE where there are none. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('FALSE') : join(conditions as Sql[], ' OR ', '(', ')');
}

/** The pieces one after the other, with `separator` between them; empty for none. */
export function joinSql(pieces: readonly Sql[], separator = ', '): Sql {
  return pieces.length === 0 ? empty : join(pieces as Sql[], separator);
}

/** Input of the driver: text with $1, $2, ..., and the values in that order. */
export interface Rendered {
  readonly text: string;
  readonly values: unknown[];
}

/** Our identifiers, such as the tenant's: the values that stand in one statement many times. */
const identifier = /^[0-9A-Za-z]{27}$/;

/**
 * Numbers the values. An identifier, a date or an array that stands in the statement several times is one parameter: the planner then knows
 * that both are the same, also in a plan made for every value. Other values have a parameter each, so that the text does not depend on
 * whether two of them happen to be equal.
 */
export function renderSql({ strings, values }: Sql): Rendered {
  const numbers = new Map<unknown, number>();
  const sent: unknown[] = [];
  let text = strings[0] ?? '';
  for (const [at, value] of values.entries()) {
    const isShared = typeof value === 'string' ? identifier.test(value) : typeof value === 'object' && value !== null;
    let number = isShared ? numbers.get(value) : undefined;
    if (number === undefined) {
      number = sent.push(value);
      if (isShared) {
        numbers.set(value, number);
      }
    }
    text += `$${number}${strings[at + 1] ?? ''}`;
  }
  return { text, values: sent };
}
