/** `countersign migrate`: brings the database's schema up to this release. `serve` does the same at start. */
import { silentLogger } from '../../context.ts';
import { checkDatabase } from '../../db/check.ts';
import { migrate } from '../../db/migrate.ts';
import type { Commands } from '../frame/commands.ts';
import { noticeLogger, onDatabase, openLocalDatabase } from './database.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Commands): void {
  program.run('migrate', {
    description: 'migrate the schema of the database to this release',
    shared: onDatabase,
    act: async (given, { io }) => {
      const database = await openLocalDatabase(io, given, noticeLogger(io), { expected: 'EMPTY' });
      try {
        const applied = await migrate(database, silentLogger);
        await checkDatabase(database);
        const said = applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`;
        return { json: { database: database.description, applied }, text: `${database.description}: ${said}` };
      } finally {
        await database.close();
      }
    },
  });
}
