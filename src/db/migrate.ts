/**
 * Brings the schema up to the code: the numbered SQL files of migrations/, each in its own transaction under one lock, never
 * changed once released. What is in them is not here.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Logger } from '../context.ts';
import { grantAccess } from './access.ts';
import { schemaName } from './pool.ts';
import { sayDatabase } from '../lib/database-errors/say-database.ts';
import { isLockTaken, isWorthRetrying } from './translate-error.ts';
import type { Database, Db } from './types.ts';

/** Key of the transaction-level advisory lock: several processes may start at once. */
const migrationLock = 7_300_003;

/** One of this release's migrations. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Migration applied, as a database or a backup says. */
export interface Applied {
  number: number;
  name: string;
  checksum: string;
}

/** Folder of the migrations of this release. */
const migrationsDirectory = join(import.meta.dirname, 'migrations');

/**
 * Applies what is missing as the owner of the schema, gives the role that serves what it needs, and returns the names of what was applied, in
 * order. FAILED_PRECONDITION where the database is newer than the code, where an applied file is not what it was, and where something is
 * missing that this process may not apply. Safe in several processes at once: each file is applied by one of them.
 */
export async function migrate(database: Database, log: Logger, directory = migrationsDirectory): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const { role } = await database.system().one<{ role: string }>('SELECT current_user AS role');
  if (database.asOwner === undefined) {
    await refuseMissing(database, role, migrations);
    return [];
  }
  return database.asOwner(async (owner) => {
    const done: string[] = [];
    for (;;) {
      const name = await owner.transaction((db) => applyNext(db, migrations, role));
      if (name === undefined) {
        break;
      }
      // An empty database gets all of them, which is one thing to say: what a newcomer looks for would scroll away.
      const isFirstStart = (done[0] ?? name) === migrations[0]?.name;
      log[isFirstStart ? 'debug' : 'info']({ migration: name }, 'applied a migration');
      done.push(name);
    }
    if (done[0] !== undefined && done[0] === migrations[0]?.name) {
      log.info({ migrations: done.length, last: done.at(-1) }, 'made the tables');
    }
    return done;
  });
}

/** Checks without migrating: refuses unless there is nothing to apply. */
async function refuseMissing(database: Database, role: string, migrations: readonly Migration[]): Promise<void> {
  const db = database.system();
  const { readable, owner } = await db.one<{ readable: boolean; owner: string }>(
    `SELECT coalesce(has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'), false) AS readable, pg_get_userbyid(n.nspowner)::text AS owner
     FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'schema_migrations' WHERE n.nspname = $1`,
    [schemaName],
  );
  const applied = readable ? await listApplied(db) : [];
  refuseDifferences(applied, migrations);
  const missing = migrations.slice(applied.length).map(({ name }) => name);
  if (missing.length > 0) {
    const what = readable ? `lacks ${missing.join(', ')}` : `is not ready for the role ${role}`;
    throw new AppError(
      'FAILED_PRECONDITION',
      `The schema ${schemaName} ${what}, and the role ${role} may not change it: it belongs to ${owner}. Run countersign migrate --database-url URL --database-owner-url URL, the second with the role ${owner}.`,
    );
  }
}

function listApplied(db: Db): Promise<Applied[]> {
  return db.rows<Applied>('SELECT number, name, checksum FROM schema_migrations ORDER BY number');
}

/** Lists the applied migrations, in order; undefined where there is no record of it. */
export async function findApplied(db: Db): Promise<Applied[] | undefined> {
  const { found } = await db.one<{ found: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS found");
  return found ? listApplied(db) : undefined;
}

/**
 * Compares the schema with this release, for readiness: BEHIND lacks a migration, AHEAD has one that this release does not know, since a newer
 * one was started on the database meanwhile. The files of a release do not change while it runs, so it takes their number once (`countMigrations`)
 * and asks the database alone.
 */
export async function judgeSchema(database: Database, wanted: number): Promise<'BEHIND' | 'FITS' | 'AHEAD'> {
  const { found } = await database.system().one<{ found: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS found");
  if (!found) {
    return 'BEHIND';
  }
  const { count } = await database.system().one<{ count: number }>('SELECT count(*) AS count FROM schema_migrations');
  return count < wanted ? 'BEHIND' : count > wanted ? 'AHEAD' : 'FITS';
}

/** Counts this release's migrations. */
export async function countMigrations(directory = migrationsDirectory): Promise<number> {
  return (await readMigrations(directory)).length;
}

/**
 * Makes an empty schema what it was for whoever had applied these migrations, in the open transaction of the owner; `role` is the one that
 * serves. FAILED_PRECONDITION where this release is older than what was applied, or where the schema is not empty.
 */
export async function applyAsBefore(db: Db, role: string, applied: readonly Applied[], directory = migrationsDirectory): Promise<void> {
  const migrations = await readMigrations(directory);
  refuseDifferences(applied, migrations, 'backup');
  await db.run('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  await refuseTables(db);
  for (const _ of applied) {
    await applyOne(db, migrations, role);
  }
}

/** A backup goes into an empty schema alone: nothing that is there is ever replaced. */
async function refuseTables(db: Db): Promise<void> {
  const { count } = await db.one<{ count: number }>(
    "SELECT count(*) AS count FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')",
    [schemaName],
  );
  if (count > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The database is not empty: its schema ${schemaName} holds ${count} tables. Restore into a new database or a new data directory.`,
    );
  }
}

async function applyNext(db: Db, migrations: readonly Migration[], role: string): Promise<string | undefined> {
  // An index on a large table takes longer than any request may; another process's migration is waited for.
  await db.limitStatements(0);
  await db.run("SET LOCAL lock_timeout = '60s'");
  await db.run('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  return applyOne(db, migrations, role);
}

/** The next one that is missing, under the lock that the caller holds. */
async function applyOne(db: Db, migrations: readonly Migration[], role: string): Promise<string | undefined> {
  await db.run(
    'CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const applied = await listApplied(db);
  refuseDifferences(applied, migrations);
  const next = migrations[applied.length];
  if (next !== undefined) {
    if (applied.length === 0) {
      await refuseTorso(db);
    }
    await db.run(next.sql).catch((error: unknown) => {
      throw isWorthRetrying(error) || isLockTaken(error) ? error : explainFailure(error, next.name);
    });
    await db.run('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [next.number, next.name, next.checksum]);
  }
  // In the transaction that made a table, so that nobody finds it closed; and after the last, for what else may be missing.
  await grantAccess(db, role);
  return next?.name;
}

/** A migration that fails stops the start, or the command: its operator reads why. */
function explainFailure(error: unknown, name: string): unknown {
  const words = sayDatabase(error);
  const message = `The migration ${name} failed and was undone: ${words}. Mend that and start again.`;
  return words === undefined ? error : new AppError('FAILED_PRECONDITION', message, { cause: error });
}

/** Tables without a record of what made them are what a dump that broke off leaves behind when it is restored. */
async function refuseTorso(db: Db): Promise<void> {
  const { count } = await db.one<{ count: number }>(
    "SELECT count(*) AS count FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname <> 'schema_migrations'",
    [schemaName],
  );
  if (count > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The schema ${schemaName} holds ${count} tables but no record of its migrations: what was restored into it is incomplete. Drop the schema, and restore a complete dump (see Backup and restore in docs/operations.md).`,
    );
  }
}

function refuseDifferences(applied: readonly Applied[], migrations: readonly Migration[], what: 'database' | 'backup' = 'database'): void {
  for (const [index, each] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The ${what} is newer than this release of Countersign (it holds ${each.name}). Use the newer release.`,
      );
    }
    if (known.number !== each.number || known.checksum !== each.checksum) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The migration ${known.name} is not the one this ${what} was made with (${each.name}). Applied migrations must never change: add a new one.`,
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
