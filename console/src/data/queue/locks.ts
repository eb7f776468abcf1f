/**
 * Locks that all tabs of this browser share (Web Locks API). Where a browser has none, each tab goes on as if it were alone: then the server's versions
 * keep one from writing over the other.
 */

/** Longest that anybody waits for another tab, which a browser may have put to sleep. */
const patienceMs = 5_000;

const manager = (): LockManager | undefined => (typeof navigator === 'undefined' ? undefined : navigator.locks);

/** Works while no other tab works under this name; after some time without it, for a tab that hangs must not hold the others. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  let isBegun = false;
  const begin = (): Promise<T> => {
    isBegun = true;
    return work();
  };
  try {
    const locks = manager();
    return await (locks === undefined ? begin() : locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, begin));
  } catch (error) {
    if (isBegun) {
      throw error;
    }
    return work();
  }
}

/** Holds a lock from now on until the returned function is called; undefined where another tab holds it. */
export function hold(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const holdOn = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) {
        resolve(undefined);
        return undefined;
      }
      return new Promise((release) => resolve(release));
    };
    const alone = (): void => resolve(() => undefined);
    const locks = manager();
    locks === undefined ? alone() : void locks.request(name, { ifAvailable: true }, holdOn).catch(alone);
  });
}

/** Waits until no tab holds the lock. */
export async function untilFree(name: string): Promise<void> {
  await manager()
    ?.request(name, { mode: 'shared' }, async () => undefined)
    .catch(() => undefined);
}
