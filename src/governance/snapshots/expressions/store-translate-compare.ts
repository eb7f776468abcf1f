/** Comparisons of expressions as SQL: what is of another type is not equal, what has no order is an error, an error stays one. */
import { anyOf, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Item, Piece } from './store-translate-columns.ts';

/** Whole numbers up to here are the same as double and as int. */
const exact = 2n ** 53n;

/** Items that are compared one by one. */
const maxItems = 100;

const isNumber = ({ kind }: Piece): boolean => kind === 'int' || kind === 'double';

/** True if a number that is always the same may be compared as a double. */
function isExact({ kind, value }: Piece): boolean {
  if (kind === 'double') {
    return typeof value === 'number' && Math.abs(value) <= Number(exact);
  }
  return typeof value === 'bigint' && value <= exact && value >= -exact;
}

const asDouble = (piece: Piece): Sql => (piece.kind === 'int' ? sql`${piece.sql}::float8` : piece.sql);

/** Never equal, or without order, but for the errors of either side. */
function never(sign: string, left: Piece, right: Piece): Piece {
  if (sign !== '==' && sign !== '!=') {
    return { kind: 'bool', sql: fixed('NULL::boolean') };
  }
  return {
    kind: 'bool',
    sql: sql`CASE WHEN ${left.sql} IS NOT NULL AND ${right.sql} IS NOT NULL THEN ${fixed(String(sign === '!='))} END`,
  };
}

const signs: Readonly<Record<string, string>> = { '==': '=', '!=': '<>' };

const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The comparison; undefined where the database would compare differently. */
export function getComparison(sign: string, left: Piece, right: Piece): Piece | undefined {
  if (right.kind === 'json' && left.kind !== 'json') {
    return getComparison(flipped[sign] ?? sign, right, left);
  }
  const operator = fixed(signs[sign] ?? sign);
  const isOrder = signs[sign] === undefined;
  if (!isOrder && (left.isOptional || right.isOptional)) {
    return undefined;
  }
  if (left.kind === 'json') {
    return ofJson(sign, operator, left, right);
  }
  if (isNumber(left) && isNumber(right)) {
    if (left.kind === right.kind && left.kind === 'int') {
      return { kind: 'bool', sql: sql`(${left.sql} ${operator} ${right.sql})` };
    }
    return isExact(left) || isExact(right) ? { kind: 'bool', sql: sql`(${asDouble(left)} ${operator} ${asDouble(right)})` } : undefined;
  }
  if (left.kind !== right.kind || (left.isDuration ?? false) !== (right.isDuration ?? false)) {
    return never(sign, left, right);
  }
  return left.kind === 'bool' && isOrder ? undefined : { kind: 'bool', sql: sql`(${left.sql} ${operator} ${right.sql})` };
}

/** A value of a profile compared with something that is of one type. */
function ofJson(sign: string, operator: Sql, { sql: it }: Piece, right: Piece): Piece | undefined {
  const isOrder = signs[sign] === undefined;
  const otherwise = isOrder ? fixed('') : sql`WHEN ${it} IS NOT NULL AND ${right.sql} IS NOT NULL THEN ${fixed(String(sign === '!='))}`;
  const when = (type: string, comparison: Sql): Piece => ({
    kind: 'bool',
    sql: sql`CASE WHEN jsonb_typeof(${it}) = ${fixed(`'${type}'`)} THEN ${comparison} ${otherwise} END`,
  });
  if (right.kind === 'text') {
    return when('string', sql`((${it} #>> '{}') COLLATE "C" ${operator} ${right.sql})`);
  }
  if (right.kind === 'bool' && !isOrder) {
    return when('boolean', sql`((${it} = 'true') ${operator} ${right.sql})`);
  }
  return isNumber(right) && isExact(right) ? when('number', sql`(expression_number(${it}) ${operator} ${asDouble(right)})`) : undefined;
}

/** Tests if a value is one of the items; undefined where one cannot be compared. */
export function getMembership(value: Piece, items: readonly Item[]): Piece | undefined {
  const isHere = sql`(${value.sql} IS NOT NULL)`;
  if (items.every(({ piece, when }) => typeof piece.value === 'string' && when === undefined)) {
    const texts = items.map(({ piece }) => piece.value as string);
    if (value.kind === 'text') {
      return { kind: 'bool', sql: sql`CASE WHEN ${isHere} THEN ${value.sql} = ANY (${texts}::text[]) END` };
    }
    if (value.kind === 'json') {
      const isText = sql`jsonb_typeof(${value.sql}) = 'string'`;
      return {
        kind: 'bool',
        sql: sql`CASE WHEN ${isText} THEN (${value.sql} #>> '{}') = ANY (${texts}::text[]) WHEN ${isHere} THEN false END`,
      };
    }
  }
  if (items.length > maxItems) {
    return undefined;
  }
  const answers: Sql[] = [];
  for (const { piece, when } of items) {
    const answer = getComparison('==', value, piece);
    if (answer === undefined) {
      return undefined;
    }
    answers.push(when === undefined ? answer.sql : sql`(${when} AND ${answer.sql})`);
  }
  return { kind: 'bool', sql: sql`CASE WHEN ${isHere} THEN ${anyOf(answers)} END` };
}
