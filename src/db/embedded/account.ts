/**
 * As which account of the operating system the embedded server runs, and whether that account can reach a path.
 * PostgreSQL refuses to run as root, so root hands it to an account without rights; everybody else runs it as themselves.
 */
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account a child process is started as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** 'nobody' on most systems; it needs no entry in any list of accounts. */
const unprivileged: Account = { uid: 65534, gid: 65534 };

/** Undefined = as ourselves. For root: the owner of the cluster where there is one already, else an account without rights. */
export async function chooseAccount(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const found = await stat(clusterDirectory).catch(() => undefined);
  return found !== undefined && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : unprivileged;
}

/**
 * The first folder on the way to `path` (itself included) that `account` may not enter, or undefined. Reads the mode bits:
 * access control lists are not looked at, the server's own message reports those.
 */
export async function findUnreachable(path: string, account: Account): Promise<string | undefined> {
  let folder = await realpath(path);
  const folders: string[] = [];
  for (;;) {
    folders.unshift(folder);
    const parent = dirname(folder);
    if (parent === folder) {
      break;
    }
    folder = parent;
  }
  for (const each of folders) {
    if (!mayUse(await stat(each), account, 0o1)) {
      return each;
    }
  }
  return undefined;
}

/** True if the mode of a file gives `account` these rights (4 reads, 2 writes, 1 enters). */
export function mayUse(
  file: { readonly mode: number; readonly uid: number; readonly gid: number },
  account: Account,
  rights: number,
): boolean {
  const shift = file.uid === account.uid ? 6 : file.gid === account.gid ? 3 : 0;
  return ((file.mode >> shift) & rights) === rights;
}
