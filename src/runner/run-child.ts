/** Running a connector once: in a process group of its own, within limits, and ended as a group. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { within } from '../lib/within.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import { readGroupMemory } from './resident-memory.ts';

/** Reason for which the runner ended a connector; '' where it ended by itself. */
export type EndedBy = '' | 'STOP' | 'TIME' | 'MEMORY' | 'FILE';

/** End of a connector. */
export interface ChildEnd {
  /** Exit code; null after a signal, or where it could not be started. */
  readonly code: number | null;
  readonly endedBy: EndedBy;
  readonly log: LogTail;
}

/** A run. */
export interface Run {
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly milliseconds?: number | undefined;
  readonly residentBytes: number;
  /** A file that it writes, and how large it may become. */
  readonly file?: { readonly path: string; readonly bytes: number } | undefined;
  /** Takes what it prints. */
  readonly print: (piece: Buffer) => void;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMilliseconds?: number | undefined;
}

const usualGrace = 30_000;
const lookMilliseconds = 1_000;
/** Memory is read with each so-manieth look: it takes a look at every process of the machine. */
const looksPerMemory = 5;

/** Runs a connector to its end. What it started ends with it. */
export async function runChild(run: Run): Promise<ChildEnd> {
  const log = createLogTail();
  const child = spawn(run.binary, run.args, {
    cwd: run.folder,
    env: run.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: false,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      log.add(piece);
      run.print(piece);
    });
  }
  const failed = once(child, 'error').then(([error]) => {
    log.add(Buffer.from(`${error instanceof Error ? error.message : String(error)}\n`));
    return null;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  exited.catch(() => undefined);
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const group = child.pid;
  if (group === undefined) {
    return { code: await failed, endedBy: '', log };
  }
  failed.catch(() => undefined);
  const guard = guardGroup(group, run);
  try {
    return { code: await exited, endedBy: guard.endedBy(), log };
  } finally {
    guard.end();
    // What it left behind, and what holds its output open.
    signalGroup(group, 'SIGKILL');
    await within(closed, 1_000);
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** Ends a group at the first limit it crosses, or when it is stopped. */
function guardGroup(group: number, run: Run): { endedBy(): EndedBy; end(): void } {
  let why: EndedBy = '';
  let killing: NodeJS.Timeout | undefined;
  const stop = (reason: EndedBy): void => {
    if (why === '') {
      why = reason;
      signalGroup(group, 'SIGTERM');
      killing = setTimeout(() => signalGroup(group, 'SIGKILL'), run.graceMilliseconds ?? usualGrace);
    }
  };
  const onStop = (): void => stop('STOP');
  run.signal.addEventListener('abort', onStop);
  if (run.signal.aborted) {
    onStop();
  }
  const late = run.milliseconds === undefined ? undefined : setTimeout(() => stop('TIME'), run.milliseconds);
  let isLooking = false;
  let looks = 0;
  const looking = setInterval(() => {
    if (!isLooking) {
      isLooking = true;
      void look(group, run, looks++ % looksPerMemory === 0)
        .then((found) => found !== '' && stop(found))
        .finally(() => (isLooking = false));
    }
  }, lookMilliseconds);
  return {
    endedBy: () => why,
    end() {
      run.signal.removeEventListener('abort', onStop);
      clearTimeout(late);
      clearTimeout(killing);
      clearInterval(looking);
    },
  };
}

async function look(group: number, { residentBytes, file }: Run, withMemory: boolean): Promise<EndedBy> {
  if (withMemory && (await readGroupMemory(group)) > residentBytes) {
    return 'MEMORY';
  }
  return file !== undefined && (await sizeOf(file.path)) > file.bytes ? 'FILE' : '';
}

/** Size of a file; 0 where there is none. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
