/**
 * Brings the schema up to the code: the numbered SQL files of migrations/, each in its own transaction under one lock, never
 * changed once released. What is in them is not here.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Logger } from '../context.ts';
import type { Database, Db } from './types.ts';

/** Key of the transaction-level advisory lock: several processes may start at once. */
const migrationLock = 7_300_003;

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface Applied {
  number: number;
  name: string;
  checksum: string;
}

/** Where the migrations of this release are. */
const migrationsDirectory = join(import.meta.dirname, 'migrations');

/**
 * Applies what is missing and returns the names of it, in order. FAILED_PRECONDITION where the database is newer than the code, or where an
 * applied file is not what it was. Safe in several processes at once: each file is applied by one of them.
 */
export async function migrate(database: Database, log: Logger, directory = migrationsDirectory): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const done: string[] = [];
  for (;;) {
    const name = await database.system().transaction((db) => applyNext(db, migrations));
    if (name === undefined) {
      return done;
    }
    log.info({ migration: name }, 'applied a migration');
    done.push(name);
  }
}

/** Whether every migration of this release is applied; for readiness. */
export async function isMigrated(database: Database, directory = migrationsDirectory): Promise<boolean> {
  const migrations = await readMigrations(directory);
  const { found } = await database.system().one<{ found: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS found");
  if (!found) {
    return false;
  }
  const { count } = await database.system().one<{ count: number }>('SELECT count(*) AS count FROM schema_migrations');
  return count >= migrations.length;
}

async function applyNext(db: Db, migrations: readonly Migration[]): Promise<string | undefined> {
  // An index on a large table takes longer than any request may; another process's migration is waited for.
  await db.run("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'");
  await db.run('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  await db.run(
    'CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const applied = await db.rows<Applied>('SELECT number, name, checksum FROM schema_migrations ORDER BY number');
  refuseDifferences(applied, migrations);
  const next = migrations[applied.length];
  if (next === undefined) {
    return undefined;
  }
  await db.run(next.sql);
  await db.run('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [next.number, next.name, next.checksum]);
  return next.name;
}

function refuseDifferences(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const [index, each] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The database is newer than this release of Countersign (it holds ${each.name}). Use the newer release.`,
      );
    }
    if (known.number !== each.number || known.checksum !== each.checksum) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The migration ${known.name} is not the one this database was made with (${each.name}). Applied migrations must never change: add a new one.`,
      );
    }
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const [, digits] = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name) ?? [];
      const wanted = String(index + 1).padStart(4, '0');
      if (digits !== wanted) {
        throw new AppError(
          'INTERNAL',
          `The migration ${name} must be called ${wanted}_what_it_does.sql: four digits from 0001 without gaps, then words in lower case, all joined by underscores.`,
        );
      }
      const sql = await readFile(join(directory, name), 'utf8');
      return { number: index + 1, name: name.replace(/\.sql$/, ''), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
