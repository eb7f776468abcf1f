/**
 * The pieces of SQL that text search puts into the statements of other modules. Every word of the query must be found, each anywhere, whatever
 * its case and accents (search_fold in the schema says what is the same).
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Conditions } from '../../lib/where.ts';
import { askedWords } from '../../lib/names/asked-words.ts';

/** A condition made of a query. */
type TextCondition = (query: string) => Sql;

/** A subselect, so that the query is taken apart once per statement and not once per row. */
const patternsOf = (query: string): Sql => sql`((SELECT search_patterns(${askedWords(query)}))::text[])`;

/**
 * Condition that a row's `search_text` has all words of a query, or that the query is its id. It is a CASE because the planner takes LIKE ALL to
 * find next to nothing, and would read and sort a whole table for the first page of what half of its rows have.
 */
export function hasText(alias: string): TextCondition {
  const row = fixed(alias);
  return (query) =>
    sql`CASE WHEN ${row}.search_text LIKE ALL (${patternsOf(query)}) OR ${row}.id = btrim(${query}) THEN true ELSE false END`;
}

/** Condition that an expression has all words of a text; for tables too small for a `search_text`, and for a search of one column alone. */
export function containsText(expression: string): TextCondition {
  const searched = fixed(expression);
  return (query) => sql`CASE WHEN search_fold(${searched}) LIKE ALL (${patternsOf(query)}) THEN true ELSE false END`;
}

/** Condition that an expression of texts that are folded already has all words of a text. */
export function containsFolded(expression: string): TextCondition {
  const searched = fixed(expression);
  return (query) => sql`CASE WHEN ${searched} LIKE ALL (${patternsOf(query)}) THEN true ELSE false END`;
}

/** The same, or that an id is the text. */
export function containsTextOrIs(expression: string, id: string): TextCondition {
  const contains = containsText(expression);
  return (query) => sql`(${contains(query)} OR ${fixed(id)} = btrim(${query}))`;
}

/** Condition that a row's `display_name` is a text as it is written. The index knows `name_hash`, which other names may share. */
export function hasName(alias: string): TextCondition {
  const row = fixed(alias);
  return (text) => sql`(${row}.name_hash = (SELECT hashtextextended(${text}, 0)) AND ${row}.display_name = ${text})`;
}

/** The same in any case, where `name_hash` is that of the name in any case. Accents count: a name without them is another's. */
export function hasNameInAnyCase(alias: string): TextCondition {
  const row = fixed(alias);
  return (text) => sql`(${row}.name_hash = (SELECT hashtextextended(name_in_any_case(${text}), 0))
    AND name_in_any_case(${row}.display_name) = (SELECT name_in_any_case(${text})))`;
}

/** The part of a table that a page is looked for in; nothing for all of it. */
export interface TextRange {
  /** The rows with these ids. */
  readonly textIds?: readonly string[] | undefined;
  /** The rows up to this id. */
  readonly textUntil?: string | undefined;
}

/** The conditions that keep a statement to a TextRange. */
export function textRange(alias: string): Conditions<TextRange> {
  const row = fixed(alias);
  return { textIds: (ids) => sql`${row}.id = ANY (${ids})`, textUntil: (id) => sql`${row}.id <= ${id}` };
}
