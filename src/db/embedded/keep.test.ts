/** The embedded server through kills, restarts and sharing: real processes, really killed; most of the kills in the long suite alone. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningProcess, runProcess } from '../../../test/support/run-process.ts';
import { isLong } from '../../../test/support/runs.ts';
import { type Logger, silentLogger } from '../../context.ts';
import { openDatabase } from '../open.ts';
import type { Database } from '../types.ts';
import { findPostmaster } from './cluster.ts';
import { canInspect, isAlive, listServerProcesses } from './processes.ts';
import { until } from '../../../test/support/until.ts';

const holder = join(import.meta.dirname, '../../../test/support/database-process.ts');

let folder: string;
let cluster: string;
let databases: Database[];
let processes: RunningProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await chmod(folder, 0o755);
  cluster = join(folder, 'postgres');
  databases = [];
  processes = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(databases.map((database) => database.close()));
  await Promise.all(processes.map((each) => each.end('SIGTERM')));
  const left = await findPostmaster(cluster);
  if (left !== undefined) {
    process.kill(left, 'SIGQUIT');
    await vi.waitFor(async () => expect(await isAlive(left)).toBe(false), { timeout: 60_000 });
  }
  await rm(folder, { recursive: true, force: true });
});

async function open(log: Logger = silentLogger, dataDir = folder): Promise<Database> {
  const database = await openDatabase({ dataDir, poolSize: 4, log });
  databases.push(database);
  return database;
}

function start(mode: 'hold' | 'write', account: { uid?: number; gid?: number } = {}): RunningProcess {
  const started = runProcess(holder, [mode, folder], account);
  processes.push(started);
  return started;
}

async function postmaster(): Promise<number> {
  return (await findPostmaster(cluster)) as number;
}

/** A query that computes and waits for nothing, so that its backend does not notice that the postmaster is gone. */
async function startLongQuery(database: Database): Promise<{ backend: number; outcome: Promise<unknown> }> {
  const outcome = database
    .system()
    .rows('SELECT sum(a * b) FROM generate_series(1, 100000) a, generate_series(1, 100000) b')
    .catch((error: unknown) => error);
  let backend: number | undefined;
  while (backend === undefined) {
    const row = await database
      .system()
      .maybe<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT sum(a%' LIMIT 1");
    backend = row?.pid;
  }
  return { backend, outcome };
}

/** Calls until the database answers again; anything but UNAVAILABLE on the way fails. */
async function untilAvailable(database: Database): Promise<void> {
  for (;;) {
    try {
      await database.system().rows('SELECT 1 AS one', []);
      return;
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
      await delay(50);
    }
  }
}

describe('a data directory', () => {
  it('is made, reached through a private socket alone, and stopped by the last to leave', async () => {
    const database = await open();
    const settings = await database
      .system()
      .one(
        "SELECT current_user AS role, current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding",
        [],
      );
    expect(settings).toEqual({ role: 'countersign_app', addresses: '', fsync: 'on', encoding: 'UTF8' });
    expect((await stat(cluster)).mode & 0o777).toBe(0o700);
    expect((await stat(join(cluster, '.s.PGSQL.5432'))).isSocket()).toBe(true);
    await database.asOwner?.((db) => db.run('CREATE TABLE kept AS SELECT 1 AS one'));
    await database.close();
    expect(await findPostmaster(cluster)).toBeUndefined();
    expect(await (await open()).asOwner?.((db) => db.one('SELECT one FROM kept'))).toEqual({ one: 1 });
  });

  it.runIf(canInspect)('is left without a server by a start that fails', async () => {
    const failing = {
      ...silentLogger,
      debug: () => {
        throw new Error('the log is full');
      },
    };
    await expect(open(failing)).rejects.toThrow('the log is full');
    expect(await listServerProcesses(cluster)).toEqual([]);
  });

  it.runIf(isLong)('is used by several processes that all come first', async () => {
    const three = [start('hold'), start('hold'), start('hold')];
    await Promise.all(three.map((each) => each.line(/ready/)));
    const pid = await postmaster();
    expect(await three[0]?.end('SIGTERM')).toBe(0);
    expect(await three[1]?.end('SIGKILL')).toBe(null);
    const database = await open();
    expect(await postmaster()).toBe(pid);
    await database.close();
    expect(await isAlive(pid)).toBe(true);
    expect(await three[2]?.end('SIGTERM')).toBe(0);
    expect(await findPostmaster(cluster)).toBeUndefined();
  });

  it.runIf(isLong)('does not lose its server to one that leaves while another comes', async () => {
    let previous = await open();
    for (let round = 0; round < 8; round++) {
      const leaving = previous.close();
      const next = await open();
      await leaving;
      expect(await next.system().one('SELECT 1 AS one', [])).toEqual({ one: 1 });
      previous = next;
    }
  });

  it.runIf(isLong)('survives two processes that leave at the same moment: one of them stops the server', async () => {
    for (let round = 0; round < 4; round++) {
      const both = await Promise.all([open(), open()]);
      await Promise.all(both.map((each) => each.close()));
      expect(await findPostmaster(cluster)).toBeUndefined();
    }
  });

  it.runIf(isLong)('has its server out of reach of a Ctrl-C to our group', async () => {
    await open();
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pgid=', '-p', String(await postmaster())]);
    expect(Number(stdout)).toBe(await postmaster());
  });

  it.runIf(canInspect)('is left without a complaint by connections that hear of its end when they have ended themselves', async () => {
    const log = { ...silentLogger, warn: vi.fn() };
    const database = await open(log);
    const { pid } = await database.system().one<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(pid, 'SIGSTOP');
    const closing = database.close();
    // It is told to end (bit 14, SIGTERM) before it can read that we are gone.
    await until(async () => expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/^ShdPnd:\s*[0-9a-f]*[4-7c-f][0-9a-f]{3}$/m));
    process.kill(pid, 'SIGCONT');
    await closing;
    expect(log.warn).not.toHaveBeenCalledWith(expect.anything(), 'an idle database connection was lost');
  });
});

describe('after a kill', () => {
  it('of our process the server is adopted and every acknowledged write is there', async () => {
    const writer = start('write');
    await writer.line(/^200$/);
    await writer.end('SIGKILL');
    const pid = await postmaster();
    const last = Math.max(...writer.lines.filter((line) => /^\d+$/.test(line)).map(Number));
    const database = await open();
    expect(await postmaster()).toBe(pid);
    const { count } = await database
      .system()
      .one<{ count: number }>('SELECT count(*) AS count FROM acknowledged WHERE number <= $1', [last]);
    expect(count).toBe(last);
  });

  it.runIf(isLong)('of the postmaster during a long query what was in flight fails, and it comes back by itself', async () => {
    const log = { ...silentLogger, warn: vi.fn() };
    const database = await open(log);
    const { backend, outcome } = await startLongQuery(database);
    const before = await postmaster();
    process.kill(before, 'SIGKILL');
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    await untilAvailable(database);
    await until(async () => expect(await isAlive(backend)).toBe(false));
    expect(await postmaster()).not.toBe(before);
    expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ pids: expect.arrayContaining([backend]) }), expect.any(String));
  });

  it.each([
    ['the cluster', () => cluster],
    ['the directory', () => folder],
  ])('of the postmaster while %s is away no other one is made, and it serves again once that is back', async (_name, place) => {
    const log = { ...silentLogger, error: vi.fn() };
    const database = await open(log);
    await database.asOwner?.((db) => db.run('CREATE TABLE kept AS SELECT 1 AS one'));
    const pid = await postmaster();
    await rename(place(), `${place()}-away`);
    process.kill(pid, 'SIGKILL');
    await until(() =>
      expect(log.error).toHaveBeenCalledWith(
        {
          err: expect.objectContaining({
            message: expect.stringMatching(/postgres is gone, which was in use until now: .*mount its volume again/),
          }),
        },
        expect.any(String),
      ),
    );
    expect(existsSync(cluster)).toBe(false);
    await rename(`${place()}-away`, place());
    await untilAvailable(database);
    expect(await database.asOwner?.((db) => db.one('SELECT one FROM kept'))).toEqual({ one: 1 });
  });

  it.runIf(isLong)('of the postmaster all its users bring back one server, and the last of them still stops it', async () => {
    const users = await Promise.all([open(), open(), open()]);
    process.kill(await postmaster(), 'SIGKILL');
    await Promise.all(users.map(untilAvailable));
    await Promise.all(users.slice(1).map((user) => user.close()));
    await untilAvailable(users[0] as Database);
    await users[0]?.close();
    expect(await findPostmaster(cluster)).toBeUndefined();
  });

  it.runIf(isLong)('of the postmaster while we close nothing is left running', async () => {
    for (const pauseMs of [0, 20, 60, 150]) {
      const database = await open();
      process.kill(await postmaster(), 'SIGKILL');
      await delay(pauseMs);
      await database.close();
      expect(await findPostmaster(cluster)).toBeUndefined();
    }
  });

  it.runIf(isLong)('of both during a long query the next start ends what is left and goes on', async () => {
    const writer = start('write');
    await writer.line(/^50$/);
    const database = await open();
    const { backend } = await startLongQuery(database);
    process.kill(await postmaster(), 'SIGKILL');
    await writer.end('SIGKILL');
    await database.close();
    const again = await open();
    const last = Math.max(...writer.lines.filter((line) => /^\d+$/.test(line)).map(Number));
    const { count } = await again.system().one<{ count: number }>('SELECT count(*) AS count FROM acknowledged WHERE number <= $1', [last]);
    expect(count).toBe(last);
    expect(await isAlive(backend)).toBe(false);
  });

  it.runIf(isLong)('of one backend everybody is served again', async () => {
    const database = await open();
    const { backend, outcome } = await startLongQuery(database);
    process.kill(backend, 'SIGKILL');
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    await untilAvailable(database);
  });

  it.runIf(isLong)('a number in postmaster.pid that is in use again by somebody else is no obstacle', async () => {
    const first = await open();
    await first.close();
    await writeFile(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n1700000000\n5432\n${cluster}\n\n`);
    const database = await open();
    expect(await database.system().one('SELECT 1 AS one', [])).toEqual({ one: 1 });
  });

  it.runIf(isLong)('of the machine an empty postmaster.pid is no obstacle either', async () => {
    const first = await open();
    await first.close();
    await writeFile(join(cluster, 'postmaster.pid'), '');
    const database = await open();
    expect(await database.system().one('SELECT 1 AS one', [])).toEqual({ one: 1 });
  });

  it.runIf(isLong)('of somebody who was making the cluster the next one starts afresh', async () => {
    const killed = start('hold');
    await vi.waitFor(() => expect(readdirSync(folder).some((name) => name.startsWith('postgres.new-'))).toBe(true), {
      timeout: 60_000,
      interval: 5,
    });
    await killed.end('SIGKILL');
    await open();
    expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
  });
});

describe('a place', () => {
  it.each(['postgres.lock', 'postgres-start.log', 'socket-directory'])(
    'in which %s is a symbolic link is refused: another account may have placed it, for root to write elsewhere',
    async (name) => {
      // Where the path is long, the place of the socket is written down.
      const dataDir = join(folder, 'long'.repeat(name === 'socket-directory' ? 20 : 1));
      const other = join(folder, 'other');
      vi.stubEnv('TMPDIR', folder);
      await mkdir(dataDir);
      await writeFile(other, 'kept');
      await symlink(other, join(dataDir, name));
      await expect(open(silentLogger, dataDir)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringContaining(`${join(dataDir, name)} is a symbolic link to ${other}`),
      });
      expect(await readFile(other, 'utf8')).toBe('kept');
    },
  );

  it.runIf(isLong)('with a path too long for a socket has its socket elsewhere, and is adopted all the same', async () => {
    const long = join(folder, 'a-folder-with-a-rather-long-name'.repeat(3), 'data');
    const database = await open(silentLogger, long);
    const socket = (await readFile(join(long, 'socket-directory'), 'utf8')).trim();
    expect((await stat(join(socket, '.s.PGSQL.5432'))).isSocket()).toBe(true);
    expect((await stat(socket)).mode & 0o777).toBe(0o700);
    const second = await open(silentLogger, long);
    await Promise.all([database.close(), second.close()]);
    expect(await findPostmaster(join(long, 'postgres'))).toBeUndefined();
    await rm(socket, { recursive: true });
  });

  it.runIf(isLong && process.getuid?.() === 0)('of an ordinary user is served by that user, and by root as that user', async () => {
    await chown(folder, 1, 1);
    const holding = start('hold', { uid: 1, gid: 1 });
    await holding.line(/ready/);
    expect((await stat(join(cluster, 'PG_VERSION'))).uid).toBe(1);
    await holding.end('SIGTERM');
    expect(await findPostmaster(cluster)).toBeUndefined();
    const database = await open();
    await database.close();
    const again = start('hold', { uid: 1, gid: 1 });
    await again.line(/ready/);
  });

  it.runIf(isLong)('whose settings cannot work is refused with what PostgreSQL says', async () => {
    const database = await open();
    await database.close();
    const file = join(cluster, 'postgresql.auto.conf');
    await writeFile(file, `${await readFile(file, 'utf8')}shared_buffers = 'many'\n`);
    await expect(open()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('shared_buffers') });
  });
});
