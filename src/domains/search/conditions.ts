/**
 * The pieces of SQL that text search puts into the statements of other modules. Every word of the query must be found, each anywhere, whatever
 * its case and accents (search_fold in the schema says what is the same).
 */
import type { Condition } from '../../lib/where.ts';

/** A subselect, so that the query is taken apart once per statement and not once per row. */
const patterns = '((SELECT search_patterns(?))::text[])';

/**
 * That a row's `search_text` has all words of a query, or that the query is its id. It is a CASE because the planner takes LIKE ALL to find
 * next to nothing, and would read and sort a whole table for the first page of what half of its rows have.
 */
export function hasText(alias: string): Condition {
  return { sql: `CASE WHEN ${alias}.search_text LIKE ALL (${patterns}) OR ${alias}.id = btrim(?) THEN true ELSE false END` };
}

/** That an expression has all words of a text; for tables too small for a `search_text`, and for a search of one column alone. */
export function containsText(expression: string): Condition {
  return { sql: `CASE WHEN search_fold(${expression}) LIKE ALL (${patterns}) THEN true ELSE false END` };
}

/** That an expression is a text, all of it, whatever its case and accents. */
export function equalsText(expression: string): Condition {
  return { sql: `search_fold(${expression}) = (SELECT search_fold(btrim(?)))` };
}

/** The part of a table that a page is looked for in; nothing for all of it. */
export interface TextRange {
  /** The rows with these ids. */
  readonly textIds?: readonly string[] | undefined;
  /** The rows up to this id. */
  readonly textUntil?: string | undefined;
}

/** The conditions that keep a statement to a TextRange. */
export function textRange(alias: string): Record<keyof TextRange, Condition> {
  return { textIds: { sql: `${alias}.id = ANY (?)` }, textUntil: { sql: `${alias}.id <= ?` } };
}
