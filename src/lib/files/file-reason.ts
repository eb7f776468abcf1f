/** Reasons why the operating system refuses something with a file, in words that an operator can act on. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this account has no permission there',
  EPERM: 'this account has no permission there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be larger than this account may write',
  EMFILE: 'this process may not open more files (see ulimit -n)',
  ENFILE: 'this machine has no more files to open (see fs.file-max)',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist, or a folder above it does not',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'a file of that name is in the way',
  EBUSY: 'it is in use, as a mounted file or folder is',
  EIO: 'the disk reports an error',
  ESTALE: 'its network file system lost it: mount it again',
};

/** The reason of an error of Node's file functions; undefined for any other error. */
export function reasonOfFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) {
    return undefined;
  }
  const code = String(error.code);
  return `${reasons[code] ?? error.message} (${code})`;
}

/**
 * Makes a folder and those missing above it; returns the first one made. The recursive mkdir of Node is not used: it answers "no such file" for a
 * read-only disk, and never ends in /proc.
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<string | undefined> {
  if (await isFolder(folder)) {
    return undefined;
  }
  const above = dirname(folder);
  const first = above === folder ? undefined : await makeFolders(above, mode);
  try {
    await mkdir(folder, { mode });
    return first ?? folder;
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isFolder(folder))) {
      return first;
    }
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
