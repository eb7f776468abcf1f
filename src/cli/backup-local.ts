/** `countersign backup` and `countersign restore`: on the database itself, whether or not a server runs on it. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { silentLogger } from '../context.ts';
import { type BackupSummary, readBackup } from '../db/backup/format.ts';
import { restoreBackup } from '../db/backup/restore.ts';
import { writeBackup } from '../db/backup/write.ts';
import { checkDatabase } from '../db/check.ts';
import { migrate } from '../db/migrate.ts';
import { withJson } from './connect.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { type LocalOptions, noticeLogger, openLocalDatabase, withDatabase } from './local-database.ts';
import { readVersion } from './version.ts';

/** Adds `backup`. */
export function addBackupCommand(program: Command, io: CommandIo): void {
  withDatabase(
    withJson(program.command('backup').description('write everything in the database to one file; the server may run meanwhile')),
  )
    .requiredOption('--output <file>', 'file to write; refused where it exists')
    .action(async (options: LocalOptions & { output: string }) => {
      await refuseMissingDirectory(io, options);
      const path = resolve(options.output);
      const database = await openLocalDatabase(io, options, noticeLogger(io));
      try {
        const written = await writeBackup(database, path, { release: readVersion(), now: new Date() });
        if (options.json === true) {
          writeJson(io.stdout, { file: path, ...written });
          return;
        }
        writeLines(
          io.stdout,
          `${path}: ${written.rows} rows of ${written.tables} tables, ${written.tenants} tenants, ${megabytes(written.bytes)}`,
          `sha256 ${written.sha256}`,
          'It holds the keys that sign access tokens: keep it like a secret.',
        );
      } finally {
        await database.close();
      }
    });
}

/** Adds `restore`. */
export function addRestoreCommand(program: Command, io: CommandIo): void {
  withDatabase(withJson(program.command('restore').description('restore a backup into an empty database or a new data directory')))
    .argument('<file>', 'file that `countersign backup` wrote')
    .option('--check', 'only check that the file is complete and whole')
    .action(async (file: string, options: LocalOptions & { check?: boolean }) => {
      const path = resolve(file);
      // Before anything is opened: opening a data directory makes it.
      const checked = await readBackup(path);
      if (options.check === true) {
        say(io, options, `${path} is complete.`, checked, []);
        return;
      }
      if (!names(io, options)) {
        throw new UsageError('name the database to restore into: --data-dir, or --database-url');
      }
      const database = await openLocalDatabase(io, options, noticeLogger(io));
      try {
        const restored = await restoreBackup(database, path);
        const applied = await migrate(database, silentLogger);
        await checkDatabase(database);
        say(io, options, `Restored into ${database.description}.`, restored, applied);
      } finally {
        await database.close();
      }
    });
}

/** Whether a database is named at all: a restore does not go to a place that nobody named. */
function names(io: CommandIo, { dataDir, databaseUrl }: LocalOptions): boolean {
  const variables = ['COUNTERSIGN_DATA_DIR', 'COUNTERSIGN_DATABASE_URL', 'DATABASE_URL'];
  return dataDir !== undefined || databaseUrl !== undefined || variables.some((name) => (io.env[name] ?? '') !== '');
}

/** A mistyped folder would be made, and an empty database in it. */
async function refuseMissingDirectory(io: CommandIo, options: LocalOptions): Promise<void> {
  const external = options.databaseUrl ?? (io.env['COUNTERSIGN_DATABASE_URL'] || io.env['DATABASE_URL'] || undefined);
  const directory = options.dataDir ?? (io.env['COUNTERSIGN_DATA_DIR'] || undefined);
  if (external !== undefined || directory === undefined) {
    return;
  }
  const found = await stat(join(directory, 'postgres')).then(
    () => true,
    () => false,
  );
  if (!found) {
    throw new CommandFailure(`there is no database in ${directory}`);
  }
}

function say(io: CommandIo, options: LocalOptions, sentence: string, { head, end }: BackupSummary, applied: readonly string[]): void {
  if (options.json === true) {
    const { release, createdAt } = head;
    writeJson(io.stdout, { release, createdAt, tables: head.tables.length, rows: end.rows, sha256: end.sha256, applied });
    return;
  }
  writeLines(
    io.stdout,
    sentence,
    `Made by release ${head.release} at ${head.createdAt}: ${end.rows} rows of ${head.tables.length} tables, sha256 ${end.sha256}`,
    ...(applied.length === 0 ? [] : [`Then applied ${applied.join(', ')}`]),
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
