/** A PostgreSQL of somebody else (Debian's 15) for tests, with settings of its own; and whether this machine has one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const bin = '/usr/lib/postgresql/15/bin';
/** False where it is not installed: its tests are then left out. */
export const hasPostgres = existsSync(`${bin}/postgres`);
/** It refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

export interface PostgresServer {
  readonly folder: string;
  readonly port: number;
  /** URL over TCP. */
  url(user: string, password: string, database: string): string;
  /** Runs statements as the superuser. */
  admin(database: string, ...statements: string[]): Promise<void>;
  /** The rows of a statement, as the superuser with the schema of ours. */
  rows(database: string, sql: string, values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Another server that follows this one and takes no changes. */
  makeStandby(): Promise<PostgresServer>;
  close(): Promise<void>;
}

/**
 * Starts a server, by a program that runs it (`within`, with its arguments) where there is one. `settings` are lines of postgresql.conf, `hosts` lines of
 * pg_hba.conf for connections over TCP.
 */
export async function startPostgres(
  settings: readonly string[],
  hosts: readonly string[],
  within: readonly string[] = [],
): Promise<PostgresServer> {
  const folder = await makeFolder();
  run('initdb', '-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N', '--no-instructions');
  const lines = ["listen_addresses = '127.0.0.1'", 'fsync = off', 'shared_buffers = 16MB', ...settings];
  appendFileSync(join(folder, 'data', 'postgresql.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'data', 'pg_hba.conf'), `${['local all,replication all trust', ...hosts].join('\n')}\n`);
  return serve(folder, within);
}

/** Writes a file that only the server's account reads, as it wants of its key. */
export function writeOwn(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account !== undefined) {
    chownSync(path, account.uid, account.gid);
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cspg-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  if (account !== undefined) {
    chownSync(folder, account.uid, account.gid);
    chownSync(join(folder, 'data'), account.uid, account.gid);
  }
  return folder;
}

function run(program: string, ...args: string[]): void {
  execFileSync(join(bin, program), args, { ...account, cwd: '/', stdio: 'pipe', env: { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' } });
}

async function serve(folder: string, within: readonly string[] = []): Promise<PostgresServer> {
  const port = await freePort();
  const command = [join(bin, 'postgres'), '-D', join(folder, 'data'), '-p', String(port), '-k', folder];
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] ?? '' };
  const [program = '', ...args] = [...within, ...command];
  const child = spawn(program, args, { ...(within.length === 0 && account), cwd: '/', stdio: 'ignore', env });
  const config = { host: folder, port, user: 'postgres' };
  await waitUntilReady(config, child);
  return {
    folder,
    port,
    url: (user, password, database) => `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    async admin(database, ...statements) {
      const client = new pg.Client({ ...config, database });
      await client.connect();
      try {
        for (const statement of statements) {
          await client.query(statement);
        }
      } finally {
        await client.end();
      }
    },
    async rows(database, sql, values) {
      const client = new pg.Client({ ...config, database, options: '-c search_path=countersign' });
      await client.connect();
      return client
        .query<Record<string, unknown>>(sql, values)
        .then(({ rows }) => rows)
        .finally(() => client.end());
    },
    async makeStandby() {
      const other = await makeFolder();
      run(
        'pg_basebackup',
        '-h',
        folder,
        '-p',
        String(port),
        '-U',
        'postgres',
        '-D',
        join(other, 'data'),
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      );
      return serve(other);
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGQUIT');
        await ended;
      }
      await rm(folder, { recursive: true });
    },
  };
}

async function waitUntilReady(config: pg.ClientConfig, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000 && child.exitCode === null; tries++) {
    const client = new pg.Client({ ...config, database: 'postgres' });
    client.on('error', () => undefined);
    const isReady = await client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
    if (isReady) {
      return;
    }
    await delay(20);
  }
  throw new Error('PostgreSQL did not start');
}
