/** Databases of releases before: with the migrations up to one of them, empty or with what another holds, for tests of what becomes of it. */
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/context.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { makeTestTenant, type TestTenant } from './tenants.ts';

const migrations = join(import.meta.dirname, '../../src/db/migrations');

/**
 * A database with every migration before the one whose file ends in `ending`. `migrate` brings it up to date, `close` drops it; `locale` as in
 * openTestDatabase.
 */
export async function openDatabaseBefore(ending: string, locale?: string): Promise<TestDatabase> {
  const test = await openTestDatabase({ empty: true, ...(locale === undefined ? {} : { locale }) });
  await applySome(test, (names) => names.slice(0, placeOf(names, ending)));
  return test;
}

/** Brings such a database up to the migration whose file ends in `ending`, for what those after it do as well. */
export async function migrateUpTo(test: TestDatabase, ending: string): Promise<void> {
  await applySome(test, (names) => names.slice(0, placeOf(names, ending) + 1));
}

function placeOf(names: readonly string[], ending: string): number {
  const place = names.findIndex((name) => name.endsWith(ending));
  if (place < 0) {
    throw new Error(`no migration ends in ${ending}`);
  }
  return place;
}

async function applySome(test: TestDatabase, pick: (names: readonly string[]) => readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'));
  try {
    const names = pick((await readdir(migrations)).sort());
    await Promise.all(names.map((name) => copyFile(join(migrations, name), join(folder, name))));
    await migrate(test.database, silentLogger, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Makes a tenant in a database of a release before as today's code does it: the views and keys that this needs stand there meanwhile. */
export async function makeTenantBefore(test: TestDatabase, host: string): Promise<TestTenant> {
  const text = await readMigration('_reads.sql');
  const columns = await columnsOf(test);
  const views = [...text.matchAll(/CREATE VIEW (\w+)[^;]*?\nFROM (\w+);/g)].filter(([, , table = '']) => columns.has(table));
  const hasKeys = columns.has('log_keys');
  const usersLack = Object.entries({ erased_at: 'timestamptz', merged_into_id: 'text' }).filter(
    ([name]) => !(columns.get('users') ?? []).includes(name),
  );
  const [keys] = /CREATE TABLE log_keys [\s\S]*?\n\);/.exec(await readMigration('_proofs_of_the_log.sql')) ?? [''];
  await test.define(
    [
      ...usersLack.map(([name, type]) => `ALTER TABLE users ADD COLUMN ${name} ${type};`),
      ...views.map(([, view, table]) => `CREATE VIEW ${view} WITH (security_invoker = true) AS SELECT * FROM ${table};`),
      ...(hasKeys ? [] : [keys, 'ALTER TABLE events ADD COLUMN mac bytea, ADD COLUMN mac_generation integer;']),
    ].join('\n'),
  );
  try {
    return await makeTestTenant(test, host);
  } finally {
    await test.define(
      [
        ...views.map(([, view]) => `DROP VIEW ${view};`),
        ...usersLack.map(([name]) => `ALTER TABLE users DROP COLUMN ${name};`),
        ...(hasKeys ? [] : ['DROP TABLE log_keys;', 'ALTER TABLE events DROP COLUMN mac, DROP COLUMN mac_generation;']),
      ].join('\n'),
    );
  }
}

/** The text of the migration whose file ends in `ending`. */
async function readMigration(ending: string): Promise<string> {
  return readFile(join(migrations, (await readdir(migrations)).find((name) => name.endsWith(ending)) ?? ''), 'utf8');
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

/** Rows that the one queue holds, as they lay in three tables before; `has`: their columns. */
const ofOneQueue: Readonly<Record<string, { readonly source: string; readonly has?: readonly string[] }>> = {
  jobs: { source: "(SELECT * FROM countersign.jobs WHERE lane = 'INSIDE' AND state <> 'CALLED')" },
  job_calls: {
    source: "(SELECT tenant_id, kind, subject_id, run_at, created_at AS called_at FROM countersign.jobs WHERE state = 'CALLED')",
    has: ['tenant_id', 'kind', 'subject_id', 'run_at', 'called_at'],
  },
  delivery_queue: {
    source: `(SELECT tenant_id, id AS delivery_id, kind, CASE state WHEN 'WAITING' THEN run_at END AS run_at, due_since, lease_token,
      updated_at AS written_at FROM countersign.jobs WHERE lane = 'OUTSIDE')`,
    has: ['tenant_id', 'delivery_id', 'kind', 'run_at', 'due_since', 'lease_token', 'written_at'],
  },
};

/**
 * Makes `to`, which has an earlier schema, hold what `from` holds, as far as it has the tables and columns for it: so an installation of
 * that release would look that had come to the same.
 */
export async function fillFrom(from: TestDatabase, to: TestDatabase): Promise<void> {
  const [given, taken] = [await columnsOf(from), await columnsOf(to)];
  // What triggers made stands in the tables that are copied.
  await to.admin("SET session_replication_role = 'replica'");
  for (const [name, columns] of taken) {
    const { source = `countersign."${name}"`, has = given.get(name) } = (taken.has('job_calls') && ofOneQueue[name]) || {};
    const list = columns
      .filter((column) => has?.includes(column))
      .map((column) => `"${column}"`)
      .join(', ');
    const [rows] = list === '' ? [] : await from.admin(`SELECT jsonb_agg(to_jsonb(t))::text AS rows FROM ${source} t`);
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
