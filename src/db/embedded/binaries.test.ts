/** The programs of the server: their links, and their copy where the account that runs them cannot read them. */
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../context.ts';
import { type Binaries, findBinaries, prepareBinaries, programPath } from './binaries.ts';

const isRoot = process.getuid?.() === 0;
const run = promisify(execFile);
let folder: string;
let installed: Binaries;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await chmod(folder, 0o755);
  const found = await findBinaries();
  installed = { root: join(folder, 'clone', 'package'), version: found.version };
  // As npm leaves it when it runs no install scripts: without links.
  await cp(found.root, installed.root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => !path.endsWith('.so') || !(await isLink(path)),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path)).isSymbolicLink();
}

it('get their missing links in place, by several processes at once', async () => {
  const prepared = await Promise.all([1, 2, 3].map(() => prepareBinaries(installed, undefined, folder, silentLogger)));
  expect(prepared[0]).toEqual(installed);
  expect((await stat(join(installed.root, 'native/lib/libpq.so'))).isFile()).toBe(true);
  expect((await run(programPath(installed, 'postgres'), ['--version'])).stdout).toContain('PostgreSQL');
});

it.skipIf(!isRoot)('are copied where their account cannot enter the clone, once', async () => {
  const account = { uid: 65534, gid: 65534 };
  await chmod(join(folder, 'clone'), 0o700);
  const [prepared] = await Promise.all([1, 2].map(() => prepareBinaries(installed, account, folder, silentLogger)));
  expect(prepared?.root).toBe(join(folder, `server-${installed.version}`));
  expect((await run(programPath(prepared as Binaries, 'initdb'), ['--version'], account)).stdout).toContain('PostgreSQL');
  expect((await readdir(folder)).sort()).toEqual(['clone', `server-${installed.version}`]);
  expect(await prepareBinaries(installed, account, folder, silentLogger)).toEqual(prepared);
});

it.skipIf(!isRoot)('are copied where a strict umask left them to root alone, for everybody to read', async () => {
  const account = { uid: 65534, gid: 65534 };
  await run('chmod', ['-R', 'go-rwx', join(installed.root, 'native')]);
  const before = process.umask(0o077);
  try {
    const prepared = await prepareBinaries(installed, account, folder, silentLogger);
    expect((await run(programPath(prepared, 'initdb'), ['--version'], account)).stdout).toContain('PostgreSQL');
  } finally {
    process.umask(before);
  }
});
