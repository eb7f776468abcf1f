/**
 * SQL that writes the lines of rows and their digests as row-digest.ts has them, where there are too many rows to read: canonical JSON with its
 * members in order.
 */
import { fixed, joinSql, type Sql, sql } from '../sql.ts';

/** Rows of more than so many are not named one by one. */
const maxMarks = 50_000;

/** Returns the JSON of a text or a list of texts that may be null. */
export const textJson = (column: string): Sql => fixed(`coalesce(to_json(${column})::text, 'null')`);

/** Returns the JSON of an identifier of ours, which has nothing to escape, or of null. */
export const idJson = (column: string): Sql => fixed(`coalesce('"' || ${column} || '"', 'null')`);

/** Returns the JSON of a whole number that may be null. */
export const wholeJson = (column: string): Sql => fixed(`coalesce(${column}::text, 'null')`);

/** Returns the JSON of a condition that is never null. */
export const flagJson = (column: string): Sql => fixed(`CASE WHEN ${column} THEN 'true' ELSE 'false' END`);

/** Returns the JSON of a time that may be null, in microseconds and UTC. */
export const timeJson = (column: string): Sql =>
  fixed(`coalesce('"' || to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"', 'null')`);

/** Returns the JSON of bytes that may be null, in hexadecimal digits. */
export const bytesJson = (column: string): Sql => fixed(`coalesce('"' || encode(${column}, 'hex') || '"', 'null')`);

/** Returns the canonical JSON of an object with these members, whose names are of ASCII letters. */
export function lineJson(members: Readonly<Record<string, Sql>>): Sql {
  const names = Object.keys(members).sort();
  const pieces = names.map((name, at) => sql`${fixed(`'${at === 0 ? '{' : ','}"${name}":' || `)}${members[name] ?? fixed("'null'")}`);
  return sql`${joinSql(pieces, ' || ')} || '}'`;
}

/** Returns the commitment to a canonical text under the salt of a row. */
export const commitmentSql = (salt: string, text: Sql): Sql =>
  sql`sha256(convert_to(E'countersign-commit-v1\\n', 'UTF8') || uuid_send(${fixed(salt)}) || convert_to(${text}, 'UTF8'))`;

/**
 * Returns the columns `rows`, `sha256` and `marks` of the digest of lines (RowDigest). They are taken of rows with the column `line`, whose order is
 * that of their keys.
 */
export const digestColumns =
  fixed(`count(*)::integer AS rows, encode(sha256(coalesce(string_agg(n.hash, ''::bytea), ''::bytea)), 'hex') AS sha256,
  CASE WHEN count(*) <= ${maxMarks} THEN coalesce(string_agg(left(encode(n.hash, 'hex'), 4), ''), '') ELSE '' END AS marks`);

/** Returns rows with the hash of their `line` in place of it, in the same order. */
export const hashedLines = (columns: string, lines: Sql): Sql =>
  sql`SELECT ${fixed(columns === '' ? '' : `${columns}, `)}sha256(convert_to(o.line, 'UTF8')) AS hash FROM (${lines}) o`;
