/**
 * Keeps the embedded server there while we need it: adopts a running one, starts one where there is none, starts it again when it
 * dies, and stops it when we are the last process that uses it.
 *
 * Each process holds one connection of its own, the keeper, with a shared advisory lock. The lock is the count of users: it goes with
 * the connection, so a killed process is not counted, and no file of pids can be stale. The end of that connection is also
 * how we learn at once that the server died.
 *
 * There is one server, whoever starts it where: it has the lock of the directory (lock.ts), and whoever does not get that waits for its socket.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../context.ts';
import { isConnectionLost, sqlStateOf } from '../translate-error.ts';
import { type Binaries, findBinaries, prepareBinaries } from './binaries.ts';
import { createCluster, findPostmaster, removeStaleFiles, removeUnfinished, superuser } from './cluster.ts';
import { chooseSocketFolder, claimDirectory, type DataDirectory } from './directory.ts';
import { explainFailure, explainServer, explainUse } from './explain-start.ts';
import { makePrivate } from './folder-rights.ts';
import { describeHolder, readSignature, takeLock } from './lock.ts';
import { endOrphans } from './processes.ts';
import { readProgress } from './server-log.ts';
import { endServer, type StartedServer, startServer, stopServer } from './start.ts';

const database = 'countersign';

/** Key of the advisory lock in the database `postgres` that every user of the server holds shared. */
const usersLock = 7_300_001;
const setUpLock = 7_300_002;

/** Time a server may be starting up before we give up: recovery after a kill reads up to 2 GB of log. */
const maxStartMs = 300_000;

/** Time that another process may have the lock of the directory without a sign of a server. */
const maxSilentMs = 30_000;

/** Servers that were started and ended from outside before they could be used: there is something that ends each. */
const maxEnded = 10;

/** Wish for a connection: as long as it is wanted, and not to a database that would have to be made first, where there was one. */
interface Wish {
  readonly isWanted: () => boolean;
  readonly isMade: boolean;
}

/** A server that is there as long as we want it. */
export interface EmbeddedServer {
  readonly directory: string;
  /** The superuser in our database: as whom to work there is prepared over it. */
  readonly databaseConfig: pg.ClientConfig;
  /** Lets go of it; the last process to do so stops it. All other connections must be closed before. */
  release(): Promise<void>;
}

/** Takes the data directory into use and returns when its server answers; FAILED_PRECONDITION with the reason where it cannot. */
export async function keepServer(path: string, log: Logger): Promise<EmbeddedServer> {
  const directory = await claimDirectory(path);
  const socketFolder = await chooseSocketFolder(directory);
  const superuserConfig: pg.ClientConfig = {
    host: socketFolder,
    port: 5432,
    user: superuser,
    database: 'postgres',
    password: '',
    ssl: false,
  };

  let releasing = false;
  let bringing: Promise<void> = Promise.resolve();
  let keeper = await connectKeeper(directory, superuserConfig, log);
  watch(keeper);

  function watch(client: pg.Client): void {
    client.once('end', () => {
      if (!releasing) {
        log.warn({ directory: directory.root }, 'the connection to the embedded PostgreSQL was lost; starting it again');
        bringing = bringBack();
      }
    });
  }

  async function bringBack(): Promise<void> {
    for (let pauseMs = 100; !releasing; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      try {
        const client = await connectKeeper(directory, superuserConfig, log, { isWanted: () => !releasing, isMade: true });
        keeper = client;
        watch(client);
        log.info({ directory: directory.root }, 'the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL could not be started again; trying once more');
        if (!releasing) {
          await delay(pauseMs, undefined, { ref: false });
        }
      }
    }
  }

  return {
    directory: directory.root,
    databaseConfig: { ...superuserConfig, database },
    async release() {
      if (releasing) {
        return;
      }
      releasing = true;
      await bringing;
      const last = await becomeLastUser(directory, keeper, superuserConfig);
      if (last !== undefined) {
        if (!(await stopServer(directory.cluster, log)) && (await answers(last))) {
          const holder = describeHolder(await readSignature(directory));
          log.info({ directory: directory.root, holder }, 'the embedded PostgreSQL runs in another container and ends with that one');
        }
        await last.end().catch(() => undefined);
      }
      await keeper.end().catch(() => undefined);
    },
  };
}

/**
 * Gives up our share of the users' lock. Where nobody holds one any more: the connection that now keeps others from getting one until the
 * server is gone.
 */
async function becomeLastUser(directory: DataDirectory, keeper: pg.Client, config: pg.ClientConfig): Promise<pg.Client | undefined> {
  const ask = async (client: pg.Client): Promise<boolean> => {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [usersLock]);
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [usersLock]);
    return rows[0]?.free === true;
  };
  try {
    return (await ask(keeper)) ? keeper : undefined;
  } catch {
    // The server died a moment ago. Somebody else may have started it again, or we ourselves without getting to use it.
    if ((await findPostmaster(directory.cluster)) === undefined) {
      return undefined;
    }
  }
  const client = await connect(config).catch(() => undefined);
  if (client !== undefined && (await ask(client).catch(() => false))) {
    return client;
  }
  await client?.end().catch(() => undefined);
  return undefined;
}

async function answers(client: pg.Client): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

/** Connects the keeper: to the server that runs, else to one started now. Where that fails, what was started is stopped again. */
async function connectKeeper(
  directory: DataDirectory,
  config: pg.ClientConfig,
  log: Logger,
  wish: Wish = { isWanted: () => true, isMade: false },
): Promise<pg.Client> {
  const ours: { server?: StartedServer | undefined } = {};
  try {
    return await connectOrStart(directory, config, log, ours, wish);
  } catch (error) {
    if (ours.server !== undefined) {
      await stopUnused(ours.server, config, log);
    }
    throw error;
  }
}

/** Stops a server that we started and cannot use, unless somebody else came to use it meanwhile. */
async function stopUnused({ pid }: StartedServer, config: pg.ClientConfig, log: Logger): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connect(config);
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [usersLock]);
    if (rows[0]?.free !== true) {
      await client.end();
      return;
    }
  } catch (error) {
    // Full of connections it serves others. Where nobody gets in, nobody uses it.
    if (sqlStateOf(error) === '53300') {
      return;
    }
  }
  await endServer(pid, log);
  await client?.end().catch(() => undefined);
}

/** Goes on until a keeper is connected. `ours.server` is the one that was started here and has not ended. */
async function connectOrStart(
  directory: DataDirectory,
  config: pg.ClientConfig,
  log: Logger,
  ours: { server?: StartedServer | undefined },
  { isWanted, isMade }: Wish,
): Promise<pg.Client> {
  let begun = Date.now();
  let toldAt = begun;
  // The last sign of a server that comes or goes: it says so, or another process has just taken the lock to start one.
  let signAt = begun;
  let signature = '';
  let progress: string | undefined;
  let lastSaid = '';
  let ends = 0;
  for (;;) {
    try {
      return await connectToUse(config);
    } catch (error) {
      // Starting up or shutting down comes as 57P03, a server that goes while we talk to it as a lost connection.
      if (!isConnectionLost(error) || Date.now() - begun > maxStartMs) {
        throw await explainUse(directory, error, lastSaid);
      }
      if (sqlStateOf(error) === '57P03' || ours.server !== undefined) {
        signAt = Date.now();
      } else if (!isWanted()) {
        throw error;
      } else {
        ours.server = await startWithLock(directory, log, isMade);
        if (ours.server !== undefined) {
          log.debug({ pid: ours.server.pid, directory: directory.root }, 'started the embedded PostgreSQL');
        }
      }
    }
    if (ours.server === undefined) {
      const before = signature;
      signature = await readSignature(directory);
      signAt = signature === before ? signAt : Date.now();
      if (Date.now() - signAt > maxSilentMs) {
        throw isElsewhere(directory, signature);
      }
    }
    // Looks again soon, and at once when the server we started ended.
    const pause = delay(ours.server === undefined ? 100 : 20, undefined);
    const ended = await (ours.server === undefined ? pause : Promise.race([ours.server.ended, pause]));
    if (ended !== undefined) {
      ours.server = undefined;
      lastSaid = ended.said;
      ends += 1;
      if (ended.failed || ends === maxEnded) {
        throw await explainServer(directory, `PostgreSQL does not start in ${directory.root}`, ended.said);
      }
    }
    if (Date.now() - toldAt > 10_000) {
      toldAt = Date.now();
      const before = progress;
      progress = await readProgress(directory.cluster);
      if (progress !== undefined && progress !== before) {
        // It gets on: ending it would only make it begin again.
        begun = toldAt;
      }
      const doing = progress === undefined ? '' : `, which repairs itself after a crash (${progress})`;
      const holder = describeHolder(signature);
      log.warn({ directory: directory.root, holder, said: lastSaid }, `waiting for the embedded PostgreSQL${doing}`);
    }
  }
}

async function connectToUse(config: pg.ClientConfig): Promise<pg.Client> {
  const client = await connect(config);
  try {
    await client.query('SELECT pg_advisory_lock_shared($1)', [usersLock]);
    await setUp(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function isElsewhere(directory: DataDirectory, signature: string): AppError {
  return new AppError(
    'FAILED_PRECONDITION',
    `The data directory ${directory.root} is in use by ${describeHolder(signature)}, whose PostgreSQL cannot be reached from here. Stop that one, or connect both to one PostgreSQL with --database-url.`,
  );
}

/**
 * Starts a server, after clearing away what a killed one left behind; undefined where another process has the lock of the directory, or a release that
 * took none runs a server here.
 */
async function startWithLock(directory: DataDirectory, log: Logger, isMade: boolean): Promise<StartedServer | undefined> {
  if (isMade) {
    await refuseGone(directory);
  }
  // What is left of a killed server keeps the lock.
  await endOrphans(directory.cluster, log);
  const lock = await takeLock(directory);
  if (lock === undefined) {
    return undefined;
  }
  let binaries: Binaries | undefined;
  try {
    if (!(await lock.takeCluster()) || (await findPostmaster(directory.cluster)) !== undefined) {
      return undefined;
    }
    await lock.sign(process.pid);
    await removeUnfinished(directory);
    binaries = await prepareBinaries(await findBinaries(), directory.account, directory.root, log);
    await createCluster(directory, binaries);
    if (!(await lock.takeCluster())) {
      return undefined;
    }
    const socketFolder = await chooseSocketFolder(directory);
    await removeStaleFiles(directory.cluster, socketFolder);
    await makePrivate(directory.cluster, directory.account);
    return await startServer(directory, binaries, socketFolder, lock);
  } catch (error) {
    if ((await stat(directory.cluster).catch(() => undefined)) === undefined) {
      await lock.remove();
    }
    throw explainFailure(error, directory.root, binaries);
  } finally {
    await lock.close();
  }
}

/** A volume that is unmounted leaves an empty folder: a new database in it would be an empty product beside the true one. */
async function refuseGone({ cluster }: DataDirectory): Promise<void> {
  const found = await stat(join(cluster, 'PG_VERSION')).catch((error: unknown) => error);
  if (found instanceof Error) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The database in ${cluster} is gone, which was in use until now: put it back there, or mount its volume again. It is not made anew; to restore a backup, stop this process and give another --data-dir.`,
      { cause: found },
    );
  }
}

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, application_name: 'countersign keeper', connectionTimeoutMillis: 10_000 });
  // The end of the connection is what counts, and comes after this.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Makes our database where it is missing: at the first start, or after a kill in the middle of it. */
async function setUp(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [setUpLock]);
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rows.length === 0) {
    await client.query(`CREATE DATABASE ${database}`);
  }
  await client.query('SELECT pg_advisory_unlock($1)', [setUpLock]);
}
