/** Data directories that are chosen, made and refused. */
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../context.ts';
import { chooseDefaultDirectory, claimDirectory, markCluster } from './directory.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeCluster(path: string, version: string, marked: boolean): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'PG_VERSION'), `${version}\n`);
  if (marked) {
    await markCluster(path);
  }
}

describe('an explicit directory', () => {
  it('is made where it is missing, and may hold other files', async () => {
    const wanted = join(folder, 'a', 'b');
    expect(await claimDirectory(wanted)).toMatchObject({ root: wanted, cluster: join(wanted, 'postgres') });
    await writeFile(join(wanted, 'bootstrap.json'), '{}');
    expect((await claimDirectory(wanted)).root).toBe(wanted);
  });

  const foreign: [string, (path: string) => Promise<void>, string][] = [
    ['is a cluster itself', (path) => makeCluster(path, '15', false), 'not ours'],
    ['holds a cluster that is not ours', (path) => makeCluster(join(path, 'postgres'), '18', false), 'not ours'],
    ['holds a cluster of ours of another version', (path) => makeCluster(join(path, 'postgres'), '17', true), 'PostgreSQL 17'],
    [
      'holds something else under the name of the cluster',
      async (path) => void (await mkdir(join(path, 'postgres', 'x'), { recursive: true })),
      'not a PostgreSQL cluster',
    ],
  ];
  it.each(foreign)('that %s is refused and left as it was', async (_name, prepare, reason) => {
    await prepare(folder);
    await expect(claimDirectory(folder)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining(reason) });
  });

  it('that is a file is refused', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(claimDirectory(join(folder, 'file'))).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await expect(claimDirectory(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it.skipIf(!isRoot)('of the account of its server stays closed to others when root uses it', async () => {
    await makeCluster(join(folder, 'postgres'), '18', true);
    await chown(join(folder, 'postgres'), 1000, 1000);
    await chown(folder, 1000, 1000);
    await chmod(folder, 0o700);
    expect(await claimDirectory(folder)).toMatchObject({ account: { uid: 1000, gid: 1000 } });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it.skipIf(!isRoot)('that the server cannot get into when we are root is refused, with the folder that is in the way', async () => {
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    await expect(claimDirectory(join(home, 'data'))).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining(home),
    });
  });

  it.skipIf(!isRoot)('of root that is private itself (as mktemp -d makes it) is opened just enough to pass through', async () => {
    await chmod(folder, 0o700);
    await claimDirectory(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o701);
  });

  it.skipIf(isRoot)('of somebody else is refused', async () => {
    await expect(claimDirectory('/var/empty-of-root')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });
});

describe('the default directory', () => {
  it('is data in the clone', async () => {
    expect(await chooseDefaultDirectory(silentLogger, { clone: folder })).toBe(join(folder, 'data'));
  });

  it.skipIf(!isRoot)('moves out of a clone in the private home of root, per clone, and says so in one line', async () => {
    const [one, two] = [join(folder, 'root', 'one'), join(folder, 'root', 'two')];
    await mkdir(one, { recursive: true });
    await mkdir(two);
    await chmod(join(folder, 'root'), 0o700);
    const systemFolder = join(folder, 'var-lib', 'countersign');
    const log = { ...silentLogger, info: vi.fn() };
    const moved = await chooseDefaultDirectory(log, { clone: one, systemFolder });
    expect(moved.startsWith(join(systemFolder, 'one-'))).toBe(true);
    expect(log.info).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.stringContaining(moved));
    expect(await chooseDefaultDirectory(silentLogger, { clone: two, systemFolder })).not.toBe(moved);
    expect(await chooseDefaultDirectory(silentLogger, { clone: one, systemFolder })).toBe(moved);
    expect((await claimDirectory(moved)).root).toBe(moved);
  });

  it.skipIf(!isRoot)('is in the temporary directory where /var/lib cannot be written', async () => {
    await chmod(folder, 0o700);
    await writeFile(join(folder, 'file'), '');
    const clone = join(folder, 'clone');
    await mkdir(clone);
    const moved = await chooseDefaultDirectory(silentLogger, { clone, systemFolder: join(folder, 'file', 'countersign') });
    expect(moved.startsWith(join(tmpdir(), 'countersign-0', 'clone-'))).toBe(true);
    await rm(moved, { recursive: true, force: true });
  });
});
