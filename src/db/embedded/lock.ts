/**
 * The lock of a data directory: an exclusive one of the kernel on DIR/postgres.lock. Whoever prepares a server holds it, and the server inherits it,
 * with all its processes: it is free exactly when the last of them is gone, in whatever container they are. Numbers of processes say nothing there.
 * DIR/postgres has one of its own, since a link or a mount may lead to it from several directories.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, readFile, realpath, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError, isAppError } from '../../errors.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';
import { readVersion } from '../../lib/version.ts';
import type { Account } from './account.ts';
import type { DataDirectory } from './directory.ts';
import { openOwn } from './folder-rights.ts';
import { findLocalLocks } from './mounts.ts';

/** A lock that is held as long as this, or a process that inherited its descriptor, has it open. */
export interface DirectoryLock {
  readonly fds: readonly number[];
  /** Takes that of the cluster too, where there is one; false where another process has it. */
  takeCluster(): Promise<boolean>;
  /** Writes down which process holds it, for those who do not get it. */
  sign(pid: number): Promise<void>;
  /** Removes the file: another account, which is told to take our place, could not open it. Whoever has opened it meanwhile notices that. */
  remove(): Promise<void>;
  /** Closes our own descriptors. */
  close(): Promise<void>;
}

const elsewhere = 'or use one PostgreSQL for all with --database-url';

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('FAILED_PRECONDITION', message, { cause });
}

/** Takes the lock; undefined where another process has it. FAILED_PRECONDITION where locks do not hold here. */
export async function takeLock({ root, cluster, account }: DataDirectory): Promise<DirectoryLock | undefined> {
  const file = await lockFolder(root, account);
  if (file === undefined) {
    return undefined;
  }
  const files = [file];
  return {
    get fds() {
      return files.map(({ fd }) => fd);
    },
    async takeCluster() {
      const isThere = await stat(cluster).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (files.length === 1 && isThere) {
        const own = await lockFolder(cluster, account);
        files.push(...(own === undefined ? [] : [own]));
        return own !== undefined;
      }
      return true;
    },
    async sign(pid) {
      await Promise.all(files.map((each) => sign(each, pid)));
    },
    async remove() {
      await rm(lockFileOf(root), { force: true }).catch(() => undefined);
    },
    async close() {
      await Promise.all(files.map((each) => each.close()));
    },
  };
}

/** Locks the file in a folder, after a look at whether locks hold there; undefined where another process has it. */
async function lockFolder(folder: string, account: Account | undefined): Promise<FileHandle | undefined> {
  const path = await realpath(folder).catch(() => folder);
  const local = findLocalLocks(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''), path);
  if (local !== undefined) {
    throw refuse(
      `${folder} is on a network file system (${local.type}, ${local.source}) mounted with ${local.option}, so another machine could run a second PostgreSQL on it unnoticed. Mount it without that option, use a disk of this machine, ${elsewhere}.`,
    );
  }
  const file = await openLocked(folder, account);
  if (file === undefined) {
    return undefined;
  }
  try {
    if (!(await isStillNamed(file, lockFileOf(folder)))) {
      await file.close();
      return undefined;
    }
    const second = await openLocked(folder, account);
    if (second !== undefined) {
      await second.close();
      throw refuse(
        `The file system of ${folder} gives a lock on ${lockFileOf(folder)} to two at once, so nothing keeps a second PostgreSQL away. Put the data directory on a disk of this machine, ${elsewhere}.`,
      );
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function lockFileOf(folder: string): string {
  return join(folder, 'postgres.lock');
}

/** Opens the file and locks it; undefined where another has the lock. */
async function openLocked(folder: string, account: Account | undefined): Promise<FileHandle | undefined> {
  const path = lockFileOf(folder);
  // Node knows no flock. Where opening can lock (macOS), it does; else the program locks the descriptor it inherits, and the lock stays with it.
  const isLinux = process.platform === 'linux';
  const exclusively = isLinux ? 0 : 0x20 | constants.O_NONBLOCK;
  let file: FileHandle;
  try {
    file = await openOwn(path, constants.O_RDWR | exclusively);
  } catch (error) {
    if (!isLinux && (error as NodeJS.ErrnoException).code === 'EAGAIN') {
      return undefined;
    }
    if (isAppError(error)) {
      throw error;
    }
    const reason = reasonOfFile(error) ?? (error as Error).message;
    const way = ['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))
      ? 'Give it to the account that runs Countersign'
      : 'Mend that';
    throw refuse(`The lock of the data directory, ${path}, cannot be opened: ${reason}. ${way}.`, error);
  }
  try {
    if (account !== undefined) {
      await file.chown(account.uid, account.gid);
    }
    if (!isLinux || (await lockDescriptor(file.fd, path))) {
      return file;
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Locks what is open as `fd`; false where another has the lock. */
async function lockDescriptor(fd: number, path: string): Promise<boolean> {
  const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', fd] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await (once(child, 'close') as Promise<[number | null]>).catch((error: Error) => {
    throw refuse(
      `The program flock, which keeps a second PostgreSQL away from ${path}, cannot be run: ${error.message}. Install the package util-linux, ${elsewhere}.`,
      error,
    );
  });
  if (code === 0) {
    return true;
  }
  if (code === 1 && said === '') {
    return false;
  }
  throw refuse(
    `The file system of ${path} has no locks (${said.trim() || `flock ended with ${code}`}), so nothing keeps a second PostgreSQL away. Put the data directory on a disk of this machine, ${elsewhere}.`,
  );
}

/** False where somebody removed or replaced the file since: others would lock another one. */
async function isStillNamed(file: FileHandle, path: string): Promise<boolean> {
  const [ours, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return ours.ino === named?.ino && ours.dev === named.dev;
}

async function sign(file: FileHandle, pid: number): Promise<void> {
  const holder = { host: hostname(), pid, since: new Date().toISOString(), release: readVersion() };
  const note = 'Do not remove this file: it keeps a second PostgreSQL away from the directory. It needs no clearing up.';
  const text = `${JSON.stringify({ ...holder, note })}\n`;
  // The lock is held whether or not the disk has room for the words.
  await file
    .truncate(0)
    .then(() => file.write(text, 0))
    .catch(() => undefined);
}

/** Text in the lock's file, that of the cluster where it has one; empty where neither can be read. */
export async function readSignature({ root, cluster }: DataDirectory): Promise<string> {
  return readFile(lockFileOf(cluster), 'utf8').catch(() => readFile(lockFileOf(root), 'utf8').catch(() => ''));
}

/** Names the holder by the text in the lock's file, whatever that is. */
export function describeHolder(signature: string): string {
  const unknown = 'another process';
  try {
    const { host, pid, since, release } = JSON.parse(signature) as Record<string, unknown>;
    if (!isWord(host) || !isWord(since) || !isWord(release) || !Number.isInteger(pid)) {
      return unknown;
    }
    return `process ${String(pid)} on the host ${host} (since ${since}, release ${release})`;
  } catch {
    return unknown;
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:+-]{1,253}$/.test(value);
}
