/** `countersign migrate`: brings the database's schema up to this release. `serve` does the same at start. */
import type { Command } from 'commander';
import { checkDatabase } from '../db/check.ts';
import { migrate } from '../db/migrate.ts';
import { silentLogger } from '../context.ts';
import { withJson } from './connect.ts';
import { type CommandIo, writeJson, writeLines } from './io.ts';
import { type LocalOptions, noticeLogger, openLocalDatabase, withDatabase } from './local-database.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Command, io: CommandIo): void {
  withDatabase(withJson(program.command('migrate').description('migrate the schema of the database to this release'))).action(
    async (options: LocalOptions) => {
      const database = await openLocalDatabase(io, options, noticeLogger(io));
      try {
        const applied = await migrate(database, silentLogger);
        await checkDatabase(database);
        if (options.json === true) {
          writeJson(io.stdout, { database: database.description, applied });
          return;
        }
        writeLines(io.stdout, `${database.description}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}`);
      } finally {
        await database.close();
      }
    },
  );
}
