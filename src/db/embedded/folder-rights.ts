/**
 * Rights on the data directory: asked for by writing, since groups, access control lists and squashed network volumes say nothing in the owner, and
 * set where a volume's driver changes them at each mount.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, open, readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';
import type { Account } from './account.ts';

/** Rights of root that it takes to start and stop a server as another account: CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID. */
const neededByRoot = 0b1110_0011n;

/** The error for a data directory that cannot be used, with the reason of the system. */
export function refuseFolder(what: string, error: unknown): AppError {
  const reason = reasonOfFile(error) ?? String(error instanceof Error ? error.message : error);
  return new AppError('FAILED_PRECONDITION', `${what}: ${reason}. Mend that, or give another --data-dir.`, { cause: error });
}

/** The error for a data directory that could not be made; `wanted` is as it was given. */
export async function cannotMake(wanted: string, error: unknown): Promise<AppError> {
  const { path = wanted, code } = error as NodeJS.ErrnoException;
  if (code !== 'EEXIST') {
    return refuseFolder(`The data directory ${wanted} cannot be made`, error);
  }
  const target = await readlink(path).catch(() => undefined);
  const message =
    target === undefined
      ? `The data directory ${wanted} cannot be made, since ${path} is a file, not a directory. Give another --data-dir.`
      : `The data directory ${wanted} cannot be made, since ${path} is a symbolic link to ${target}, which is no directory. Mount or make what it points to, or give another --data-dir.`;
  return new AppError('FAILED_PRECONDITION', message, { cause: error });
}

/** Makes sure that this process can write into the folder: makes a file, which goes again. */
export async function refuseUnwritable(root: string): Promise<void> {
  // Named like what is removed at the next start where a kill leaves it behind.
  const trial = join(root, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    const file = await open(trial, 'wx', 0o600);
    await file.close();
    await rm(trial, { force: true });
  } catch (error) {
    const { uid, gid, mode } = await stat(root);
    const rights = `it belongs to uid ${uid} and gid ${gid} with mode ${(mode & 0o7777).toString(8)}, and this process runs as uid ${process.getuid?.()} and gid ${process.getgid?.()}`;
    const isRefused = ['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code));
    throw isRefused
      ? new AppError(
          'FAILED_PRECONDITION',
          `The data directory ${root} cannot be written: ${rights}. Make it writable for this account (chown; in Kubernetes fsGroup), or give another --data-dir.`,
          { cause: error },
        )
      : refuseFolder(`The data directory ${root} cannot be written`, error);
  }
}

/** Refuses a cluster of another account: PostgreSQL starts only as the owner of its files. Root takes that account on, if it may. */
export async function refuseForeignOwner(root: string, cluster: string): Promise<void> {
  const uid = process.getuid?.();
  const found = await stat(cluster).catch(() => undefined);
  if (found !== undefined && uid !== undefined && uid !== 0 && found.uid !== uid) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `${cluster} belongs to another user (uid ${found.uid}), and this process runs as uid ${uid}: PostgreSQL starts only as the owner of its files. Run as uid ${found.uid} (runAsUser in Kubernetes), or hand the files over with chown -R ${uid} ${root}.`,
    );
  }
}

/**
 * Makes a folder of the server private again: Kubernetes gives the group of a volume (fsGroup) rights on everything at each mount, and PostgreSQL
 * refuses a cluster that its group may write. What is inside needs no change.
 */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  const owner = account?.uid ?? process.getuid?.();
  if (found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) !== 0) {
    await chmod(folder, 0o700).catch((error: unknown) => {
      throw refuseFolder(`${folder} cannot be made private (mode 0700)`, error);
    });
  }
}

/** Refuses a root whose rights a container took away: it could not become the account that PostgreSQL runs as. */
export async function refusePowerlessRoot(): Promise<void> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const rights = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  if (rights !== undefined && (BigInt(`0x${rights}`) & neededByRoot) !== neededByRoot) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'PostgreSQL does not run as root, and this root may not start it as another account: its capabilities were dropped. Run as an ordinary user (--user 1000, in Kubernetes runAsUser: 1000), leave CHOWN, DAC_OVERRIDE, KILL, SETGID and SETUID to root, or give --database-url.',
    );
  }
}

/**
 * Opens a file of ours to write, with mode 0600 where it makes it; `flags` besides that. Root does so in a folder that may be another account's, so a
 * symbolic link, which would make it write elsewhere, is FAILED_PRECONDITION.
 */
export async function openOwn(path: string, flags: number): Promise<FileHandle> {
  return open(path, constants.O_CREAT | constants.O_NOFOLLOW | flags, 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOOP') {
      throw error;
    }
    const target = await readlink(path).catch(() => 'another place');
    throw new AppError(
      'FAILED_PRECONDITION',
      `${path} is a symbolic link to ${target}, and Countersign writes there through none: remove it and start again.`,
      { cause: error },
    );
  });
}
