/**
 * Has figures measured by a process of their own, so that one that hangs, or that is interrupted, can be ended with all it started: its server, the
 * database, its peers and its files. The figures after it are measured by another process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../figure.ts';
import type { Step } from './measure-all.ts';

/** What is to be measured, and how long it may take. */
export interface Plan extends Run {
  readonly names: readonly string[];
  /** Milliseconds that one figure may take. */
  readonly figureTime: number;
  /** Milliseconds that all may take together. */
  readonly wholeTime: number;
  /** The program that measures; a test has its own. */
  readonly program?: string;
}

/** Whoever wants the figures: hears each step, the lines beside them, and ends the run by the signal. */
export interface Listener {
  readonly heard: (step: Step) => void;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How often it is said that a figure is still being measured, in milliseconds. */
const saidEvery = 60_000;
/** How long a database that was told to end at once may take, in milliseconds. */
const endTime = 10_000;

/** Measures what is planned; `heard` gets each step when it happens. Returns the names of the figures that were not begun. */
export async function supervise(plan: Plan, { heard, log, signal }: Listener): Promise<readonly string[]> {
  const until = Date.now() + plan.wholeTime;
  let left = plan.names;
  while (left.length > 0 && !signal.aborted && Date.now() < until) {
    const begun = await measureUntilOneHangs({ ...plan, names: left }, until, { heard, log, signal });
    if (begun === 0) {
      // A process that cannot even begin would be started for ever.
      break;
    }
    left = left.slice(begun);
  }
  return left;
}

/** Measures in one process until all is done or a figure had to be ended. Returns how many figures were begun. */
async function measureUntilOneHangs(
  { names, figureTime, program, ...run }: Plan,
  until: number,
  { heard, log, signal }: Listener,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'csb-'));
  // Run as root, the database belongs to another account, which must get there.
  await chmod(folder, 0o755);
  const orders = JSON.stringify({ names, rows: run.rows, isShort: run.isShort });
  const child = spawn(process.execPath, [program ?? join(import.meta.dirname, 'worker.ts'), orders], {
    // A group of its own: a Ctrl-C of the terminal reaches us alone, and what the process started ends with it. Standard output is for results.
    detached: true,
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, TMPDIR: folder },
  });
  let begun = 0;
  let running: { readonly name: string; readonly since: number } | undefined;
  let reason: string | undefined;
  const end = (why: string): void => {
    reason ??= why;
    killGroup(child);
  };
  child.on('message', (step: Step) => {
    if (step.kind === 'begun') {
      begun += 1;
      running = { name: step.name, since: Date.now() };
    } else if (step.kind === 'ended') {
      running = undefined;
    }
    heard(step);
  });
  const interrupt = (): void => end('it was interrupted');
  signal.addEventListener('abort', interrupt);
  let saidAt = Date.now();
  const watch = setInterval(() => {
    const now = Date.now();
    if (now >= until) {
      end(`the time of the whole run was over (${minutes(run.wholeTime)})`);
    } else if (running !== undefined && now - running.since >= figureTime) {
      end(`it was ended after ${minutes(figureTime)}, the time a figure may take`);
    } else if (running !== undefined && now - Math.max(saidAt, running.since) >= saidEvery) {
      saidAt = now;
      log(`  ${running.name}: measuring for ${Math.round((now - running.since) / 1000)} s`);
    }
  }, 100);
  // The last steps may arrive after the process has ended.
  const heardAll = new Promise((resolve) => child.once('disconnect', resolve));
  const code = await new Promise<number | NodeJS.Signals | null>((resolve) => child.once('exit', (status, by) => resolve(status ?? by)));
  await heardAll;
  clearInterval(watch);
  signal.removeEventListener('abort', interrupt);
  if (running !== undefined) {
    const failure = reason ?? `the process that measures it ended with ${code}`;
    heard({ kind: 'ended', name: running.name, seconds: (Date.now() - running.since) / 1000, failure });
  } else if (reason === undefined && begun < names.length) {
    log(`The process that measures ended with ${code}.`);
  }
  killGroup(child);
  await waitForEnd(-(child.pid ?? 0));
  await endDatabases(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return begun;
}

/** Sends a signal to a process, or to a group (a negative number); returns false where nothing of it is left. */
function tell(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Waits until nothing of a process or group is left, for as long as ending may take. */
async function waitForEnd(pid: number): Promise<void> {
  for (const begun = Date.now(); tell(pid, 0) && Date.now() - begun < endTime; ) {
    await delay(20);
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) {
    tell(-child.pid, 'SIGKILL');
  }
}

/** Ends the databases that lie in a folder: each is in a group of its own. */
async function endDatabases(folder: string): Promise<void> {
  const pids = globSync(join(folder, '**', 'postmaster.pid')).map((file) => Number(readFileSync(file, 'utf8').split('\n')[0]));
  await Promise.all(
    pids.map(async (pid) => {
      tell(pid, 'SIGQUIT');
      await waitForEnd(pid);
      tell(pid, 'SIGKILL');
    }),
  );
}

function minutes(milliseconds: number): string {
  return milliseconds < 60_000 ? `${milliseconds / 1000} s` : `${milliseconds / 60_000} min`;
}
