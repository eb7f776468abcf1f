/**
 * Opening the database: an external PostgreSQL where a URL is given, else the embedded one. What a `Database` can do is in types.ts;
 * its schema comes from migrate.ts and is not touched here.
 */
import type { Logger } from '../context.ts';
import { AppError } from '../errors.ts';
import { ask } from './asked.ts';
import { chooseDefaultDirectory } from './embedded/directory.ts';
import { explainFailure } from './embedded/explain-start.ts';
import { type EmbeddedServer, keepServer } from './embedded/keep.ts';
import { prepareEmbedded, prepareExternal } from './external.ts';
import { createListenConnection } from './listen.ts';
import { type ConnectionTarget, clientConfig, createPool, misuse, type SessionPool } from './pool.ts';
import { createPooledDb } from './session.ts';
import type { SettledConfig } from './settled-client.ts';
import type { Database, Db, Keyring, Vault } from './types.ts';
import { readOnlySentence, type ServerWatch, watchServer } from './watch-server.ts';

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
  readonly timeStamps?: Vault['timeStamps'] | undefined;
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
    return openTarget(target, ownerTarget, description, true, options, async () => undefined);
  }
  const server = await openEmbedded(options.dataDir, log);
  try {
    const { target, ownerTarget } = await prepareEmbedded(server.databaseConfig);
    return openTarget(target, ownerTarget, `embedded in ${server.directory}`, false, options, () => server.release());
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** Asks too: a server of our own is not looked at all the time. */
async function checkWritable(pool: SessionPool, watch: ServerWatch): Promise<void> {
  const trouble = watch.trouble();
  const isReadOnly = async (): Promise<boolean> => {
    const text = "SELECT current_setting('transaction_read_only') = 'on' AS read_only";
    const { rows } = await pool.use('', (client) => ask(client, () => client.query<{ read_only: boolean }>(text)));
    return rows[0]?.read_only === true;
  };
  if (trouble !== undefined || (await isReadOnly())) {
    throw new AppError('UNAVAILABLE', trouble ?? readOnlySentence);
  }
}

/** Takes the embedded server into use; what the system refuses on the way is said as a sentence. */
async function openEmbedded(dataDir: string | undefined, log: Logger): Promise<EmbeddedServer> {
  try {
    return await keepServer(dataDir || (await chooseDefaultDirectory(log)), log);
  } catch (error) {
    throw explainFailure(error, dataDir ?? '');
  }
}

/** A database at a place that is known to be fit; `release` is called once, when all connections are closed. */
function openTarget(
  target: ConnectionTarget,
  ownerTarget: ConnectionTarget | undefined,
  description: string,
  isExternal: boolean,
  options: OpenOptions,
  release: () => Promise<void>,
): Database {
  const { poolSize = defaultPoolSize, statementTimeoutMs = 30_000, log } = options;
  const configOf = (as: ConnectionTarget, name: string): SettledConfig => clientConfig(as, statementTimeoutMs, name);
  // As whoever logs in: the server tells of the connections of a login to itself.
  const { role: _, ...login } = target;
  const watch = watchServer(
    configOf(login, 'countersign probe'),
    { looksAlways: isExternal, allowsStandby: options.onlyReads === true, statementTimeoutMs },
    log,
  );
  const pool = createPool(configOf(target, 'countersign'), poolSize, watch, log);
  const listening = createListenConnection(configOf(target, 'countersign listen'), watch, log);
  const { logSecrets = [], timeStamps = { pem: '', policies: [] }, keyring, secretsDir = '' } = options;
  const vault: Vault = { logSecrets, timeStamps, keyring, secretsDir, remembered: new Map() };
  const system = createPooledDb(pool, '', vault);
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    try {
      await Promise.all([listening.close(), pool.close()]);
    } finally {
      watch.stop();
      // Whatever a connection that hangs came to: the server is not left behind.
      await release();
    }
  }

  async function asOwner<T>(as: ConnectionTarget, work: (db: Db) => Promise<T>): Promise<T> {
    const own = createPool(configOf(as, 'countersign'), 1, watch, log);
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
    checkWritable: () => checkWritable(pool, watch),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
