/** Contents of a schema, as far as a backup is concerned: tables in an order in which they can be filled, and sequences. Read from the catalog. */
import { AppError } from '../../errors.ts';
import { schemaName } from '../pool.ts';
import type { Db } from '../types.ts';

/** A table whose rows a backup holds. */
export interface BackupTable {
  readonly name: string;
  /** Without those that PostgreSQL computes. */
  readonly columns: readonly string[];
  /** True if row-level security shows one tenant's rows at a time to a role that it binds. */
  readonly isGuarded: boolean;
}

/** The record of migrations: it stands in the head of a backup, and a restore writes it anew. */
const recordOfMigrations = 'schema_migrations';

/** All tables but the record of migrations, each behind those it refers to. */
export async function listBackupTables(db: Db): Promise<BackupTable[]> {
  const rows = await db.rows<BackupTable & { parents: string[] }>(
    `SELECT c.relname::text AS name, c.relrowsecurity AS "isGuarded",
       ARRAY(SELECT a.attname::text FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
         WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS parents
     FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') AND c.relname <> $2 ORDER BY c.relname`,
    [schemaName, recordOfMigrations],
  );
  const ordered: BackupTable[] = [];
  let left = rows;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const ready = left.filter(({ parents }) => !parents.some((parent) => waiting.has(parent)));
    if (ready.length === 0) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', {
        detail: `the tables ${[...waiting].join(', ')} refer to each other in a circle`,
      });
    }
    ordered.push(...ready.map(({ name, columns, isGuarded }) => ({ name, columns, isGuarded })));
    left = left.filter(({ parents }) => parents.some((parent) => waiting.has(parent)));
  }
  return ordered;
}

/** The last number of each sequence that gave one out, as text. Sequences know no transactions: read them after the tables. */
export async function listSequences(db: Db): Promise<Record<string, string>> {
  const rows = await db.rows<{ name: string; last: string | null }>(
    `SELECT c.relname::text AS name, pg_sequence_last_value(c.oid)::text AS last
     FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'S' ORDER BY c.relname`,
    [schemaName],
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

/** A name as SQL takes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table of the schema as SQL takes it. */
export function qualify(name: string): string {
  return `${schemaName}.${quoteName(name)}`;
}
