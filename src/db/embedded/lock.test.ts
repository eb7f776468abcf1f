/** The lock of a data directory: held by one, free when its last holder is gone, refused where locks do not hold. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import type { DataDirectory } from './directory.ts';
import { type DirectoryLock, describeHolder, readSignature, takeLock } from './lock.ts';

let folder: string;
let directory: DataDirectory;
let path: string | undefined;
const locks: DirectoryLock[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  directory = { root: folder, cluster: join(folder, 'postgres'), account: undefined };
  path = process.env['PATH'];
});
afterEach(async () => {
  process.env['PATH'] = path;
  await Promise.all(locks.splice(0).map((lock) => lock.close()));
  await rm(folder, { recursive: true, force: true });
});

async function take(of = directory): Promise<DirectoryLock | undefined> {
  const lock = await takeLock(of);
  if (lock !== undefined) {
    locks.push(lock);
  }
  return lock;
}

async function letGo(): Promise<void> {
  await locks.pop()?.close();
}

/** Puts a program of the name flock before all others, which does what the lines say. */
async function replaceFlock(...lines: string[]): Promise<void> {
  await writeFile(join(folder, 'flock'), `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(join(folder, 'flock'), 0o755);
  process.env['PATH'] = `${folder}:${path}`;
}

describe('the lock', () => {
  it('is held by one at a time, and signed', async () => {
    const lock = await take();
    await lock?.sign(17);
    expect(await take()).toBeUndefined();
    expect(describeHolder(await readSignature(directory))).toMatch(
      new RegExp(`^process 17 on the host ${hostname()} \\(since 20[^,]*, release `),
    );
    await letGo();
    expect(await take()).toBeDefined();
  });

  it('stays with a process that inherited it, and is free when that one ends', async () => {
    const lock = await take();
    const heir = spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', ...(lock?.fds ?? [])] });
    await once(heir, 'spawn');
    await letGo();
    expect(await take()).toBeUndefined();
    heir.kill('SIGKILL');
    await until(async () => expect(await take()).toBeDefined());
  });

  it('of a cluster that links of several directories lead to is held by one of them, and names it', async () => {
    await mkdir(directory.cluster);
    const other = { ...directory, root: join(folder, 'other'), cluster: join(folder, 'other', 'postgres') };
    await mkdir(other.root);
    await symlink(directory.cluster, other.cluster);
    const [here, there] = [await take(), await take(other)];
    expect(await here?.takeCluster()).toBe(true);
    expect(await here?.takeCluster()).toBe(true);
    await here?.sign(17);
    await there?.sign(18);
    expect(await there?.takeCluster()).toBe(false);
    expect(describeHolder(await readSignature(other))).toMatch(/^process 17 on/);
    await here?.close();
    expect(await there?.takeCluster()).toBe(true);
    locks.shift();
  });

  it('of a copy of the folder is free', async () => {
    await (await take())?.sign(17);
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    expect(await take({ ...directory, root: copy })).toBeDefined();
    await letGo();
    await rm(copy, { recursive: true });
  });

  it('is not taken through a symbolic link, which another account may have placed', async () => {
    await writeFile(join(folder, 'other'), 'kept');
    await symlink(join(folder, 'other'), join(folder, 'postgres.lock'));
    await expect(takeLock(directory)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('postgres.lock'),
    });
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('kept');
  });
});

describe.runIf(process.platform === 'linux')('a start without locks that hold is refused', () => {
  it('where a second one gets the lock as well', async () => {
    await replaceFlock('exit 0');
    await expect(takeLock(directory)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining(`The file system of ${folder}`),
    });
  });

  it.each(['No locks available', 'Function not implemented', 'Operation not supported'])(
    'where the file system answers: %s',
    async (said) => {
      await replaceFlock(`echo 'flock: 3: ${said}' >&2`, 'exit 71');
      await expect(takeLock(directory)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringContaining(`${folder}/postgres.lock has no locks (flock: 3: ${said})`),
      });
    },
  );

  it('where the program says so with the number that means taken, as that of busybox does', async () => {
    await replaceFlock("echo 'flock: No locks available' >&2", 'exit 1');
    await expect(takeLock(directory)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('has no locks'),
    });
  });

  it('where there is no program for it', async () => {
    process.env['PATH'] = folder;
    await expect(takeLock(directory)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('Install the package util-linux'),
    });
  });
});

describe('the holder', () => {
  it('is another process where the file says nothing that can be read', () => {
    for (const text of ['', '{', 'null', '[]', '{"host":"a"}', '{"host":"a\\u001b[2J","pid":1,"since":"x","release":"1"}']) {
      expect(describeHolder(text)).toBe('another process');
    }
    fc.assert(fc.property(fc.string(), (text) => describeHolder(text) === 'another process'));
  });
});
