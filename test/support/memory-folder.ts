/**
 * A folder in memory for the databases of a test run, where the machine has one. Each test file copies a database of nearly a thousand files,
 * and some file systems take half a second of processor time for that.
 */
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'countersign-test-';

/** Makes the folder; undefined where there is no such file system, or less room than the databases may need. */
export async function makeFolderInMemory(bytes: number): Promise<string | undefined> {
  const found = await statfs(memory).catch(() => undefined);
  if (found === undefined || found.bavail * found.bsize < bytes || freemem() < 2 * bytes) {
    return undefined;
  }
  return mkdtemp(join(memory, `${prefix}${process.pid}-`)).catch(() => undefined);
}

/** Removes what runs left behind that were killed: it would hold memory until the machine ends. */
export async function removeFoldersOfEndedRuns(): Promise<void> {
  for (const name of await readdir(memory).catch(() => [])) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-', 1)[0] : Number.NaN);
    if (Number.isInteger(pid) && !isRunning(pid)) {
      await rm(join(memory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** A process of another account is running too. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
