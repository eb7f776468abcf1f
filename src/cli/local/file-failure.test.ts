/** Files of local commands that cannot be written: the path, the reason, and the option. */
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolders, reasonOfFile } from '../../lib/files/file-reason.ts';
import { writeBootstrapFile } from './bootstrap.ts';

const credential = { tenantHost: 'one.example', clientId: 'id', clientSecret: 'secret', signInUrl: 'https://one.example/' };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await writeFile(join(folder, 'file'), '');
  await symlink('nothing', join(folder, 'link'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['file/first.json', /a file of that name is in the way \(EEXIST\)/],
  ['link/first.json', /a file of that name is in the way \(EEXIST\)/],
  [`${'n'.repeat(300)}.json`, /its name is too long \(ENAMETOOLONG\)/],
  ['../../../../../../../../../proc/nothing/first.json', /it does not exist, or a folder above it does not \(ENOENT\)/],
])('the first credential in %s is refused, and nothing is left', async (name, reason) => {
  const path = join(folder, name);
  const before = await readdir(folder);
  const refused = expect(writeBootstrapFile(path, credential)).rejects;
  await refused.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringMatching(reason) });
  await expect(writeBootstrapFile(path, credential)).rejects.toThrow(`${path} cannot be written: `);
  await expect(writeBootstrapFile(path, credential)).rejects.toThrow('with --bootstrap-file');
  expect(await readdir(folder)).toEqual(before);
});

it('folders are made with those above, by several at once; the first one made is said', async () => {
  const path = join(folder, 'a', 'b', 'c');
  expect(await makeFolders(path, 0o700)).toBe(join(folder, 'a'));
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await makeFolders(path)).toBeUndefined();
  await Promise.all(Array.from({ length: 8 }, () => makeFolders(join(folder, 'd', 'e', 'f'))));
  expect((await stat(join(folder, 'd', 'e', 'f'))).isDirectory()).toBe(true);
});

it('a reason is only of what files are refused for', () => {
  expect(reasonOfFile(new Error('no'))).toBeUndefined();
  expect(reasonOfFile('EACCES')).toBeUndefined();
  expect(reasonOfFile(Object.assign(new Error('odd'), { code: 'EODD', syscall: 'open' }))).toBe('odd (EODD)');
});
