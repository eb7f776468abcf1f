/**
 * Runs the queue: jobs and effects, as long as one is due or called for, woken by a notification, and every `pollMs` anyway. What a chunk is, is
 * run-chunk.ts; how calls become jobs, calls.ts; how effects are taken, take-effects.ts.
 */
import type { Logger, React } from '../context.ts';
import type { Database } from '../db/types.ts';
import { createSleeper, type Sleeper } from '../lib/sleeper.ts';
import { within } from '../lib/within.ts';
import { beginCalledJobs } from './calls.ts';
import { type ChunkParts, runNextChunk } from './run-chunk.ts';
import { jobsChannel, removeEndedJobs, updateFutures } from './store.ts';
import { findDueWork } from './store-calls.ts';
import { createEffectLane } from './take-effects.ts';
import type { EffectKind, JobKind } from './types.ts';

/** Needs of a runner. */
export interface RunnerOptions {
  readonly database: Database;
  readonly handlers?: ReadonlyMap<string, JobKind>;
  readonly effects?: ReadonlyMap<string, EffectKind>;
  readonly log: Logger;
  /** Reactions to the events of jobs and effects. */
  readonly react: React;
  /** Chunks at once in this process, 2 unless given; each takes a connection. */
  readonly concurrency?: number;
  /** Effects at once in this process, 8 unless given. */
  readonly effectConcurrency?: number;
  /** Milliseconds until somebody else may take an effect whose runner is silent, 60,000 unless given; a lease is renewed at a third of that. */
  readonly leaseMs?: number;
  /** Milliseconds between looks into the queue when nothing wakes us, 500 unless given. */
  readonly pollMs?: number;
  readonly clock: () => Date;
  /** Numbers from 0 to 1, for the pauses; only tests give them. */
  readonly random?: () => number;
  /** Removes what others keep of effects that ended before a moment; called whenever the queue is cleaned. */
  readonly removeEnded?: (before: Date) => Promise<void>;
}

/** Runs jobs and effects between start and drain. */
export interface Runner {
  start(): void;
  /**
   * Takes nothing more. Jobs stop at their next chunk, effects have half of `timeoutMs` (30,000 unless given) to end, and are cut off and given back
   * then. Resolves to whether all of it ended in time; the rest resumes later, or when its lease has run out.
   */
  drain(timeoutMs?: number): Promise<boolean>;
  /** Removes what ended more than 30 days ago; the runner does so every hour. */
  clean(): Promise<void>;
}

const outagePauseMs = 1000;
/** Lead of a clock beyond which what it wrote is moved back. */
const clockAheadMs = 60_000;
/** Time between looks for that. */
const clockCheckMs = 30_000;
const keepEndedMs = 30 * 24 * 3600 * 1000;
const cleanEveryMs = 3_600_000;

/** Creates a runner; several processes may each have one. */
export function createRunner(options: RunnerOptions): Runner {
  const { database, handlers = new Map(), effects = new Map(), log, clock, react, random = Math.random } = options;
  const { concurrency = 2, effectConcurrency = 8, leaseMs = 60_000, pollMs = 500 } = options;
  const parts: ChunkParts = { database, handlers, log, clock, react, random };
  const kinds = [...handlers.keys()];
  const sleepers = { jobs: createSleeper(), effects: createSleeper() };
  const lane = createEffectLane({ database, effects, log, clock, react, random, leaseMs }, effectConcurrency, sleepers.effects.wake);
  const timers: NodeJS.Timeout[] = [];
  let stopping = false;
  let working: Promise<unknown> | undefined;
  let taking: Promise<void> = Promise.resolve();
  let stopListening: Promise<(() => Promise<void>) | undefined> | undefined;

  /** Does one chunk; resolves to how long to wait before looking again. */
  async function takeChunk(): Promise<number> {
    const { hasJob, hasCall } = await findDueWork(database.system(), kinds, clock());
    const hasMore = hasCall && (await beginCalledJobs(database, kinds, clock())) > 0;
    return (hasJob || hasMore) && (await runNextChunk(parts)) !== 'nothing' ? 0 : pollMs;
  }

  async function work(sleeper: Sleeper, take: () => Promise<number>): Promise<void> {
    while (!stopping) {
      const seenWakes = sleeper.wakes();
      try {
        const pause = await take();
        if (pause > 0) {
          await sleeper.sleep(pause, seenWakes);
        }
      } catch (error) {
        log.warn({ err: error }, 'the queue cannot be read at the moment');
        await sleeper.sleep(outagePauseMs, sleeper.wakes());
      }
    }
  }

  function wake(): void {
    sleepers.jobs.wake();
    sleepers.effects.wake();
  }

  /** Without it polling still finds everything. */
  function listen(): Promise<(() => Promise<void>) | undefined> {
    return database.listen(jobsChannel, wake, wake).catch((error: unknown) => {
      log.warn({ err: error }, 'no notifications of the queue; it is looked into instead');
      return undefined;
    });
  }

  async function clean(): Promise<void> {
    const before = new Date(clock().getTime() - keepEndedMs);
    while ((await removeEndedJobs(database.system(), before)) > 0 && !stopping) {
      // Piece by piece, so that nobody waits for a day's worth of rows at once.
    }
    await options.removeEnded?.(before);
  }

  async function repairClocks(): Promise<void> {
    const count = await updateFutures(database.system(), clock(), clockAheadMs);
    if (count > 0) {
      log.warn({ count }, 'jobs or deliveries were written by a clock that was ahead of this one; they run as if it had been right');
      wake();
    }
  }

  function repeat(task: () => Promise<void>, everyMs: number, complaint: string): () => void {
    const run = (): void => void task().catch((error: unknown) => log.warn({ err: error }, complaint));
    timers.push(setInterval(run, everyMs).unref());
    return run;
  }

  return {
    start() {
      if (working !== undefined || stopping) {
        return;
      }
      repeat(repairClocks, clockCheckMs, 'jobs from the future could not be looked for')();
      repeat(clean, cleanEveryMs, 'what has ended could not be removed from the queue');
      stopListening = listen();
      // Nothing to do is nothing to look for.
      working = Promise.all(Array.from({ length: kinds.length === 0 ? 0 : concurrency }, () => work(sleepers.jobs, takeChunk)));
      taking = effects.size === 0 ? taking : work(sleepers.effects, () => lane.take(pollMs));
    },
    async drain(timeoutMs = 30_000) {
      stopping = true;
      for (const timer of timers) {
        clearInterval(timer);
      }
      sleepers.jobs.end();
      sleepers.effects.end();
      const stop = await stopListening;
      await stop?.();
      const ended = await Promise.all([within(Promise.resolve(working), timeoutMs), lane.drain(taking, timeoutMs)]);
      return ended.every(Boolean);
    },
    clean,
  };
}
