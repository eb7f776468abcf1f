/**
 * A primary and a hot standby of their own for a test, and one address that leads to either of them, as the name of a managed database does. What
 * passes through the address can be swallowed, so that a server vanishes without a word.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { silentLogger } from '../../src/context.ts';
import { type Account, chooseAccount } from '../../src/db/embedded/account.ts';
import { type Binaries, findBinaries, prepareBinaries, programPath } from '../../src/db/embedded/binaries.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const longestStartMs = 60_000;

/** A PostgreSQL at a port of its own. */
export interface Server {
  readonly port: number;
  /** Where its files are. */
  readonly folder: string;
  /** Runs a statement as the superuser. */
  admin(sql: string): Promise<Record<string, unknown>[]>;
  start(): Promise<void>;
  /** Ends it: all that was committed is with the standby before it is gone. */
  stop(): Promise<void>;
  /** Makes it a standby of the other one from its next start on. */
  follow(primary: Server): Promise<void>;
  promote(): Promise<void>;
}

/** An address that leads to one server at a time. */
export interface Address {
  readonly port: number;
  /** Leads whoever comes from now on to this server; whoever is connected stays where they are, as with a name. */
  moveTo(server: Server): void;
  /** Passes nothing on any more: of those who are connected, or also of whoever comes. */
  swallow(what: 'connected' | 'all'): void;
  /** Passes on again what comes from now on, and ends what was swallowed. */
  restore(): void;
  close(): void;
}

/** Both servers and the address. */
export interface Failover {
  readonly first: Server;
  readonly second: Server;
  readonly address: Address;
  /** The superuser at the address. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a primary and its standby, and an address that leads to the primary. With `waitsForStandby`, a commit is on both before it is told. */
export async function startFailover(options: { waitsForStandby?: boolean } = {}): Promise<Failover> {
  const folder = await mkdtemp(join(tmpdir(), 'csf-'));
  await chmod(folder, 0o755);
  const account = await chooseAccount(folder);
  const binaries = await prepareBinaries(await findBinaries(), account, folder, silentLogger);
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  await makeCluster(binaries, one, account);
  await cp(one, two, { recursive: true, preserveTimestamps: true });
  await own(two, account);
  const first = createPostgres(binaries, one, await freePort(), account);
  const second = createPostgres(binaries, two, await freePort(), account);
  const address = await openAddress(first);
  try {
    await first.start();
    await second.follow(first);
    await second.start();
    await untilFollowed(first);
    if (options.waitsForStandby === true) {
      await first.admin("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await first.admin('SELECT pg_reload_conf()');
    }
  } catch (error) {
    await Promise.all([first.stop(), second.stop()]);
    address.close();
    throw error;
  }
  return {
    first,
    second,
    address,
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    async close() {
      address.close();
      await Promise.all([first.stop(), second.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function own(path: string, account: Account | undefined): Promise<void> {
  if (account !== undefined) {
    await run('chown', ['-R', `${account.uid}:${account.gid}`, path]);
  }
}

async function makeCluster(binaries: Binaries, path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (account !== undefined) {
    await chown(path, account.uid, account.gid);
  }
  const args = ['-D', path, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  await run(programPath(binaries, 'initdb'), args, {
    ...account,
    cwd: path,
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] ?? '' },
  });
  const settings = {
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    shared_buffers: "'16MB'",
    // Nothing here has to survive the machine.
    fsync: 'off',
    wal_keep_size: "'256MB'",
    wal_receiver_timeout: "'10s'",
    wal_retrieve_retry_interval: "'200ms'",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await appendFile(join(path, 'postgresql.conf'), lines.join(''));
}

function createPostgres(binaries: Binaries, path: string, port: number, account: Account | undefined): Server {
  let child: ChildProcess | undefined;
  let said = '';

  async function admin(sql: string): Promise<Record<string, unknown>[]> {
    // Also while the database is read-only: somebody has to end that.
    const options = '-c default_transaction_read_only=off';
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
      options,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function untilTrue(sql: string): Promise<void> {
    for (const until = Date.now() + longestStartMs; ; await delay(50)) {
      const [row] = await admin(sql).catch(() => []);
      if (row?.['holds'] === true) {
        return;
      }
      if (Date.now() > until || child?.exitCode !== null) {
        throw new Error(`the server at port ${port} did not come to ${sql}: ${said}`);
      }
    }
  }

  return {
    port,
    folder: path,
    admin,
    async start() {
      child = spawn(programPath(binaries, 'postgres'), ['-D', path, '-p', String(port)], {
        ...account,
        cwd: path,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] ?? '' },
      });
      child.stderr?.on('data', (piece: Buffer) => {
        said = (said + piece.toString('utf8')).slice(-4000);
      });
      await untilTrue('SELECT true AS holds');
    },
    async stop() {
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child?.once('exit', resolve));
        child.kill('SIGINT');
        await ended;
      }
    },
    async follow(primary) {
      await writeFile(join(path, 'standby.signal'), '');
      await own(join(path, 'standby.signal'), account);
      await appendFile(join(path, 'postgresql.conf'), `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`);
    },
    async promote() {
      await admin('SELECT pg_promote()');
      await untilTrue('SELECT NOT pg_is_in_recovery() AS holds');
    },
  };
}

/** Waits until a standby has all that its primary has written. */
export async function untilFollowed(primary: Server): Promise<void> {
  const sql = "SELECT true AS holds FROM pg_stat_replication WHERE state = 'streaming' AND replay_lsn >= pg_current_wal_lsn()";
  for (const until = Date.now() + longestStartMs; (await primary.admin(sql)).length === 0; await delay(50)) {
    if (Date.now() > until) {
      throw new Error('the standby does not follow');
    }
  }
}

async function openAddress(server: Server): Promise<Address> {
  let target = server.port;
  let swallowsAll = false;
  const open = new Set<Socket>();
  const swallowed = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      swallowed.delete(socket);
    });
  };
  const listener = createServer((client) => {
    keep(client);
    client.on('error', () => undefined);
    if (swallowsAll) {
      swallowed.add(client);
      return;
    }
    const behind = connect(target, '127.0.0.1');
    keep(behind);
    // Written by hand: what is swallowed ends neither side.
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      from.on('data', (piece) => {
        if (!swallowed.has(from)) {
          to.write(piece);
        }
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!swallowed.has(from)) {
          to.destroy();
        }
      });
    }
  });
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  return {
    port: (listener.address() as AddressInfo).port,
    moveTo(to) {
      target = to.port;
    },
    swallow(what) {
      swallowsAll = what === 'all';
      for (const socket of open) {
        swallowed.add(socket);
      }
    },
    restore() {
      swallowsAll = false;
      for (const socket of swallowed) {
        socket.destroy();
      }
    },
    close() {
      listener.close();
      for (const socket of open) {
        socket.destroy();
      }
    },
  };
}
