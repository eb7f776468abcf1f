/** The piece of SQL that finds words by how they begin. The other pieces are in conditions.ts. */
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/**
 * Condition that an expression of a row has a word that begins with each word of a text. What is neither a letter nor a digit parts words, so that
 * `ann.lee@example.com` begins with `ann`, `lee` and `example`. The row's `search_text`, which must hold the expression, leaves out most rows
 * before that is looked at.
 */
export function hasWordStarts(alias: string, expression: string): (query: string) => Sql {
  const row = fixed(alias);
  const parted = (value: Sql): Sql => sql`regexp_replace(search_fold(${value}), '[^[:alnum:]]+', ' ', 'g')`;
  const patterns = (query: string, before: string): Sql => sql`((SELECT ARRAY(SELECT ${before}::text || w.word || '%'
    FROM regexp_split_to_table(${parted(sql`${query}`)}, ' ') AS w (word) WHERE w.word <> ''))::text[])`;
  return (query) => sql`CASE WHEN NOT ${row}.search_text LIKE ALL (${patterns(query, '%')}) THEN false
    ELSE ' ' || ${parted(fixed(expression))} LIKE ALL (${patterns(query, '% ')}) END`;
}
