/**
 * Restoring a backup into an empty database: all of it in one transaction of the owner, so that whatever fails leaves nothing behind. The schema
 * is made by the migrations that the backup names; newer ones are the caller's business.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError } from '../../errors.ts';
import { applyAsBefore } from '../migrate.ts';
import { schemaName } from '../pool.ts';
import type { Database, Db } from '../types.ts';
import { type BackupHead, type BackupSummary, readBackup } from './format.ts';
import { listBackupTables, qualify, quoteName } from './tables.ts';

/**
 * Restores a backup. The file is read to its end before the database is touched. FAILED_PRECONDITION where the file is not complete and whole,
 * where the database is not empty, and where no URL of ours may act as the owner of the schema.
 */
export async function restoreBackup(database: Database, path: string): Promise<BackupSummary> {
  const checked = await readBackup(path);
  if (database.asOwner === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'A restore makes tables, and the role of --database-url may not. Give the role that is to own them as --database-owner-url.',
    );
  }
  const { role } = await database.system().one<{ role: string }>('SELECT current_user AS role');
  await database.asOwner(async (owner) => {
    await owner.transaction((db) => fill(db, path, role, checked));
    for (const { name } of checked.head.tables) {
      await owner.transaction(async (db) => {
        await db.limitStatements(0);
        await db.run(`ANALYZE ${qualify(name)}`);
      });
    }
  });
  return checked;
}

async function fill(db: Db, path: string, role: string, checked: BackupSummary): Promise<void> {
  await db.limitStatements(0);
  await db.run("SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '60s'");
  await applyAsBefore(db, role, checked.head.migrations);
  await refuseOtherTables(db, checked.head);
  const putBack = await layOpen(db);
  const read = await readBackup(path, {
    head: async () => undefined,
    table: (name) => copyInto(db, name, checked.head),
  });
  if (read.end.sha256 !== checked.end.sha256) {
    throw new AppError('FAILED_PRECONDITION', `The backup ${path} changed while it was read. Nothing was restored.`);
  }
  for (const [name, last] of Object.entries(read.end.sequences)) {
    await db.run('SELECT setval($1::regclass, $2::bigint)', [qualify(name), last]);
  }
  // The sealer's arithmetic is about the transactions of the cluster that was backed up; without it, the sealer looks at every event once.
  await db.run(`UPDATE ${qualify('logs')} SET snapshot = NULL`);
  for (const statement of putBack) {
    await db.run(statement);
  }
}

/** The schema that the migrations make must be the one that was backed up. */
async function refuseOtherTables(db: Db, head: BackupHead): Promise<void> {
  const describe = ({ name, columns }: { name: string; columns: readonly string[] }): string =>
    `${name} (${[...columns].sort().join(', ')})`;
  const made = new Set((await listBackupTables(db)).map(describe));
  const others = head.tables.map(describe).filter((table) => !made.has(table));
  if (others.length > 0 || made.size !== head.tables.length) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The backup is of a schema that its migrations do not make${others.length === 0 ? '' : `: ${others.slice(0, 5).join('; ')}`}. Somebody changed the schema of that database.`,
    );
  }
}

/**
 * Takes away what is in the way of rows that are what they were: triggers that would compute them again, row-level security that binds the
 * owner too, and indexes, which are made faster afterwards. Returns the statements that put it all back.
 */
async function layOpen(db: Db): Promise<string[]> {
  const rows = await db.rows<{ open: string; close: string }>(
    `SELECT format('ALTER TABLE %I.%I DISABLE TRIGGER USER', n.nspname, c.relname) AS open,
       format('ALTER TABLE %I.%I ENABLE TRIGGER USER', n.nspname, c.relname) AS close
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
     UNION ALL
     SELECT format('ALTER TABLE %I.%I NO FORCE ROW LEVEL SECURITY', n.nspname, c.relname), format('ALTER TABLE %I.%I FORCE ROW LEVEL SECURITY', n.nspname, c.relname)
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relforcerowsecurity
     UNION ALL
     SELECT format('DROP INDEX %I.%I', n.nspname, x.relname), pg_get_indexdef(x.oid)
     FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_namespace n ON n.oid = x.relnamespace
     WHERE n.nspname = $1 AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.oid AND k.contype IN ('p', 'u', 'x'))`,
    [schemaName],
  );
  for (const { open } of rows) {
    await db.run(open);
  }
  return rows.map(({ close }) => close).reverse();
}

async function copyInto(db: Db, name: string, head: BackupHead): Promise<{ rows(lines: Buffer): Promise<void>; end(): Promise<void> }> {
  const columns = head.tables.find((table) => table.name === name)?.columns ?? [];
  // Migrations may put rows into what they make; the backup has them as they were.
  await db.run(`DELETE FROM ${qualify(name)}`);
  let sink: Writable | undefined;
  return {
    async rows(lines) {
      sink ??= await db.copyFrom(`COPY ${qualify(name)} (${columns.map(quoteName).join(', ')}) FROM STDIN`);
      await write(sink, lines);
    },
    async end() {
      if (sink !== undefined) {
        sink.end();
        await finished(sink, { readable: false });
      }
    },
  };
}

/** Waits for the database where it is slower than the file. */
async function write(sink: Writable, lines: Buffer): Promise<void> {
  if (sink.errored !== null) {
    throw sink.errored;
  }
  if (!sink.write(lines)) {
    await once(sink, 'drain');
  }
}
