/**
 * The connections of a process: how they are configured, handed out with the right tenant set, and thrown away when lost.
 * What is done over one is in session.ts; where the server is, is decided by embedded/ and external.ts.
 */
import pg from 'pg';
import { AppError } from '../errors.ts';
import type { Logger } from '../context.ts';
import { valueParsers } from './parse-values.ts';
import { within } from '../lib/within.ts';
import { ask, cutOff } from './asked.ts';
import { type SettledConfig, SettledClient } from './settled-client.ts';
import type { ServerWatch } from './watch-server.ts';
import { isConnectionLost, isStalePlan, sqlStateOf, translateError } from './translate-error.ts';
import type { PoolStats } from './types.ts';

/** Server to reach and as whom to work there. */
export interface ConnectionTarget {
  /** Host, port, database, user, password, TLS: whatever pg takes. */
  readonly config: pg.ClientConfig;
  /** The role to work as, where it is not the one that logs in. */
  readonly role?: string;
  /** True if the server can notice that we are gone while it runs our statement (not all platforms can). */
  readonly noticesLostClients: boolean;
}

/** The schema everything of ours lives in. */
export const schemaName = 'countersign';

/** Time the end of the pool waits for connections in use, and then for them to be cut off. */
const maxCloseMs = 3_000;
const maxCutMs = 1_000;
/** An idle connection whose other side is gone is noticed within half a minute: this, and ten questions of the system a second apart. */
const keepAliveMs = 10_000;

/** A pool of connections that know which tenant is set on them. */
export interface SessionPool {
  /** Runs `work` with a connection on which this tenant ('' = none) is set; every error comes out translated. */
  use<T>(tenantId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  stats(): PoolStats;
  close(): Promise<void>;
}

/** Settings every connection of ours has before it is used. `role` comes last: the others are set as the one that logs in. */
function settingsOf(target: ConnectionTarget, statementTimeoutMs: number): Record<string, string> {
  return {
    search_path: `${schemaName},public`,
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    // A bug that leaves a transaction open must not hold locks for ever.
    idle_in_transaction_session_timeout: '300000',
    // Compiling a statement of many parts took seconds, each time it ran; the embedded database has it off as well.
    jit: 'off',
    // The server asks, too, whether somebody is still there: one that waits for the rest of a COPY would keep its locks for hours. Half a minute, as here.
    tcp_keepalives_idle: '15',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    // Whatever a pooler kept of an earlier connection.
    'countersign.tenant_id': '',
    // Otherwise a statement of a killed process holds its locks until it is done.
    ...(target.noticesLostClients && { client_connection_check_interval: '2000' }),
    ...(target.role !== undefined && { role: target.role }),
  };
}

/** The configuration of a client for this target. */
export function clientConfig(target: ConnectionTarget, statementTimeoutMs: number, applicationName: string): SettledConfig {
  return {
    ...target.config,
    settings: settingsOf(target, statementTimeoutMs),
    application_name: applicationName,
    types: valueParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: 10_000,
  };
}

/** Opens a pool of at most `size` connections, which `watch` watches over; none is made before the first use. */
export function createPool(config: SettledConfig, size: number, watch: ServerWatch, log: Logger): SessionPool {
  const Client = SettledClient as unknown as new () => pg.ClientBase;
  const onConnect = (client: pg.ClientBase): Promise<void> => watch.admit(client);
  const pool = new pg.Pool({ ...config, Client, max: size, idleTimeoutMillis: 60_000, onConnect });
  const tenantOf = new WeakMap<pg.PoolClient, string>();
  const inUse = new Set<pg.PoolClient>();
  let closing: Promise<void> | undefined;
  // A lost idle connection is replaced at the next use; without a listener it would end the process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool puts the whole connection on it, for a line of ten thousand characters.
    error.client = undefined;
    // A server that stops right after us may say so to a connection that we have just ended.
    log[closing === undefined ? 'warn' : 'debug']({ err: error }, 'an idle database connection was lost');
  });
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')));

  async function setTenant(client: pg.PoolClient, tenantId: string): Promise<void> {
    if ((tenantOf.get(client) ?? '') !== tenantId) {
      const text = "SELECT set_config('countersign.tenant_id', $1, false)";
      await ask(client, () => client.query({ name: 'cs_set_tenant', text, values: [tenantId] })).catch((error: unknown) => {
        const translated = translateError(error);
        markStuck(translated);
        throw translated;
      });
      tenantOf.set(client, tenantId);
    }
  }

  const stopHearing = watch.onStale(() => {
    // The public way to an idle connection is to take it.
    for (let count = pool.idleCount; count > 0; count--) {
      pool.connect().then(
        (client) => client.release(watch.isStale(client)),
        () => undefined,
      );
    }
  });

  /** A connection that serves; rejects early where `cut` does, and the connection that comes too late is not kept. */
  async function connect(cut: Promise<never>): Promise<pg.PoolClient> {
    const connecting = pool.connect();
    try {
      const client = await Promise.race([connecting, cut]);
      if (watch.isStale(client)) {
        client.release(true);
        return connect(cut);
      }
      return client;
    } catch (error) {
      connecting.then(
        (late) => late.release(true),
        () => undefined,
      );
      throw error;
    }
  }

  /** Waits for what runs, but not for ever: the rest is rolled back by the server. */
  async function endPool(): Promise<void> {
    const ended = pool.end();
    if (await within(ended, watch.isSilent() ? 0 : maxCloseMs)) {
      return;
    }
    log.warn({ connections: inUse.size }, 'database connections are still in use at the end; cutting them off');
    for (const client of inUse) {
      cutOff(client);
    }
    await within(ended, maxCutMs);
  }

  return {
    async use(tenantId, work) {
      const turn = watch.begin();
      const client = await connect(turn.cut).catch((error: unknown) => {
        turn.end();
        throw translateError(error);
      });
      inUse.add(client);
      try {
        await setTenant(client, tenantId);
        const result = await work(client);
        client.release(watch.isStale(client));
        return result;
      } catch (error) {
        if (sqlStateOf(error) === '25006') {
          watch.refused(client);
        }
        client.release(isConnectionLost(error) || isStalePlan(error) || isStuck(error) || watch.isStale(client));
        throw error;
      } finally {
        turn.end();
        inUse.delete(client);
      }
    },
    stats: () => ({ size, total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => {
      stopHearing();
      closing ??= endPool();
      return closing;
    },
  };
}

/** Marks an error after which nobody knows what state a connection is in. */
const stuck = new WeakSet<object>();

/** Says that the connection this error came over must not be used again (a failed ROLLBACK, a COPY that never ended). */
export function markStuck(error: unknown): void {
  if (typeof error === 'object' && error !== null) {
    stuck.add(error);
  }
}

function isStuck(error: unknown): boolean {
  return typeof error === 'object' && error !== null && stuck.has(error);
}

/** The error of a use that the program must not make; INTERNAL, since no client can cause it. */
export function misuse(detail: string): AppError {
  return new AppError('INTERNAL', 'Something went wrong on our side.', { detail });
}
