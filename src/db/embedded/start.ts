/**
 * Starting the server as a child process, and ending it. Who decides when, is keep.ts.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../context.ts';
import { type Binaries, programPath } from './binaries.ts';
import { findPostmaster, writeSettings } from './cluster.ts';
import type { DataDirectory } from './directory.ts';
import { openOwn } from './folder-rights.ts';
import type { DirectoryLock } from './lock.ts';
import { isAlive, sendSignal } from './processes.ts';
import { findLogEnd, readLastWords, readTail } from './server-log.ts';

const maxStartLogBytes = 1_000_000;
/** Signals by which a program ends because of itself: PostgreSQL aborts where it panics. Others come from outside. */
const ownSignals: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);

/** End of a server: whether it gave up by itself (not stopped and not killed), and what it had said. */
export interface ServerEnd {
  readonly failed: boolean;
  readonly said: string;
}

/** A server that was started, and its end. */
export interface StartedServer {
  readonly pid: number;
  readonly ended: Promise<ServerEnd>;
}

/**
 * Starts the server, and hands it the lock of the directory. Detached, so that a Ctrl-C to our group does not reach it before we have drained.
 */
export async function startServer(
  directory: DataDirectory,
  binaries: Binaries,
  socketFolder: string,
  lock: DirectoryLock,
): Promise<StartedServer> {
  await writeSettings(directory, socketFolder);
  const startLog = await openOwn(join(directory.root, 'postgres-start.log'), constants.O_RDWR | constants.O_APPEND);
  try {
    if ((await startLog.stat()).size > maxStartLogBytes) {
      await startLog.truncate(0);
    }
    const from = (await startLog.stat()).size;
    const logEnd = await findLogEnd(directory.cluster);
    const child = spawn(programPath(binaries, 'postgres'), ['-D', directory.cluster], {
      ...directory.account,
      cwd: directory.cluster,
      detached: true,
      stdio: ['ignore', startLog.fd, startLog.fd, ...lock.fds],
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH ?? '' },
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const ended = new Promise<ServerEnd>((resolve) => {
      child.once('exit', async (code, signal) => {
        const readStart = () => readTail(join(directory.root, 'postgres-start.log'), from).catch(() => '');
        const failed = code === null ? ownSignals.has(signal) : code !== 0;
        const isLogged = failed && (await readStart()).includes('redirecting log output');
        const later = isLogged ? await readLastWords(directory.cluster, logEnd) : '';
        // What could not be logged, on a full disk, is said here after all.
        const said = `${await readStart()}\n${later}`.trim();
        const end = signal === null && said !== '' ? '' : `it ended with ${signal ?? code}`;
        resolve({ failed, said: `${said}\n${end}`.trim() });
      });
    });
    await lock.sign(child.pid as number);
    return { pid: child.pid as number, ended };
  } finally {
    await startLog.close();
  }
}

/**
 * Ends the server: fast (transactions are rolled back, a checkpoint is made), after 20 s at once. Resolves when it is gone; to false where none is in
 * sight, as for one in another container, whose number in postmaster.pid is another process here.
 */
export async function stopServer(cluster: string, log: Logger): Promise<boolean> {
  const pid = await findPostmaster(cluster);
  if (pid === undefined) {
    return false;
  }
  await endServer(pid, log);
  return true;
}

/** Ends the server that has this process id, as stopServer does. */
export async function endServer(pid: number, log: Logger): Promise<void> {
  sendSignal(pid, 'SIGINT');
  for (let waitedMs = 0; await isAlive(pid); waitedMs += 20) {
    if (waitedMs === 20_000) {
      log.warn({ pid }, 'PostgreSQL does not stop; ending it at once, it repairs itself at the next start');
      sendSignal(pid, 'SIGQUIT');
    }
    if (waitedMs > 25_000) {
      return;
    }
    await delay(20);
  }
}
