/**
 * Our server as an operator starts it, on an embedded database that syncs to disk, for measuring: a process of its own, its first
 * administrator, the database's superuser, and how much memory the process holds. What is measured is in the files of the figures.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { fetchAsHost } from '../test/support/fetch-as-host.ts';
import { freePort } from '../test/support/free-port.ts';
import { type Client, type ClientCredential, createClient } from '../src/client/index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** A server under measurement. */
export interface BenchServer {
  readonly port: number;
  readonly url: string;
  readonly tenantHost: string;
  readonly dataDir: string;
  /** A folder for files of the run; goes with the server. */
  readonly folder: string;
  readonly credential: ClientCredential;
  readonly admin: Client;
  /** Another tenant of the server, under this name, with its first administrator. */
  makeTenant(host: string): Promise<{ readonly host: string; readonly admin: Client }>;
  /** Past row-level security, in our schema: for peers, and to see what is there. */
  superuser(): Promise<pg.Client>;
  /** Resident memory of the server's process now, in MB. */
  memory(): Promise<number>;
  /** Runs `work` and says the most memory the process held meanwhile, in MB (looked at every 25 ms). */
  peakMemory<T>(work: () => Promise<T>): Promise<{ result: T; peak: number }>;
  /** Stops the process and starts another one on the same data, with these options of Node. */
  restart(nodeOptions?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

async function waitReady(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1200 && child.exitCode === null; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.status === 200) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not become ready');
}

/** Resident memory of a process in MB: from /proc, elsewhere from ps. */
async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status !== undefined) {
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
  const ps = spawn('ps', ['-o', 'rss=', '-p', String(pid)]);
  const pieces: string[] = [];
  for await (const piece of ps.stdout) {
    pieces.push(String(piece));
  }
  return Number(pieces.join('').trim()) / 1024;
}

/** Runs `work` and says the most memory a process held meanwhile, in MB (looked at every 25 ms). */
export async function watchMemory<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = await residentMemory(pid);
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentMemory(pid));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  })();
  try {
    const result = await work();
    return { result, peak };
  } finally {
    isOver = true;
    await watch;
  }
}

/** Starts a server on an empty database, with more options by their names, and waits until it is ready. */
export async function startServer(more: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'csb-'));
  // Run as root, the database belongs to another account, which must get there.
  await chmod(folder, 0o755);
  const port = await freePort();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const bootstrap = join(folder, 'bootstrap.json');
  const options = {
    port: String(port),
    'data-dir': dataDir,
    'tenant-host': `localhost:${port}`,
    'bootstrap-file': bootstrap,
    'log-level': 'error',
    ...more,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const begin = (nodeOptions: readonly string[] = []): ChildProcess =>
    spawn(process.execPath, [...nodeOptions, join(root, 'src/cli/main.ts'), 'serve', ...flags], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  let child = begin();
  await waitReady(port, child);
  const made = JSON.parse(await readFile(bootstrap, 'utf8')) as { tenantHost: string; clientId: string; clientSecret: string };
  const credential = { clientId: made.clientId, clientSecret: made.clientSecret };
  const url = `http://localhost:${port}`;
  const memory = (): Promise<number> => residentMemory(child.pid ?? 0);
  const end = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  };
  return {
    port,
    url,
    tenantHost: made.tenantHost,
    dataDir,
    folder,
    credential,
    admin: createClient({ url, credential }),
    memory,
    async makeTenant(host) {
      const command = [join(root, 'src/cli/main.ts'), 'tenant', 'create', host, '--data-dir', dataDir, '--json'];
      const other = JSON.parse((await run(process.execPath, command)).stdout) as typeof made;
      const credentialOfOther = { clientId: other.clientId, clientSecret: other.clientSecret };
      return { host, admin: createClient({ url, credential: credentialOfOther, fetch: fetchAsHost(host) }) };
    },
    superuser: () => connectSuperuser(dataDir),
    peakMemory: (work) => watchMemory(child.pid ?? 0, work),
    async restart(nodeOptions = []) {
      await end();
      child = begin(nodeOptions);
      await waitReady(port, child);
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds the socket of an embedded database: the fifth line of its postmaster.pid. */
export async function findSocketFolder(dataDir: string): Promise<string> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return lines[4] ?? '';
}

async function connectSuperuser(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ host: await findSocketFolder(dataDir), port: 5432, user: 'postgres', database: 'countersign' });
  await client.connect();
  await client.query("SET search_path = countersign, public; SET timezone = 'UTC'");
  return client;
}
