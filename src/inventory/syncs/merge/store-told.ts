/** SQL of names as a file writes them: of one that it writes in several ways the first, by line. */
import type { Context } from '../../../context.ts';
import { fixed, type Sql } from '../../../lib/sql.ts';

/** True if some row of `import_grants` writes a name otherwise than its key, which few files do. */
export function hasToldNames({ db }: Context): Promise<boolean> {
  return db.value<boolean>('SELECT EXISTS (SELECT FROM import_grants WHERE told IS NOT NULL) AS "isTold"', []);
}

/**
 * Aggregates a name of rows of one key as the first of them writes it: `told`, or the key itself where no row says otherwise. The line stands before the
 * name, so that the least of them is the first's: cheaper than to sort the rows.
 */
export function getToldSql(isTold: boolean, key: string, told: string): Sql {
  return fixed(isTold ? `substr(min((lpad(line::text, 12, '0') || ${told}) COLLATE "C"), 13)` : key);
}
