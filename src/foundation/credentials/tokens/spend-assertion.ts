/**
 * Client assertions are used once (RFC 7523 section 3, point 7), and that is remembered durably before a token is given. While one
 * statement is on its way the next assertions gather for the one after it: under load a commit serves many requests.
 */
import type { Database } from '../../../db/types.ts';
import type { Logger } from '../../../context.ts';
import { type AssertionUse, insertAssertionUses, removeAssertionUses } from './store-tokens.ts';

const maxBatch = 500;
const purgeEveryMs = 30_000;
const purgeLimit = 10_000;
/** Kept this long after its end: an assertion is accepted for 60 s more, and clocks of processes differ. */
const keepAfterEndMs = 10 * 60_000;

/** Uses assertions up. */
export interface AssertionSpender {
  /** True for the first use, once it is on disk; false for every later one. */
  spend(tenantId: string, use: AssertionUse): Promise<boolean>;
}

interface Waiting {
  readonly use: AssertionUse;
  readonly resolve: (isFirst: boolean) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  waiting: Waiting[];
  isRunning: boolean;
  purgeAt: number;
}

/** Makes the spender; `now` in milliseconds. */
export function createAssertionSpender(database: Database, now: () => number, log: Logger): AssertionSpender {
  const queues = new Map<string, Queue>();

  async function write(tenantId: string, batch: readonly Waiting[]): Promise<void> {
    // The same one twice in one batch: the first of them counts.
    const first = new Map<string, Waiting>();
    for (const one of batch) {
      if (!first.has(one.use.digest)) {
        first.set(one.use.digest, one);
      }
    }
    try {
      const fresh = await insertAssertionUses(
        database.tenant(tenantId),
        tenantId,
        [...first.values()].map((one) => one.use),
      );
      for (const one of batch) {
        one.resolve(first.get(one.use.digest) === one && fresh.has(one.use.digest));
      }
    } catch (error) {
      for (const one of batch) {
        one.reject(error);
      }
    }
  }

  async function purge(tenantId: string, queue: Queue): Promise<void> {
    queue.purgeAt = Number.POSITIVE_INFINITY;
    let removed = 0;
    try {
      removed = await removeAssertionUses(database.tenant(tenantId), tenantId, new Date(now() - keepAfterEndMs), purgeLimit);
    } catch (error) {
      log.warn({ err: error, tenantId }, 'expired assertions could not be deleted');
    }
    queue.purgeAt = now() + (removed === purgeLimit ? 1_000 : purgeEveryMs);
  }

  async function run(tenantId: string, queue: Queue): Promise<void> {
    queue.isRunning = true;
    // Requests read in the same turn of the event loop belong into the same batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) {
      await write(tenantId, queue.waiting.splice(0, maxBatch));
    }
    queue.isRunning = false;
    if (now() >= queue.purgeAt) {
      void purge(tenantId, queue);
    }
  }

  return {
    spend(tenantId, use) {
      let queue = queues.get(tenantId);
      if (queue === undefined) {
        queue = { waiting: [], isRunning: false, purgeAt: 0 };
        queues.set(tenantId, queue);
      }
      const { waiting } = queue;
      const result = new Promise<boolean>((resolve, reject) => {
        waiting.push({ use, resolve, reject });
      });
      if (!queue.isRunning) {
        void run(tenantId, queue);
      }
      return result;
    },
  };
}
