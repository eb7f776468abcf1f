/**
 * Choice and checks of the data directory: chosen, created, distinguished from somebody else's, refused with the reason. An explicit one is never
 * silently moved. What is inside a cluster is PostgreSQL's business.
 *
 *   DIR/postgres/                the cluster, with our mark countersign-cluster.json in it (mode 0700, its socket inside too)
 *   DIR/postgres.lock            held by the server as long as it lives, see lock.ts
 *   DIR/postgres-start.log       what the server said before its own log began
 *   DIR/server-VERSION/          a copy of the programs, only where the installed ones cannot be used in place
 *   DIR/socket-directory         where the socket is, only where the path of the cluster is too long for one
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, chown, lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../context.ts';
import { folderOfData, isCompiled, programFolder } from '../../lib/installation.ts';
import { makeFolders, reasonOfFile } from '../../lib/files/file-reason.ts';
import { type Account, chooseAccount, findUnreachable, mayUse } from './account.ts';
import {
  cannotMake,
  makePrivate,
  openOwn,
  refuseFolder,
  refuseForeignOwner,
  refusePowerlessRoot,
  refuseUnwritable,
} from './folder-rights.ts';

/** The major version of the clusters we make. */
const postgresMajor = '18';
const markFile = 'countersign-cluster.json';
export const socketFile = '.s.PGSQL.5432';
const maxSocketPathBytes = 100;

/** A data directory that may be used, with every symbolic link resolved. */
export interface DataDirectory {
  readonly root: string;
  readonly cluster: string;
  readonly account: Account | undefined;
}

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('FAILED_PRECONDITION', message, { cause });
}

/** Inputs to the choice of the default; given in tests only. */
export interface DefaultDirectoryInputs {
  readonly clone: string;
  readonly systemFolder: string;
}

/**
 * The data directory of somebody who gave none: `data` in the clone. Where we are root and the server's account cannot get into the
 * clone (a clone under /root), a folder per clone under /var/lib/countersign, or the temporary directory: said in one line. The compiled
 * program has no clone (see installation.ts).
 */
export async function chooseDefaultDirectory(log: Logger, inputs: Partial<DefaultDirectoryInputs> = {}): Promise<string> {
  if (inputs.clone === undefined && isCompiled) {
    return join(folderOfData(), 'data');
  }
  const { clone = programFolder, systemFolder = '/var/lib/countersign' } = inputs;
  const own = join(clone, 'data');
  const account = await chooseAccount(join(own, 'postgres'));
  if (account === undefined) {
    return own;
  }
  const unreachable = await findUnreachable(clone, account);
  if (unreachable === undefined) {
    return own;
  }
  const hash = createHash('sha256')
    .update(await realpath(clone))
    .digest('hex')
    .slice(0, 10);
  const name = `${basename(clone)}-${hash}`;
  let folder = systemFolder;
  try {
    await makeFolder(folder, account);
    await makeFolder(join(folder, name), account);
  } catch {
    folder = join(tmpdir(), 'countersign-0');
    await makeFolder(folder, account);
    const { uid } = await lstat(folder);
    if (uid !== 0) {
      throw refuse(`${folder} belongs to another user. Choose a place for the data with --data-dir.`);
    }
  }
  const moved = join(folder, name);
  log.info({ directory: moved }, `PostgreSQL does not run as root and its account cannot enter ${unreachable}, so the data is in ${moved}`);
  return moved;
}

/** Creates a folder and what is missing above it, so that the account can go through whatever the umask is. */
async function makeFolder(folder: string, account: Account | undefined): Promise<void> {
  const first = await makeFolders(folder, account === undefined ? 0o700 : 0o711);
  if (first === undefined || account === undefined) {
    return;
  }
  for (let each = folder; each.length >= first.length; each = dirname(each)) {
    await chmod(each, 0o711);
  }
}

/** Makes sure that `path` may be used as data directory: creates it where it is missing, refuses it with the reason where not. */
export async function claimDirectory(path: string): Promise<DataDirectory> {
  const wanted = resolve(path);
  const account = await chooseAccount(join(wanted, 'postgres'));
  if (account !== undefined) {
    await refusePowerlessRoot();
  }
  let root: string;
  try {
    await makeFolder(wanted, account);
    root = await realpath(wanted);
  } catch (error) {
    throw await cannotMake(wanted, error);
  }
  const cluster = join(root, 'postgres');
  await refuseForeignOwner(root, cluster);
  await refuseForeignCluster(root, cluster);
  await refuseUnwritable(root);
  if (account !== undefined) {
    await letThrough(root, account);
  }
  await makePrivate(cluster, account);
  return { root, cluster, account };
}

/** The server's account only passes through, to its own folder inside. */
async function letThrough(root: string, account: Account): Promise<void> {
  const found = await stat(root);
  if (!mayUse(found, account, 0o1)) {
    await chmod(root, found.mode | 0o001).catch((error: unknown) => {
      throw refuseFolder(`The account that PostgreSQL runs as (uid ${account.uid}) cannot be let into ${root}`, error);
    });
  }
  const unreachable = await findUnreachable(root, account);
  if (unreachable !== undefined) {
    throw refuse(
      `PostgreSQL does not run as root, and the account it runs as (uid ${account.uid}) cannot enter ${unreachable}. Give a --data-dir outside of it, or run as an ordinary user.`,
    );
  }
}

async function refuseForeignCluster(root: string, cluster: string): Promise<void> {
  const inRoot = await readVersion(root);
  if (inRoot !== undefined) {
    throw refuse(
      `${root} holds a PostgreSQL ${inRoot} cluster that is not ours. Give another --data-dir, or connect to that server with --database-url.`,
    );
  }
  const version = await readVersion(cluster);
  if (version === undefined) {
    const entries = await stat(cluster).catch(() => undefined);
    if (entries !== undefined) {
      throw refuse(`${cluster} exists but is not a PostgreSQL cluster. Give another --data-dir.`);
    }
    return;
  }
  const marked = await stat(join(cluster, markFile)).then(
    () => true,
    () => false,
  );
  if (!marked) {
    throw refuse(
      `${cluster} holds a PostgreSQL ${version} cluster that is not ours. Give another --data-dir, or connect to that server with --database-url.`,
    );
  }
  if (version !== postgresMajor) {
    throw refuse(
      `${cluster} was made by PostgreSQL ${version}, and this is PostgreSQL ${postgresMajor}. Use the release of Countersign that made it, or move the data with pg_dump.`,
    );
  }
  const standby = join(cluster, 'standby.signal');
  if ((await stat(standby).catch(() => undefined)) !== undefined) {
    throw refuse(`${standby} makes the embedded database a standby, which takes no writes. Remove this file and start again.`);
  }
}

async function readVersion(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
        throw refuseFolder(`${folder} cannot be read`, error);
      }
      return undefined;
    },
  );
}

/** Marks a cluster as ours. */
export async function markCluster(cluster: string): Promise<void> {
  await writeFile(join(cluster, markFile), `${JSON.stringify({ madeBy: 'countersign', postgres: postgresMajor })}\n`);
}

/**
 * The folder of the server's socket: the cluster itself (mode 0700), or, where its path is too long for a socket (about 100 bytes),
 * a private folder under the temporary directory that is remembered in the data directory.
 */
export async function chooseSocketFolder({ root, cluster, account }: DataDirectory): Promise<string> {
  if (Buffer.byteLength(join(cluster, socketFile)) < maxSocketPathBytes) {
    return cluster;
  }
  const memory = join(root, 'socket-directory');
  const remembered = await readFile(memory, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  const name = `countersign-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  const short = [tmpdir(), '/tmp']
    .map((folder) => join(folder, name))
    .find((folder) => Buffer.byteLength(join(folder, socketFile)) < maxSocketPathBytes);
  // In a copy of the folder the memory is that of the original, whose server answers there.
  const folder = basename(remembered) === name && (await canBeMade(remembered)) ? remembered : short;
  if (folder === undefined) {
    throw refuse(`The path of ${root} is too long for a socket. Give a shorter --data-dir.`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const way = `The path of ${root} is too long for a socket, and ${folder} cannot be made for it: ${reasonOfFile(error)}`;
    throw new AppError('FAILED_PRECONDITION', `${way}. Give a shorter --data-dir, or a TMPDIR that can be written.`, { cause: error });
  });
  await makePrivate(folder, account);
  const found = await lstat(folder);
  const owner = account?.uid ?? process.getuid?.();
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.()) || (found.mode & 0o077) !== 0) {
    throw refuse(`${folder}, where the socket of ${root} belongs, is owned by another user. Choose a shorter --data-dir.`);
  }
  if (account !== undefined) {
    await chown(folder, account.uid, account.gid);
  }
  if (folder !== remembered) {
    const file = await openOwn(memory, constants.O_WRONLY | constants.O_TRUNC);
    await file.writeFile(`${folder}\n`).finally(() => file.close());
  }
  return folder;
}

/** A temporary folder of another machine, or of a container that had one, may not exist here. */
async function canBeMade(folder: string): Promise<boolean> {
  return (
    folder !== '' &&
    mkdir(folder, { recursive: true, mode: 0o700 }).then(
      () => true,
      () => false,
    )
  );
}
