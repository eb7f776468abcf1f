/**
 * When jobs run: as long as one is due or called for, woken by a notification, and every `pollMs` anyway. What a chunk is, is run-chunk.ts; how
 * calls become jobs, calls.ts.
 */
import type { Logger, React } from '../context.ts';
import type { Database } from '../db/types.ts';
import { createSleeper } from '../lib/sleeper.ts';
import { within } from '../lib/within.ts';
import { beginCalledJobs } from './calls.ts';
import { type RunnerParts, runNextChunk } from './run-chunk.ts';
import { jobsChannel, removeEndedJobs } from './store.ts';
import { findDueWork } from './store-calls.ts';
import type { JobKind } from './types.ts';

/** What a runner needs. */
export interface RunnerOptions {
  readonly database: Database;
  readonly handlers: ReadonlyMap<string, JobKind>;
  readonly log: Logger;
  /** What the events of jobs set in motion. */
  readonly react: React;
  /** Chunks at once in this process, 2 unless given; each takes a connection. */
  readonly concurrency?: number;
  /** Milliseconds between looks into the queue when nothing wakes us, 500 unless given. */
  readonly pollMs?: number;
  readonly clock: () => Date;
}

/** Runs jobs between start and drain. */
export interface Runner {
  start(): void;
  /** Stops at the next chunk. Resolves to whether all chunks ended within `timeoutMs` (30,000 unless given); the rest resumes later. */
  drain(timeoutMs?: number): Promise<boolean>;
}

const outagePauseMs = 1000;
const keepEndedMs = 30 * 24 * 3600 * 1000;
const cleanEveryMs = 3_600_000;

/** Creates a runner; several processes may each have one. */
export function createRunner(options: RunnerOptions): Runner {
  const { database, log, clock, react, concurrency = 2, pollMs = 500 } = options;
  const parts: RunnerParts = { database, handlers: options.handlers, log, clock, react };
  const kinds = [...options.handlers.keys()];
  const sleeper = createSleeper();
  let stopping = false;
  let working: Promise<unknown> | undefined;
  let stopListening: Promise<(() => Promise<void>) | undefined> | undefined;
  let cleanTimer: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    while (!stopping) {
      const seenWakes = sleeper.wakes();
      try {
        const { hasJob, hasCall } = await findDueWork(database.system(), kinds, clock());
        const hasMore = hasCall && (await beginCalledJobs(database, kinds, clock())) > 0;
        const outcome = hasJob || hasMore ? await runNextChunk(parts) : 'nothing';
        if (outcome === 'nothing') {
          await sleeper.sleep(pollMs, seenWakes);
        }
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be read at the moment');
        await sleeper.sleep(outagePauseMs, sleeper.wakes());
      }
    }
  }

  /** Without it polling still finds every job. */
  function listen(): Promise<(() => Promise<void>) | undefined> {
    return database.listen(jobsChannel, sleeper.wake, sleeper.wake).catch((error: unknown) => {
      log.warn({ err: error }, 'no notifications of jobs; they are looked for instead');
      return undefined;
    });
  }

  function clean(): void {
    removeEndedJobs(database.system(), new Date(clock().getTime() - keepEndedMs)).catch((error: unknown) => {
      log.warn({ err: error }, 'ended jobs could not be removed');
    });
  }

  return {
    start() {
      if (working !== undefined || stopping) {
        return;
      }
      stopListening = listen();
      working = Promise.all(Array.from({ length: concurrency }, work));
      cleanTimer = setInterval(clean, cleanEveryMs);
      cleanTimer.unref();
    },
    async drain(timeoutMs = 30_000) {
      stopping = true;
      clearInterval(cleanTimer);
      sleeper.end();
      const stop = await stopListening;
      await stop?.();
      return within(Promise.resolve(working), timeoutMs);
    },
  };
}
