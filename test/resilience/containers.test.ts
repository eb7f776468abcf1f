/** Containers on one data directory, a few of each kind; many rounds of them are in containers.long.test.ts. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Database } from '../../src/db/types.ts';
import { canMakeContainers, containerOf, endContainer, firstChildOf, listServers } from '../support/containers.ts';
import { runProcess } from '../support/run-process.ts';
import { isLong } from '../support/runs.ts';
import { until } from '../support/until.ts';
import { expectAllThere, playRound, type SharedDirectory, shareDirectory, startWriter, type Writer } from './shared-directory.ts';

const databaseProcess = join(import.meta.dirname, '../support/database-process.ts');

let shared: SharedDirectory;
let cluster: string;
let databases: Database[];
let writers: Writer[];

beforeEach(async () => {
  shared = await shareDirectory('process');
  cluster = join(shared.place.dataDir, 'postgres');
  databases = [];
  writers = [];
});
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await Promise.all(writers.map((writer) => writer.end('SIGKILL')));
  await until(() => expect(listServers(cluster)).toEqual([]));
  await shared.place.remove();
});

async function write(options: Parameters<typeof startWriter>[1] = {}): Promise<Writer> {
  const writer = await startWriter(shared, options);
  writers.push(writer);
  return writer;
}

async function open(log = silentLogger, dataDir = shared.place.dataDir): Promise<Database> {
  const database = await openDatabase({ dataDir, poolSize: 2, log });
  databases.push(database);
  return database;
}

describe.runIf(canMakeContainers)('containers on one data directory', () => {
  it('use one server from the first start on; the container that has it ends, and another one starts it again', async () => {
    await playRound(shared, { count: 2, event: 'stop' });
    await playRound(shared, { count: 2, event: 'kill all', atMs: 300 });
  });

  it('leave a server to its container: a process here that has its number gets no signal', async () => {
    // The container stays when what used the server in it has ended.
    const stays = [...containerOf(shared.place.dataDir), 'sh', '-c', '"$@"; echo left; exec sleep 1000', 'sh'];
    const container = runProcess(databaseProcess, ['hold', shared.place.dataDir], { within: stays });
    try {
      await container.line(/^ready$/);
      const [server] = listServers(cluster);
      const log = { ...silentLogger, info: vi.fn() };
      const database = await open(log);
      const shell = firstChildOf(container.child.pid as number);
      process.kill(firstChildOf(shell as number) as number, 'SIGTERM');
      await container.line(/^left$/);
      await database.close();
      expect(listServers(cluster)).toEqual([server]);
      expect(log.info).toHaveBeenCalledWith(
        expect.objectContaining({ holder: expect.stringMatching(/^process \d+ on the host /) }),
        'the embedded PostgreSQL runs in another container and ends with that one',
      );
      expect(await (await open()).system().one('SELECT 1 AS one')).toEqual({ one: 1 });
    } finally {
      await endContainer(container.child, 'SIGKILL');
    }
  });

  it.runIf(isLong)('see it under different paths', async () => {
    const mountedAt = join(dirname(shared.place.dataDir), 'elsewhere');
    mkdirSync(mountedAt);
    const [here, there] = await Promise.all([write(), write({ mountedAt })]);
    await Promise.all([here.more(), there.more()]);
    expect(listServers(cluster)).toHaveLength(1);
    await here.end('SIGTERM');
    await there.more();
    await expectAllThere(shared);
    const again = await write();
    await again.more();
    expect(listServers(cluster)).toHaveLength(1);
    await there.end('SIGKILL');
    await again.more();
    await expectAllThere(shared);
    expect(await again.end('SIGTERM')).toBe(0);
  });

  it.runIf(isLong)('under links of several directories to one cluster are refused where they do not reach its server', async () => {
    await (await open()).close();
    const linked = `${shared.place.dataDir}-linked`;
    mkdirSync(linked);
    symlinkSync(cluster, join(linked, 'postgres'));
    const first = runProcess(databaseProcess, ['hold', shared.place.dataDir], { within: containerOf(shared.place.dataDir) });
    try {
      await first.line(/^ready$/);
      rmSync(join(cluster, '.s.PGSQL.5432'));
      await expect(open(silentLogger, linked)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringMatching(/-linked is in use by process \d+ on the host \S+ \(since .* cannot be reached from here/),
      });
      expect(listServers(cluster)).toHaveLength(1);
    } finally {
      await endContainer(first.child, 'SIGTERM');
      rmSync(linked, { recursive: true });
    }
  });

  it.runIf(isLong)('run as an ordinary user', async () => {
    chownSync(shared.place.dataDir, 1000, 1000);
    const account = { uid: 1000, gid: 1000 };
    await playRound(shared, { count: 2, event: 'stop', options: { account } });
    await playRound(shared, { count: 2, event: 'kill database', options: { account } });
  });

  it.runIf(isLong)('without a socket in common are refused, with the name of the one that is in', async () => {
    // The path is too long for a socket, so the socket is in the temporary folder, and that of the container is its own.
    const long = join(shared.place.dataDir, 'a-folder-with-a-rather-long-name'.repeat(3));
    const own = mkdtempSync(join(tmpdir(), 'cst-'));
    const within = [...containerOf(long), 'sh', '-c', `mount -t tmpfs none ${own} && chmod 755 ${own} && exec "$@"`, 'sh'];
    const first = runProcess(databaseProcess, ['hold', long], { within, env: { TMPDIR: own } });
    try {
      await first.line(/^ready$/);
      await expect(open(silentLogger, long)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringMatching(
          /^The data directory \S+ is in use by process \d+ on the host \S+ \(since \S+, release \S+\), whose PostgreSQL cannot be reached from here\. Stop that one, or/,
        ),
      });
    } finally {
      await endContainer(first.child, 'SIGTERM');
      rmSync(own, { recursive: true });
    }
  });
});

describe('a start', () => {
  it('clears away what killed ones left: numbers that are another process by now, and files half made', async () => {
    await (await open()).close();
    const isRoot = process.getuid?.() === 0;
    const stranger = spawn('sleep', ['1000'], isRoot ? { uid: 65534, gid: 65534 } : {});
    await once(stranger, 'spawn');
    try {
      for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
        writeFileSync(join(cluster, name), `${stranger.pid}\n${cluster}\n1700000000\n5432\n${cluster}\n\n`);
      }
      writeFileSync(join(cluster, 'postgresql.conf.new-1-ab'), '');
      for (const name of ['postgres.new-1-ab', 'server-18.new-1-ab']) {
        mkdirSync(join(shared.place.dataDir, name, 'base'), { recursive: true });
      }
      const database = await open();
      expect(await database.system().one('SELECT 1 AS one')).toEqual({ one: 1 });
      expect(execFileSync('find', [shared.place.dataDir, '-name', '*.new-*']).toString()).toBe('');
      await database.close();
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('in a copy of a folder in use is no matter of the original, whose server goes on', async () => {
    const original = await open();
    await original.asOwner?.((db) => db.run('CREATE TABLE original AS SELECT 1 AS one'));
    const copy = `${shared.place.dataDir}-copy`;
    execFileSync('cp', ['-a', shared.place.dataDir, copy]);
    const copied = await open(silentLogger, copy);
    expect(listServers(join(copy, 'postgres'))).toHaveLength(1);
    expect(listServers(cluster)).toHaveLength(1);
    await copied.asOwner?.((db) => db.run('CREATE TABLE copied AS SELECT 1 AS one'));
    expect(await original.asOwner?.((db) => db.one("SELECT to_regclass('copied') IS NULL AS missing"))).toEqual({ missing: true });
    await copied.close();
    expect(await original.system().one('SELECT 1 AS one')).toEqual({ one: 1 });
  });
});
