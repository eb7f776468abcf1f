/**
 * Turns: how much of a kind of work runs at once in this process, in all and for each who wants it. The others wait with nothing but what they
 * hold themselves. What the work is stands in take-place.ts.
 */
import { createFairGate, GateRefused } from '../../../lib/fair-gate.ts';

/** Signal that drops who stops waiting; without one, whoever waits does so until it is their turn. */
export type Left = AbortSignal | undefined;

/** Hands out turns. */
export interface Turns {
  /** Runs `work` when it is this one's turn. Throws the reason of `left` where they left before that; later it makes no difference. */
  take<T>(who: string, left: Left, work: () => Promise<T>): Promise<T>;
}

/**
 * Turns of which so many are taken at once, in all and by each. Each is served first come, first served; between those who wait, turns go
 * around, so that nobody waits behind all that another one sent before.
 */
export function createTurns({ inAll, ofEach }: { readonly inAll: number; readonly ofEach: number }): Turns {
  // How many may wait is bounded by the connections there are: each holds an upload open.
  const unbounded = { mostWaitingPerMember: Number.POSITIVE_INFINITY, mostWaiting: Number.POSITIVE_INFINITY };
  const gate = createFairGate({ total: inAll, perGroup: ofEach, perMember: ofEach, ...unbounded });
  return {
    async take(who, left, work) {
      left?.throwIfAborted();
      try {
        return await gate.run(who, who, () => left ?? new AbortController().signal, work);
      } catch (error) {
        throw error instanceof GateRefused ? left?.reason : error;
      }
    },
  };
}
