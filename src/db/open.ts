/**
 * Opening the database: an external PostgreSQL where a URL is given, else the embedded one. What a `Database` can do is in types.ts;
 * its schema comes from migrate.ts and is not touched here.
 */
import type pg from 'pg';
import { AppError } from '../errors.ts';
import type { Logger } from '../context.ts';
import { chooseDefaultDirectory } from './embedded/directory.ts';
import { keepServer } from './embedded/keep.ts';
import { prepareExternal } from './external.ts';
import { createListenConnection } from './listen.ts';
import { type ConnectionTarget, clientConfig, createPool, misuse, schemaName } from './pool.ts';
import { createPooledDb } from './session.ts';
import type { Database } from './types.ts';

/** Which database to open and how. */
export interface OpenOptions {
  /** An external PostgreSQL from 15 on; wins over `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded server keeps its data: used or refused, never moved. Without it, `data` in the clone (see chooseDefaultDirectory). */
  readonly dataDir?: string | undefined;
  /** Most connections at once, 16 unless given; one more listens. */
  readonly poolSize?: number | undefined;
  /** Longest time of one statement, 30,000 unless given; jobs set their own. */
  readonly statementTimeoutMs?: number | undefined;
  readonly log: Logger;
}

/**
 * Opens the database. FAILED_PRECONDITION where what was given cannot be used (with a message for the operator), UNAVAILABLE where an
 * external server does not answer. Once open, it stays open through restarts of the server: calls fail with UNAVAILABLE meanwhile.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { log } = options;
  if (options.databaseUrl !== undefined && options.databaseUrl !== '') {
    const { target, description } = await prepareExternal(options.databaseUrl);
    return openTarget(target, description, options, async () => undefined);
  }
  const server = await keepServer(options.dataDir || (await chooseDefaultDirectory(log)), log);
  try {
    const database = openTarget(server.target, `embedded in ${server.directory}`, options, () => server.release());
    await database.system().run(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`).catch(ignoreExisting);
    return database;
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** Two processes may make the schema at the same moment. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') {
    throw error;
  }
}

/** A database at a place that is known to be fit; `release` is called once, when all connections are closed. */
function openTarget(target: ConnectionTarget, description: string, options: OpenOptions, release: () => Promise<void>): Database {
  const { poolSize = 16, statementTimeoutMs = 30_000, log } = options;
  const pool = createPool(target, poolSize, statementTimeoutMs, log);
  const listenConfig: pg.ClientConfig = clientConfig(target, statementTimeoutMs, 'countersign listen');
  const listening = createListenConnection(listenConfig, log);
  const system = createPooledDb(pool, '');
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await listening.close();
    await pool.close();
    await release();
  }

  return {
    description,
    tenant(tenantId) {
      if (tenantId === '') {
        throw misuse('a tenant without id was asked for');
      }
      return createPooledDb(pool, tenantId);
    },
    system: () => system,
    listen: (channel, onNotify, onReconnect) => listening.listen(channel, onNotify, onReconnect),
    stats: () => pool.stats(),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
