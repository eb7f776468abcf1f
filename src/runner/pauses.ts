/** Pauses between tries. */
import { setTimeout as sleepFor } from 'node:timers/promises';

/** Shortest and longest pause before another try. */
const shortest = 1_000;
const longest = 300_000;
/** A connector that ran for so long had begun well. */
const wellBegun = 300_000;
/** Pause after a refusal: another try would be refused as well. */
export const refusedPause = 15 * 60_000;

/** Pauses that double, from a second to five minutes. */
export interface Pauses {
  /** The next one. */
  next(): number;
  /** Begins anew where what was tried went on for so long. */
  worked(milliseconds?: number): void;
}

/** Makes pauses. */
export function createPauses(): Pauses {
  let coming = shortest;
  return {
    next() {
      const pause = coming;
      coming = Math.min(longest, coming * 2);
      return pause;
    },
    worked(milliseconds = wellBegun) {
      if (milliseconds >= wellBegun) {
        coming = shortest;
      }
    },
  };
}

/** Sleeps, or ends at once when the signal says so. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Sleeps by the clock. */
export const sleep: Sleep = (milliseconds, signal) =>
  sleepFor(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) {
      throw error;
    }
  });
