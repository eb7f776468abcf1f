/** Counting against a limit, over all processes. What a limit protects and what is answered beyond it is the caller's. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/types.ts';
import type { Rate } from './limits.ts';
import { countWindow, hasWindow, type RateWindow } from './store.ts';

/** The outcome of counting. */
export interface Counted {
  /** Number of those counted now that are within the limit. */
  readonly within: number;
  /** Until the window ends; 0 where all were within. */
  readonly retryAfterSeconds: number;
}

/** Counters of one process, kept in the database. */
export interface Rates {
  /**
   * Counts `amount` more of a subject, in a statement of its own. Rejects where the database does not answer. A limit that is known to be used
   * up costs no statement.
   */
  count(tenantId: string, rate: Rate, subject: string, amount?: number): Promise<Counted>;
  /** True if a subject was counted in a window that has not ended. */
  has(tenantId: string, rate: Rate, subject: string): Promise<boolean>;
  /** Seconds until the window of a subject ends that this process knows to be used up; 0 otherwise. No statement. */
  secondsLeft(tenantId: string, rate: Rate, subject: string): number;
}

const maxRemembered = 50_000;

function keyOf(rate: Rate, subject: string): Buffer {
  return createHash('sha256').update(`${rate.kind}\0${subject}`).digest();
}

/** Makes the counters. `now` in milliseconds. */
export function createRates(database: Database, now: () => number): Rates {
  const usedUp = new LRUCache<string, number>({ max: maxRemembered });
  const nameOf = (tenantId: string, rate: Rate, subject: string): string => `${tenantId} ${keyOf(rate, subject).toString('base64')}`;

  function secondsLeft(tenantId: string, rate: Rate, subject: string): number {
    const left = (usedUp.get(nameOf(tenantId, rate, subject)) ?? 0) - now();
    return left <= 0 || left > rate.seconds * 1000 ? 0 : Math.ceil(left / 1000);
  }

  function remember(tenantId: string, rate: Rate, subject: string, { count, endsAt }: RateWindow): void {
    if (count >= rate.most) {
      usedUp.set(nameOf(tenantId, rate, subject), endsAt.getTime());
    }
  }

  return {
    secondsLeft,
    has: (tenantId, rate, subject) => hasWindow(database.tenant(tenantId), tenantId, keyOf(rate, subject), new Date(now())),
    async count(tenantId, rate, subject, amount = 1) {
      const known = secondsLeft(tenantId, rate, subject);
      if (known > 0) {
        return { within: 0, retryAfterSeconds: known };
      }
      const at = now();
      const window = await countWindow(database.tenant(tenantId), tenantId, {
        key: keyOf(rate, subject),
        now: new Date(at),
        endsAt: new Date(at + rate.seconds * 1000),
        amount,
      });
      remember(tenantId, rate, subject, window);
      const within = Math.max(0, Math.min(amount, rate.most - (window.count - amount)));
      return { within, retryAfterSeconds: within === amount ? 0 : Math.max(1, Math.ceil((window.endsAt.getTime() - at) / 1000)) };
    },
  };
}
