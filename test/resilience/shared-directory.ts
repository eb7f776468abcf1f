/**
 * Rounds of containers on one data directory: all started at the same moment, all writing, then something happens to one of them. Afterwards those
 * that are left write on, and are stopped. Two things are checked all along: there is one PostgreSQL at a time, and no acknowledged write is missing.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { type ContainerOptions, containerOf, endContainer, listServers } from '../support/containers.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { freePort } from '../support/free-port.ts';
import { runProcess } from '../support/run-process.ts';
import { until } from '../support/until.ts';
import { makePlace, type Place, readCredential, type ServerProcess, startServer } from './server-process.ts';

const databaseProcess = join(import.meta.dirname, '../support/database-process.ts');

/** Events of a round: to the container that was started first, to all, or to the server, wherever it is. */
export const events = ['stop', 'kill', 'stop all', 'kill all', 'kill database', 'another starts', 'one stops as another starts'] as const;
export type RoundEvent = (typeof events)[number];

/** What a container runs: the service, written to over its API; or a process that writes to the database, which starts and stops like it, faster. */
export type Kind = 'service' | 'process';

/** A directory, and the names of what was acknowledged in it. */
export interface SharedDirectory {
  readonly place: Place;
  readonly kind: Kind;
  readonly acknowledged: Set<string>;
}

/** A container that writes as fast as it is answered, until it is ended. */
export interface Writer {
  readonly ready: Promise<void>;
  /** Output so far, shortened. */
  output(): string;
  /** Waits until one more write was acknowledged. */
  more(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export async function shareDirectory(kind: Kind): Promise<SharedDirectory> {
  return { place: await makePlace(), kind, acknowledged: new Set() };
}

/** Lines of a log without what is long in them. */
function shorten(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/"err":\{.*?"message":("(?:[^"\\]|\\.)*").*\},"/, '"err":$1,"').slice(0, 400));
  return lines.slice(-12).join('\n');
}

let writers = 0;

/** Starts a container that writes, and notes what was acknowledged. */
export async function startWriter(shared: SharedDirectory, options: ContainerOptions = {}): Promise<Writer> {
  writers += 1;
  const start = shared.kind === 'service' ? startService : startProcess;
  const { more, ...writer } = await start(shared, writers, options);
  return {
    ...writer,
    async more() {
      await writer.ready;
      const before = more();
      await until(() => expect(more(), `writer ${writers}: ${writer.output()}`).toBeGreaterThan(before));
    },
  };
}

/** A writer that says how many of its writes were acknowledged. */
type CountingWriter = Omit<Writer, 'more'> & { more(): number };

async function startService({ place, acknowledged }: SharedDirectory, no: number, options: ContainerOptions): Promise<CountingWriter> {
  const port = await freePort();
  const within = containerOf(place.dataDir, options);
  const server: ServerProcess = startServer({ ...place, dataDir: options.mountedAt ?? place.dataDir }, port, {}, within);
  let isOver = false;
  let count = 0;
  let lastError: unknown;
  const ready = server.ready();
  const write = async (): Promise<void> => {
    const send = fetchAsHost(`localhost:${place.port}`);
    const client = createClient({ url: `http://127.0.0.1:${port}`, credential: await readCredential(place), fetch: send });
    for (let number = 1; !isOver; number += 1) {
      const displayName = `writer ${no}, ${number}`;
      try {
        await client.call(AppService.method.create, { displayName });
        acknowledged.add(displayName);
        count += 1;
      } catch (error) {
        // Not acknowledged: it may be there or not.
        lastError = error;
      }
      await delay(10);
    }
  };
  const writing = ready.then(write).catch((error: unknown) => {
    lastError = error;
  });
  return {
    ready,
    output: () => `${String(lastError)}\n${shorten(server.output())}`,
    more: () => count,
    async end(signal) {
      const code = await endContainer(server.child, signal);
      isOver = true;
      await writing;
      return code;
    },
  };
}

async function startProcess({ place, acknowledged }: SharedDirectory, no: number, options: ContainerOptions): Promise<CountingWriter> {
  const args = ['share', options.mountedAt ?? place.dataDir, String(no * 1_000_000)];
  const started = runProcess(databaseProcess, args, { within: containerOf(place.dataDir, options) });
  const ready = started.line(/^ready$/).then(() => undefined);
  // Looked at by those who wait for it.
  ready.catch(() => undefined);
  const numbers = (): string[] => started.lines.filter((line) => /^\d+$/.test(line));
  createInterface({ input: started.child.stdout as NodeJS.ReadableStream }).on(
    'line',
    (line) => /^\d+$/.test(line) && acknowledged.add(line),
  );
  return {
    ready,
    output: () => started.lines.slice(-3).join('\n'),
    more: () => numbers().length,
    end: (signal) => endContainer(started.child, signal),
  };
}

/**
 * Counts the servers of a cluster again and again; `most()` is the largest number of them at a time. Each counts that is there at two looks: no look
 * sees one moment, and one that ends and one that begins may both be in it.
 */
function watchServers(cluster: string): { most(): number; end(): void } {
  let most = 0;
  let before: number[] = [];
  const timer = setInterval(() => {
    const now = listServers(cluster);
    most = Math.max(most, now.filter((pid) => before.includes(pid)).length);
    before = now;
  }, 40);
  return { most: () => most, end: () => clearInterval(timer) };
}

/** Fails where something that was acknowledged is not in the database, which somebody must be running. */
export async function expectAllThere({ place, kind, acknowledged }: SharedDirectory): Promise<void> {
  // Writers may be going on.
  const names = [...acknowledged];
  const sql = kind === 'service' ? 'SELECT display_name AS name FROM apps' : 'SELECT number::text AS name FROM acknowledged';
  // It may be starting again: what a writer said last may be from before.
  const rows = await until(() => ask(join(place.dataDir, 'postgres'), sql));
  const found = new Set(rows.map(({ name }) => name));
  expect(names.filter((name) => !found.has(name))).toEqual([]);
}

/** Asks over the socket in a cluster, where we see it: the container that has the server may have it under another path. */
async function ask(host: string, sql: string): Promise<{ name: string }[]> {
  const client = new pg.Client({
    host,
    port: 5432,
    user: 'postgres',
    database: 'countersign',
    options: '-c search_path=countersign,public',
  });
  // Killed while we look: the query's own rejection shows it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ name: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Plays a round: so many containers, and one event so long after they were started, or after all are ready where `atMs` is not given. */
export async function playRound(
  shared: SharedDirectory,
  { count, event, atMs, options = {} }: { count: number; event: RoundEvent; atMs?: number | undefined; options?: ContainerOptions },
): Promise<void> {
  const cluster = join(shared.place.dataDir, 'postgres');
  const watching = watchServers(cluster);
  const all = await Promise.all(Array.from({ length: count }, () => startWriter(shared, options)));
  try {
    await (atMs === undefined ? Promise.all(all.map((each) => each.more())) : delay(atMs));
    if (atMs === undefined) {
      await expectAllThere(shared);
    }
    const [first, ...others] = all as [Writer, ...Writer[]];
    let left: Writer[] = others;
    if (event === 'stop' || event === 'kill') {
      await first.end(event === 'stop' ? 'SIGTERM' : 'SIGKILL');
    } else if (event === 'stop all' || event === 'kill all') {
      await Promise.all(all.map((each) => each.end(event === 'stop all' ? 'SIGTERM' : 'SIGKILL')));
      left = [];
    } else if (event === 'kill database') {
      for (const pid of listServers(cluster)) {
        process.kill(pid, 'SIGKILL');
      }
      left = all;
    } else {
      const leaving = event === 'another starts' ? undefined : first.end('SIGTERM');
      all.push(await startWriter(shared, options));
      await leaving;
      left = leaving === undefined ? all : all.slice(1);
    }
    await Promise.all(left.map((each) => each.more()));
    if (left.length > 0) {
      await expectAllThere(shared);
    }
    for (const each of left) {
      expect(await each.end('SIGTERM'), each.output()).toBe(0);
    }
    await until(() => expect(listServers(cluster)).toEqual([]));
  } finally {
    watching.end();
    await Promise.all(all.map((each) => each.end('SIGKILL')));
  }
  // One that is killed soon after its start may have started none.
  expect(watching.most(), all.map((each) => each.output()).join('\n')).toBeOneOf(atMs === undefined ? [1] : [0, 1]);
}

/** Starts one container more and looks for everything that was ever acknowledged. */
export async function expectAllKept(shared: SharedDirectory): Promise<void> {
  const last = await startWriter(shared);
  await last.more();
  await expectAllThere(shared);
  expect(await last.end('SIGTERM')).toBe(0);
}
