/**
 * A server as an operator runs it, for tests that kill it: a process of its own on a data directory of its own, started again by the same
 * command. What is done over its API is in campaign.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Client, type ClientCredential, createClient } from '../../src/client/index.ts';
import { freePort } from '../support/free-port.ts';

const entry = resolve(import.meta.dirname, '../../src/cli/main.ts');

/** A folder with a server's data in it. */
export interface Place {
  readonly port: number;
  readonly url: string;
  readonly dataDir: string;
  readonly bootstrapFile: string;
  remove(): Promise<void>;
}

/** A started server. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Output so far, on both streams. */
  output(): string;
  /** Resolves when /readyz answers 200; rejects with what it said where the process ends before, or after two minutes. */
  ready(): Promise<void>;
  /** Sends a signal and resolves to the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Makes an empty place; nothing runs in it. */
export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'csr-'));
  // Run as root, the database belongs to another account, which must get there.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'data'));
  const port = await freePort();
  return {
    port,
    url: `http://localhost:${port}`,
    dataDir: join(folder, 'data'),
    bootstrapFile: join(folder, 'bootstrap.json'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/**
 * Starts `serve` in a place: always the same command, save for the port where another process of the same place is meant, and for a program that
 * runs it (`within`, with its arguments).
 */
export function startServer(
  place: Place,
  port = place.port,
  env: Record<string, string> = {},
  within: readonly string[] = [],
): ServerProcess {
  const options = {
    port: String(port),
    'data-dir': place.dataDir,
    'tenant-host': `localhost:${place.port}`,
    'bootstrap-file': place.bootstrapFile,
    'log-level': 'warn',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const [program = process.execPath, ...args] = [...within, process.execPath, entry, 'serve', ...flags];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      text = (text + piece.toString('utf8')).slice(-200_000);
    });
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    child,
    output: () => text,
    async ready() {
      for (const until = Date.now() + 120_000; Date.now() < until && !hasEnded(); await delay(25)) {
        const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        await response?.arrayBuffer().catch(() => undefined);
        if (response?.status === 200) {
          return;
        }
      }
      throw new Error(`the server did not become ready (exit code ${child.exitCode}): ${text}`);
    },
    async end(signal) {
      if (!hasEnded()) {
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}

const tickMs = 100;

/** Asks a server to stop: what it ended with, what it said meanwhile, and how long it took. Pauses of the whole machine do not count. */
export async function askToStop(server: ServerProcess): Promise<{ code: number | null; said: string; ms: number }> {
  const before = server.output().length;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tickMs);
  const code = await server.end('SIGTERM');
  clearInterval(timer);
  return { code, said: server.output().slice(before), ms: ticks * tickMs };
}

/** The process id of the database's postmaster; undefined where its file is not there. */
export async function findPostmasterPid(place: Place): Promise<number | undefined> {
  const text = await readFile(join(place.dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Kills the postmaster as the system would; false where there is none. Its backends are left behind. */
export async function killPostmaster(place: Place): Promise<boolean> {
  const pid = await findPostmasterPid(place);
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The first administrator's credential, as `serve` wrote it. */
export async function readCredential(place: Place): Promise<ClientCredential> {
  return JSON.parse(await readFile(place.bootstrapFile, 'utf8')) as ClientCredential;
}

/** A client of a place's server. */
export function clientOf(place: Place, credential: ClientCredential, port = place.port): Client {
  return createClient({ url: `http://localhost:${port}`, credential });
}

/** A connection to the database past row-level security; whoever opens it ends it. */
export async function openDatabase(place: Place): Promise<pg.Client> {
  const lines = (await readFile(join(place.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const client = new pg.Client({ host: lines[4] ?? '', port: 5432, user: 'postgres', database: 'countersign' });
  // Killed while we look: the query's own rejection shows it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query("SET search_path = countersign, public; SET timezone = 'UTC'");
  return client;
}

/** Looks at the database past row-level security. */
export async function queryDatabase<T>(place: Place, sql: string, values: readonly unknown[] = []): Promise<T[]> {
  const client = await openDatabase(place);
  try {
    return (await client.query(sql, values as unknown[])).rows as T[];
  } finally {
    await client.end();
  }
}
