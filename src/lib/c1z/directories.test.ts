/** Directories that a killed process left behind, beside those that are in use. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeDirectory, removeDirectory, sweepDirectories } from './expand-c1z.ts';

it('removes what processes that are gone left behind, and nothing that is in use', async () => {
  const used = await makeDirectory();
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const of = (pid: number, host?: string): string => {
    const path = used.replace(`-${process.pid}-`, `-${pid}-`).replace(/-[^-]*$/, '-left99');
    return host === undefined ? path : path.replace(/c1z-[0-9a-f]{8}/, `c1z-${host}`);
  };
  const gone = [of(dead), of(process.pid)];
  const kept = [used, of(process.ppid), of(dead, '00000000')];
  for (const path of [...gone, ...kept.slice(1)]) {
    mkdirSync(path, { recursive: true });
  }
  expect(await sweepDirectories()).toBeGreaterThanOrEqual(2);
  expect([gone.map(existsSync), kept.map(existsSync)]).toEqual([
    [false, false],
    [true, true, true],
  ]);
  await removeDirectory(used);
  await removeDirectory(used);
  expect(existsSync(used)).toBe(false);
  for (const path of kept) {
    rmSync(path, { recursive: true, force: true });
  }
});
