/** Looking for texts in columns, such as the names of a person whose data is erased. */
import { fixed, type Sql, sql } from './sql.ts';

/** Returns the condition that a column, written as text, holds one of these texts; they are in lower case. */
export function holdsTextSql(column: string, texts: readonly string[]): Sql {
  const patterns = texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return sql`fold_case(${fixed(column)}::text) LIKE ANY (${patterns}::text[])`;
}

/** Subject of an erasure: a person with those who were merged into them, their accounts, and the texts that name them, in lower case. */
export interface ErasedPerson {
  readonly userIds: readonly string[];
  readonly accountIds: readonly string[];
  readonly texts: readonly string[];
}
