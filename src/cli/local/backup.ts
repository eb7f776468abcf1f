/** `countersign backup` and `countersign restore`: on the database itself, whether or not a server runs on it. */
import { resolve } from 'node:path';
import type { Answer, Commands } from '../frame/commands.ts';
import { silentLogger } from '../../context.ts';
import { type BackupSummary, readBackup } from '../../db/backup/format.ts';
import { restoreBackup } from '../../db/backup/restore.ts';
import { writeBackup } from '../../db/backup/write.ts';
import { checkDatabase } from '../../db/check.ts';
import { migrate } from '../../db/migrate.ts';
import { type CommandIo, UsageError } from '../frame/io.ts';
import { type LocalOptions, noticeLogger, onDatabase, openLocalDatabase } from './database.ts';
import { readVersion } from '../../lib/version.ts';

/** Adds `backup`. */
export function addBackupCommand(program: Commands): void {
  program.run('backup', {
    description: 'write everything in the database to one file; the server may run meanwhile',
    shared: onDatabase,
    options: { '--output <file>': { text: 'file to write; refused where it exists', needed: true } },
    act: async (given, { io }) => {
      const path = resolve(given.output);
      const database = await openLocalDatabase(io, given, noticeLogger(io), { onlyReads: true });
      try {
        const written = await writeBackup(database, path, { release: readVersion(), now: new Date() });
        return {
          json: { file: path, ...written },
          text: [
            `${path}: ${written.rows} rows of ${written.tables} tables, ${written.tenants} tenants, ${megabytes(written.bytes)}`,
            `sha256 ${written.sha256}`,
            'It holds the keys that sign access tokens: keep it like a secret.',
          ],
        };
      } finally {
        await database.close();
      }
    },
  });
}

/** Adds `restore`. */
export function addRestoreCommand(program: Commands): void {
  program.run('restore', {
    description: 'restore a backup into an empty database or a new data directory',
    shared: onDatabase,
    operands: { '<file>': 'file that `countersign backup` wrote' },
    options: { '--check': 'only check that the file is complete and whole' },
    act: async (given, { io }) => {
      const path = resolve(given.file);
      // Before anything is opened: opening a data directory makes it.
      const checked = await readBackup(path);
      if (given.check === true) {
        return describe(`${path} is complete.`, checked, []);
      }
      if (!names(io, given)) {
        throw new UsageError('name the database to restore into: --data-dir, or --database-url');
      }
      const database = await openLocalDatabase(io, given, noticeLogger(io), { expected: 'ANY' });
      try {
        const restored = await restoreBackup(database, path);
        const applied = await migrate(database, silentLogger);
        await checkDatabase(database);
        return describe(`Restored into ${database.description}.`, restored, applied);
      } finally {
        await database.close();
      }
    },
  });
}

/** True if a database is named at all: a restore does not go to a place that nobody named. */
function names(io: CommandIo, { dataDir, databaseUrl }: LocalOptions): boolean {
  const variables = ['COUNTERSIGN_DATA_DIR', 'COUNTERSIGN_DATABASE_URL', 'DATABASE_URL'];
  return dataDir !== undefined || databaseUrl !== undefined || variables.some((name) => (io.env[name] ?? '') !== '');
}

function describe(sentence: string, { head, end }: BackupSummary, applied: readonly string[]): Answer {
  const { release, createdAt, tables } = head;
  return {
    json: { release, createdAt, tables: tables.length, rows: end.rows, sha256: end.sha256, applied },
    text: [
      sentence,
      `Made by release ${release} at ${createdAt}: ${end.rows} rows of ${tables.length} tables, sha256 ${end.sha256}`,
      ...(applied.length === 0 ? [] : [`Then applied ${applied.join(', ')}`]),
    ],
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
