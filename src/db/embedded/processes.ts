/**
 * Server processes as the operating system knows them: who is alive, who works in a folder, and the ending of backends whose postmaster was killed.
 * Complete on Linux (/proc); elsewhere only a pid can be asked for.
 */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../context.ts';

/** A PostgreSQL process that works in a folder. */
interface ServerProcess {
  readonly pid: number;
  readonly parent: number;
  readonly isPostmaster: boolean;
}

/** True if a process with this id exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') {
      return false;
    }
  }
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3),
    () => '',
  );
  return state !== 'Z';
}

/** True if we can look into other processes here. */
export const canInspect = process.platform === 'linux';

async function inspect(pid: number, folder: string): Promise<ServerProcess | undefined> {
  try {
    // The folder first: it alone rules out nearly every process, those of other users included. Another container's may have the same path.
    const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)]);
    if (theirs.ino !== ours.ino || theirs.dev !== ours.dev) {
      return undefined;
    }
    const program = basename((await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''));
    if (program !== 'postgres') {
      return undefined;
    }
    const [title, status] = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    // A child of the postmaster names itself 'postgres: ...'; the postmaster keeps its command line.
    return { pid, parent: Number(fields[1]), isPostmaster: !title.startsWith('postgres:') };
  } catch {
    return undefined;
  }
}

/** Returns the PostgreSQL processes whose working directory is this folder. @internal */
export async function listServerProcesses(folder: string): Promise<ServerProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== process.pid);
  const found = await Promise.all(pids.map((pid) => inspect(pid, folder)));
  return found.filter((each) => each !== undefined);
}

/** True if `pid` is the postmaster of the cluster in `folder`. Where that cannot be found out: whether it is alive. */
export async function isPostmaster(pid: number, folder: string): Promise<boolean> {
  if (!(await isAlive(pid))) {
    return false;
  }
  return canInspect ? (await inspect(pid, folder))?.isPostmaster === true : true;
}

/**
 * Ends the processes that work in the cluster and have no postmaster any more: they keep its shared memory, and a new server
 * refuses to start until the last is gone. They hold nothing worth keeping: what was acknowledged is in the log.
 */
export async function endOrphans(folder: string, log: Logger): Promise<void> {
  if (!canInspect) {
    return;
  }
  for (let round = 0; round < 40; round++) {
    const all = await listServerProcesses(folder);
    const postmasters = new Set(all.filter((each) => each.isPostmaster).map((each) => each.pid));
    const without = all.filter((each) => !each.isPostmaster && !postmasters.has(each.parent));
    // One that started while we looked may be missing among the postmasters, with its children there.
    const parents = await Promise.all(without.map(({ parent }) => inspect(parent, folder)));
    const orphans = without.filter((_, index) => parents[index] === undefined);
    if (orphans.length === 0) {
      return;
    }
    if (round === 0) {
      log.warn({ pids: orphans.map((each) => each.pid) }, 'ending PostgreSQL processes whose postmaster was killed');
    }
    for (const { pid } of orphans) {
      sendSignal(pid, round < 5 ? 'SIGQUIT' : 'SIGKILL');
    }
    await delay(50);
  }
}

/** Sends a signal to a process that may be gone already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}
