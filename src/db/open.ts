/**
 * Opening the database: an external PostgreSQL where a URL is given, else the embedded one. What a `Database` can do is in types.ts;
 * its schema comes from migrate.ts and is not touched here.
 */
import type { Logger } from '../context.ts';
import { chooseDefaultDirectory } from './embedded/directory.ts';
import { keepServer } from './embedded/keep.ts';
import { prepareEmbedded, prepareExternal } from './external.ts';
import { createListenConnection } from './listen.ts';
import { type ConnectionTarget, clientConfig, createPool, misuse } from './pool.ts';
import { createPooledDb } from './session.ts';
import type { Database, Db, Keyring, Vault } from './types.ts';

export { chooseDefaultDirectory };

const defaultPoolSize = 16;

/** Database to open and how. */
export interface OpenOptions {
  /** An external PostgreSQL from 15 on; wins over `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** The same database as the role that owns the schema, for migrations, where the role of `databaseUrl` does not. */
  readonly databaseOwnerUrl?: string | undefined;
  /**
   * Folder of the embedded server's data: used or refused, never moved. Without it, `data` in the clone or in a folder of the account (see
   * chooseDefaultDirectory).
   */
  readonly dataDir?: string | undefined;
  /** Most connections at once, 16 unless given; one more listens. */
  readonly poolSize?: number | undefined;
  /** Longest time of one statement, 30,000 unless given; jobs set their own. */
  readonly statementTimeoutMs?: number | undefined;
  /**
   * True if nothing is served and no row is written, as for a backup: an external owner that bypasses row-level security then does without a role
   * that serves.
   */
  readonly onlyReads?: boolean | undefined;
  /** Secrets that keys of logs follow from, the one in use first; none: those of the tenants. */
  readonly logSecrets?: readonly Buffer[] | undefined;
  /** See Vault. */
  readonly timeStampRoots?: string | undefined;
  /** See Vault. */
  readonly keyring?: Keyring | undefined;
  /** See Vault. */
  readonly secretsDir?: string | undefined;
  readonly log: Logger;
}

/**
 * Opens the database. FAILED_PRECONDITION where what was given cannot be used (with a message for the operator), UNAVAILABLE where an
 * external server does not answer. Once open, it stays open through restarts of the server: calls fail with UNAVAILABLE meanwhile.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { log, databaseOwnerUrl } = options;
  if (options.databaseUrl !== undefined && options.databaseUrl !== '') {
    const { databaseUrl, onlyReads = false, poolSize = defaultPoolSize } = options;
    const use = { onlyReads, poolSize };
    const { target, ownerTarget, description, warnings } = await prepareExternal(databaseUrl, databaseOwnerUrl || undefined, use);
    for (const warning of warnings) {
      log.warn({}, warning);
    }
    return openTarget(target, ownerTarget, description, options, async () => undefined);
  }
  const server = await keepServer(options.dataDir || (await chooseDefaultDirectory(log)), log);
  try {
    const { target, ownerTarget } = await prepareEmbedded(server.databaseConfig);
    return openTarget(target, ownerTarget, `embedded in ${server.directory}`, options, () => server.release());
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** A database at a place that is known to be fit; `release` is called once, when all connections are closed. */
function openTarget(
  target: ConnectionTarget,
  ownerTarget: ConnectionTarget | undefined,
  description: string,
  options: OpenOptions,
  release: () => Promise<void>,
): Database {
  const { poolSize = defaultPoolSize, statementTimeoutMs = 30_000, log } = options;
  const pool = createPool(target, poolSize, statementTimeoutMs, log);
  const listenConfig = clientConfig(target, statementTimeoutMs, 'countersign listen');
  const listening = createListenConnection(listenConfig, log);
  const { logSecrets = [], timeStampRoots = '', keyring, secretsDir = '' } = options;
  const vault: Vault = { logSecrets, timeStampRoots, keyring, secretsDir, remembered: new Map() };
  const system = createPooledDb(pool, '', vault);
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    try {
      await listening.close();
      await pool.close();
    } finally {
      // Whatever a connection that hangs came to: the server is not left behind.
      await release();
    }
  }

  async function asOwner<T>(as: ConnectionTarget, work: (db: Db) => Promise<T>): Promise<T> {
    const own = createPool(as, 1, statementTimeoutMs, log);
    try {
      return await work(createPooledDb(own, '', vault));
    } finally {
      await own.close();
    }
  }

  return {
    description,
    tenant(tenantId) {
      if (tenantId === '') {
        throw misuse('a tenant without id was asked for');
      }
      return createPooledDb(pool, tenantId, vault);
    },
    system: () => system,
    ...(ownerTarget === undefined ? {} : { asOwner: (work) => asOwner(ownerTarget, work) }),
    listen: (channel, onNotify, onReconnect) => listening.listen(channel, onNotify, onReconnect),
    stats: () => pool.stats(),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
