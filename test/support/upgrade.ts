/** Databases of releases before: with the migrations up to one of them, empty or with what another holds, for tests of what becomes of it. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/context.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

const migrations = join(import.meta.dirname, '../../src/db/migrations');

/** A database with every migration before the one whose file ends in `ending`. `migrate` brings it up to date, `close` drops it. */
export async function openDatabaseBefore(ending: string): Promise<TestDatabase> {
  const names = (await readdir(migrations)).sort();
  const place = names.findIndex((name) => name.endsWith(ending));
  if (place < 0) {
    throw new Error(`no migration ends in ${ending}`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'));
  try {
    await Promise.all(names.slice(0, place).map((name) => copyFile(join(migrations, name), join(folder, name))));
    const test = await openTestDatabase({ empty: true });
    await migrate(test.database, silentLogger, folder);
    return test;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of each table of ours its columns that take values. */
async function columnsOf(test: TestDatabase): Promise<Map<string, string[]>> {
  const rows = await test.admin(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND c.relname <> 'schema_migrations' GROUP BY 1`,
  );
  return new Map(rows.map(({ name, columns }) => [String(name), columns as string[]]));
}

/**
 * Makes `to`, which has an earlier schema, hold what `from` holds, as far as it has the tables and columns for it: so an installation of
 * that release would look that had come to the same.
 */
export async function fillFrom(from: TestDatabase, to: TestDatabase): Promise<void> {
  const [given, taken] = [await columnsOf(from), await columnsOf(to)];
  // What triggers made stands in the tables that are copied.
  await to.admin("SET session_replication_role = 'replica'");
  for (const [name, columns] of taken) {
    const list = columns
      .filter((column) => given.get(name)?.includes(column))
      .map((column) => `"${column}"`)
      .join(', ');
    const [rows] = list === '' ? [] : await from.admin(`SELECT jsonb_agg(to_jsonb(t))::text AS rows FROM countersign."${name}" t`);
    if (typeof rows?.['rows'] === 'string') {
      await to.admin(`DELETE FROM countersign."${name}"`);
      await to.admin(
        `INSERT INTO countersign."${name}" (${list}) OVERRIDING SYSTEM VALUE
         SELECT ${list} FROM jsonb_populate_recordset(null::countersign."${name}", $1::jsonb)`,
        [rows['rows']],
      );
    }
  }
  await to.admin("SET session_replication_role = 'origin'");
  const sequences = await from.admin(
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'countersign' AND last_value IS NOT NULL",
  );
  for (const { name, value } of sequences) {
    await to.admin(
      "SELECT setval(c.oid, $2::bigint) FROM pg_class c WHERE c.relname = $1 AND c.relnamespace = 'countersign'::regnamespace",
      [name, value],
    );
  }
}
