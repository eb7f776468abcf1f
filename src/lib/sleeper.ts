/** Sleeping between looks into a queue, and being woken by whoever puts something into it. Nothing here knows the queue. */

/** Sleeps of one worker or several. */
export interface Sleeper {
  /** Counts its wakes so far: to be read before the look whose result one sleeps on. */
  wakes(): number;
  /** Sleeps so long, or until woken; not at all where it was woken since `seenWakes`, so that nothing is missed in between. */
  sleep(milliseconds: number, seenWakes: number): Promise<void>;
  /** Wakes everybody who sleeps. */
  wake(): void;
  /** The same for good: nobody sleeps any more. */
  end(): void;
}

/** Creates a sleeper. */
export function createSleeper(): Sleeper {
  const sleepers = new Set<() => void>();
  let hasEnded = false;
  let wakes = 0;

  function wake(): void {
    wakes++;
    for (const end of [...sleepers]) {
      end();
    }
  }

  return {
    wakes: () => wakes,
    wake,
    end() {
      hasEnded = true;
      wake();
    },
    sleep(milliseconds, seenWakes) {
      if (hasEnded || wakes !== seenWakes) {
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          sleepers.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        sleepers.add(end);
      });
    },
  };
}
