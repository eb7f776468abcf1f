/**
 * Processes of ours as containers on one machine run them: each with its own numbers of processes, shared memory and mounts (`unshare`), on data
 * directories they have in common. No process of one is seen by another; whoever tests sees them all.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from './until.ts';

const separate = ['unshare', '--pid', '--ipc', '--mount', '--fork', '--mount-proc', '--kill-child'];

/** False where this account may not make namespaces, or there is no `unshare`: its tests are then left out. */
export const canMakeContainers = spawnSync(separate[0] as string, [...separate.slice(1), 'true']).status === 0;

/** Differences between a container and the others. */
export interface ContainerOptions {
  /** Account that runs it; root where none is given. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** An empty folder under which this one sees the data directory, as another mount of the same volume. */
  readonly mountedAt?: string;
}

/** Docker gives each container 64 MB of its own; a killed one leaves nothing of it behind. */
const ownMemory = 'mount -t tmpfs -o size=64m tmpfs /dev/shm';

/** The command that runs another one in a container of its own: that one is its first process, and takes all others with it when it ends. */
export function containerOf(dataDir: string, { account, mountedAt = '' }: ContainerOptions = {}): string[] {
  const mounts = `${ownMemory} && if [ -n "$2" ]; then mount --bind "$1" "$2"; fi && shift 2 && exec "$@"`;
  const ids = account === undefined ? [] : ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return [...separate, 'sh', '-c', mounts, 'sh', dataDir, mountedAt, ...ids];
}

/**
 * Sends a signal to the first process of a container, as `docker stop` and `docker kill` do, and resolves to the exit code. The kernel drops what comes
 * before the first process has a handler of its own, and `docker stop` would kill it after its patience: here it is sent once more.
 */
export async function endContainer(unshare: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = new Promise<void>((resolve) => unshare.once('exit', () => resolve()));
  if (unshare.exitCode === null && unshare.signalCode === null) {
    const first = await until(() => firstChildOf(unshare.pid as number));
    if (first !== undefined) {
      signalIfAlive(first, signal);
      const again = setTimeout(() => signalIfAlive(first, signal), 10_000);
      void ended.then(() => clearTimeout(again));
    }
    await ended;
  }
  return unshare.exitCode;
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}

/** The number, as we see it, of the first child of a process, such as the first process in the container of an `unshare`; undefined where it has ended. */
export function firstChildOf(parent: number): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    if (child === undefined || child === '') {
      throw new Error('it has no child yet');
    }
    return Number(child);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** The PostgreSQL servers whose working directory is this cluster, in whatever container: numbers as we see them. */
export function listServers(cluster: string): number[] {
  const programs = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, cluster));
  const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
  // Backends are children of the server and call themselves 'postgres: ...'; what is being killed has no command line any more.
  return programs.filter((pid) => !programs.includes(parentOf(pid)) && read(`/proc/${pid}/cmdline`).includes('\0-D\0'));
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    const [here, there] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return here.ino === there.ino && here.dev === there.dev && basename(readlinkSync(`/proc/${pid}/exe`)) === 'postgres';
  } catch {
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
