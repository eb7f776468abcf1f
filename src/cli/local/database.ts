/**
 * Commands that go to the database itself: their shared options, and an open, migrated database with what is needed to act on it. What opens
 * it is loaded with the first use: the options alone stand in groups whose other commands speak to a server.
 */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { listEmptyPlaces } from '../../config/known-variables.ts';
import type { Database } from '../../db/types.ts';
import { silentLogger, type Logger } from '../../context.ts';
import { withJson } from '../frame/connect.ts';
import { CommandFailure, type CommandIo, UsageError, writeLines } from '../frame/io.ts';

/** Entries of a folder that are looked into for a data directory. */
const mostNeighbours = 100;

/** Values of the shared options after parsing. */
export interface LocalOptions {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly databaseOwnerUrl?: string;
  readonly logSecretFile?: string;
  readonly json?: boolean;
}

/** Adds --data-dir, --database-url, --database-owner-url and --log-secret-file. */
export function withDatabase(command: Command): Command {
  return command
    .addOption(new Option('--data-dir <dir>', 'directory of the embedded database; COUNTERSIGN_DATA_DIR'))
    .addOption(new Option('--database-url <url>', 'an external PostgreSQL; COUNTERSIGN_DATABASE_URL or DATABASE_URL'))
    .addOption(
      new Option(
        '--database-owner-url <url>',
        'the same database as the role that owns the tables, for migrations; COUNTERSIGN_DATABASE_OWNER_URL',
      ),
    )
    .addOption(new Option('--log-secret-file <file>', 'secret that the keys of event logs follow from; COUNTERSIGN_LOG_SECRET_FILE'));
}

/** Adds the options of a command that speaks to no server: those of the database, and --json. */
export function onDatabase(command: Command): Command {
  return withDatabase(withJson(command));
}

/**
 * State of a database that a command takes. A misspelt folder or name must not become an empty product: ANY makes what is missing, EMPTY takes an
 * existing folder or database in which nothing is yet, FILLED wants the tables of Countersign in it.
 */
type Expected = 'ANY' | 'EMPTY' | 'FILLED';

/** Runs `work` on the database the options mean, brought up to this release, whether or not a server runs on it. */
export async function withLocalDatabase<T>(
  io: CommandIo,
  options: LocalOptions,
  work: (database: Database, log: Logger) => Promise<T>,
  expected: Expected = 'FILLED',
): Promise<T> {
  const log = noticeLogger(io);
  const database = await openLocalDatabase(io, options, log, { expected });
  try {
    const [{ migrate }, { checkDatabase }] = await Promise.all([import('../../db/migrate.ts'), import('../../db/check.ts')]);
    await migrate(database, silentLogger);
    await checkDatabase(database);
    return await work(database, silentLogger);
  } finally {
    await database.close();
  }
}

/** Opens the database the options mean, as it is; `onlyReads` as in OpenOptions. CommandFailure where it is not as expected. */
export async function openLocalDatabase(
  io: CommandIo,
  options: LocalOptions,
  log: Logger,
  { onlyReads = false, expected = 'FILLED' }: { readonly onlyReads?: boolean; readonly expected?: Expected } = {},
): Promise<Database> {
  const databaseUrl = options.databaseUrl ?? (io.env['COUNTERSIGN_DATABASE_URL'] || io.env['DATABASE_URL'] || undefined);
  const dataDir = options.dataDir ?? (io.env['COUNTERSIGN_DATA_DIR'] || undefined);
  const [empty] = listEmptyPlaces(io.env, { url: databaseUrl !== undefined, directory: options.dataDir !== undefined });
  if (empty !== undefined) {
    throw new UsageError(empty);
  }
  const databaseOwnerUrl = options.databaseOwnerUrl ?? (io.env['COUNTERSIGN_DATABASE_OWNER_URL'] || undefined);
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined) {
    throw new UsageError('--database-owner-url goes with --database-url, which is missing');
  }
  const [{ openDatabase, chooseDefaultDirectory }, { readLogSecretFile }, { findApplied }] = await Promise.all([
    import('../../db/open.ts'),
    import('../../foundation/log-proofs/index.ts'),
    import('../../db/migrate.ts'),
  ]);
  if (databaseUrl === undefined && expected !== 'ANY') {
    await requireDataDirectory(io, options.dataDir);
    const directory = dataDir ?? (await chooseDefaultDirectory(silentLogger));
    if (expected === 'FILLED' && (await isMissing(join(directory, 'postgres')))) {
      throw new CommandFailure(`there is no database in ${directory}; name the right one with --data-dir or --database-url`);
    }
  }
  const logSecrets = await readLogSecretFile(options.logSecretFile ?? (io.env['COUNTERSIGN_LOG_SECRET_FILE'] || undefined));
  const database = await openDatabase({ databaseUrl, databaseOwnerUrl, dataDir, poolSize: 4, onlyReads, logSecrets, log });
  if (expected === 'FILLED' && (await findApplied(database.system()).catch(() => [])) === undefined) {
    await database.close();
    throw new CommandFailure(
      `there are no tables of countersign in ${database.description}; name the right one with --data-dir or --database-url`,
    );
  }
  return database;
}

/**
 * Refuses a data directory that is named and does not exist, and one beside the true one: made in passing, a misspelt one would be an empty
 * product, and what is in the true one would seem lost.
 */
export async function requireDataDirectory(io: CommandIo, flag: string | undefined): Promise<void> {
  const directory = flag ?? (io.env['COUNTERSIGN_DATA_DIR'] || undefined);
  if (directory === undefined) {
    return;
  }
  const option = flag === undefined ? 'COUNTERSIGN_DATA_DIR' : '--data-dir';
  if (await isMissing(directory)) {
    throw new CommandFailure(
      `the data directory ${resolve(directory)} does not exist; mend ${option}, or make the folder for a new installation: mkdir -p '${directory}'`,
    );
  }
  if (await exists(join(directory, 'countersign-cluster.json'))) {
    throw new CommandFailure(`${resolve(directory)} is the database inside a data directory; give ${option} the folder above it`);
  }
  if (await exists(join(directory, 'postgres'))) {
    return;
  }
  for (const name of (await readdir(directory).catch(() => [])).slice(0, mostNeighbours)) {
    if (await exists(join(directory, name, 'postgres', 'countersign-cluster.json'))) {
      throw new CommandFailure(`${resolve(directory)} is no data directory, and ${join(directory, name)} is one; mend ${option}`);
    }
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** False also where this account may not look: whoever opens it says so. */
function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
}

/** Says in one line each, on standard error, what an operator must know (where the data went, what is wrong), and nothing else. */
export function noticeLogger(io: CommandIo): Logger {
  const say = (fields: object, message?: string): void => {
    const reason = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.message}` : '';
    if (message !== undefined) {
      writeLines(io.stderr, `${message}${reason}`);
    }
  };
  const logger: Logger = { debug() {}, info() {}, warn: say, error: say, child: () => logger };
  return logger;
}
