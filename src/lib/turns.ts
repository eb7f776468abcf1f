/**
 * Turns for long work on the thread that answers requests: one at a time, and between two of them everything else that waits. Whoever has much to do
 * shares the turns of one: they go round by whose work it is.
 */

/** Longest time of a turn, if its work can be interrupted. */
export const turnMilliseconds = 5;

const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/** Resolves when it is the turn of somebody's work: go on for a turn, then ask again. */
export function takeTurn(whose: string): Promise<void> {
  return new Promise((resolve) => {
    const line = waiting.get(whose);
    if (line === undefined) {
      waiting.set(whose, [resolve]);
    } else {
      line.push(resolve);
    }
    schedule();
  });
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) {
    return;
  }
  isScheduled = true;
  // An immediate that is set in another one runs in the next round of the loop, behind the requests that have come in.
  setImmediate(() => {
    isScheduled = false;
    const [first] = waiting;
    if (first !== undefined) {
      const [whose, line] = first;
      const go = line.shift();
      waiting.delete(whose);
      if (line.length > 0) {
        waiting.set(whose, line);
      }
      go?.();
    }
    schedule();
  });
}
