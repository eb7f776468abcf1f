/**
 * Writing a backup while the service runs: every row of one moment, in one read-only transaction. A role that row-level security binds reads
 * tenant by tenant, so the role that serves is enough.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';
import { type Applied, findApplied } from '../migrate.ts';
import type { Database, Db } from '../types.ts';
import { type BackupHead, countLines, endOfRows, formatVersion } from './format.ts';
import { type BackupTable, listBackupTables, listSequences, qualify, quoteName } from './tables.ts';

/** Totals written. */
export interface WrittenBackup {
  readonly tables: number;
  readonly tenants: number;
  readonly rows: number;
  readonly bytes: number;
  /** Of the content, as the file's last line says it. */
  readonly sha256: string;
}

/** Bytes written at once: rows are small. */
const pieceBytes = 256 * 1024;

/**
 * Writes a backup to a file that is not there yet, with mode 0600, on disk before it returns. Where anything fails, no file is left.
 * FAILED_PRECONDITION where the file exists or the database has no schema of ours.
 */
export async function writeBackup(database: Database, path: string, about: { release: string; now: Date }): Promise<WrittenBackup> {
  await refuseExisting(path);
  // Processes in two containers have the same number.
  const partial = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const written = await inOneMoment(database, async (db) => {
      const content = createContent(db, about);
      const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(Readable.from(content.pieces(), { objectMode: true }), createGzip({ level: 4 }), file);
      return content.summary();
    });
    const { size } = await stat(partial);
    await giveName(partial, path);
    return { ...written, bytes: size };
  } catch (error) {
    // Where its folder is none, it cannot be removed either.
    await rm(partial, { force: true }).catch(() => undefined);
    const reason = error instanceof AppError ? undefined : reasonOfFile(error);
    throw reason === undefined
      ? error
      : new AppError('FAILED_PRECONDITION', `The backup ${path} cannot be written: ${reason}. Name another file with --output.`, {
          cause: error,
        });
  }
}

/** Never replaces a file, one of another backup of this name that ended meanwhile neither. */
async function giveName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw error;
    }
    // A file system without links.
    await refuseExisting(path);
    return rename(partial, path);
  }
  await rm(partial);
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw new AppError('FAILED_PRECONDITION', `${path} exists already. Name a new file: a backup never replaces another.`);
  }
}

/** A transaction that sees one moment, and that no table changes its columns under. As the owner where we can be it: it may see all tenants at once. */
function inOneMoment<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  async function begin(outside: Db): Promise<T> {
    const tables = await listBackupTables(outside);
    if (tables.length === 0) {
      throw nothingThere();
    }
    return outside.transaction(async (db) => {
      await db.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await db.limitStatements(0);
      await db.run('SET LOCAL idle_in_transaction_session_timeout = 0');
      // Before the first look at anything: whoever waits for a lock afterwards sees columns that the snapshot does not have.
      await db.run(`LOCK TABLE ${tables.map(({ name }) => qualify(name)).join(', ')} IN ACCESS SHARE MODE`);
      return work(db);
    });
  }
  return database.asOwner === undefined ? begin(database.system()) : database.asOwner(begin);
}

function createContent(
  db: Db,
  about: { release: string; now: Date },
): { pieces(): AsyncGenerator<Buffer>; summary(): Omit<WrittenBackup, 'bytes'> } {
  const hash = createHash('sha256');
  const summary = { tables: 0, tenants: 0, rows: 0, sha256: '' };

  function line(value: object): Buffer {
    return Buffer.from(`${JSON.stringify(value)}\n`);
  }

  async function* everything(): AsyncGenerator<Buffer> {
    const migrations = await listMigrations(db);
    const tables = await listBackupTables(db);
    const tenantIds = await listScopes(db);
    summary.tables = tables.length;
    summary.tenants = await countTenants(db);
    const head: BackupHead = {
      release: about.release,
      createdAt: about.now.toISOString(),
      migrations,
      tables: tables.map(({ name, columns }) => ({ name, columns })),
    };
    yield line({ countersignBackup: formatVersion, ...head });
    for (const table of tables) {
      yield line({ table: table.name });
      const before = summary.rows;
      yield* listRows(table, tenantIds);
      yield Buffer.from(endOfRows);
      yield line({ rows: summary.rows - before });
    }
  }

  async function* listRows(table: BackupTable, tenantIds: readonly string[] | undefined): AsyncGenerator<Buffer> {
    const columns = table.columns.map(quoteName).join(', ');
    if (!table.isGuarded || tenantIds === undefined) {
      yield* copy(`COPY ${qualify(table.name)} (${columns}) TO STDOUT`);
      return;
    }
    for (const tenantId of tenantIds) {
      await db.run("SELECT set_config('countersign.tenant_id', $1, true)", [tenantId]);
      // An owner whom row-level security does not bind here sees the others' rows as well.
      yield* copy(`COPY (SELECT ${columns} FROM ${qualify(table.name)} WHERE tenant_id = (SELECT current_tenant_id())) TO STDOUT`);
    }
  }

  async function* copy(statement: string): AsyncGenerator<Buffer> {
    // Counted here: PostgreSQL's own count comes behind the rows, and the stream may end before it is there.
    for await (const rows of (await db.copyTo(statement)) as AsyncIterable<Buffer>) {
      summary.rows += countLines(rows);
      yield rows;
    }
  }

  return {
    async *pieces() {
      let waiting: Buffer[] = [];
      let size = 0;
      for await (const each of everything()) {
        hash.update(each);
        waiting.push(each);
        size += each.length;
        if (size >= pieceBytes) {
          yield Buffer.concat(waiting, size);
          [waiting, size] = [[], 0];
        }
      }
      summary.sha256 = hash.digest('hex');
      waiting.push(line({ end: true, rows: summary.rows, sequences: await listSequences(db), sha256: summary.sha256 }));
      yield Buffer.concat(waiting);
    },
    summary: () => summary,
  };
}

async function listMigrations(db: Db): Promise<Applied[]> {
  const applied = await findApplied(db);
  if (applied === undefined) {
    throw nothingThere();
  }
  return applied;
}

function nothingThere(): AppError {
  return new AppError('FAILED_PRECONDITION', 'There is nothing to back up: the database has no tables of Countersign.');
}

/** Undefined where this role sees the rows of all tenants at once; else each tenant, deleted ones included. */
async function listScopes(db: Db): Promise<string[] | undefined> {
  const { seesAll } = await db.one<{ seesAll: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS "seesAll" FROM pg_roles WHERE rolname = current_user',
  );
  return seesAll
    ? undefined
    : (await db.rows<{ id: string }>('SELECT tenant_id AS id FROM tenants ORDER BY tenant_id')).map(({ id }) => id);
}

async function countTenants(db: Db): Promise<number> {
  return (await db.one<{ count: number }>('SELECT count(*) AS count FROM tenants')).count;
}
