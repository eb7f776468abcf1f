/** How often something is done for whoever asks without being known: counted per process, in bounded memory. */
import { LRUCache } from 'lru-cache';

const maxCounted = 20_000;

/** Counts by key. */
export interface Pace {
  /** Counts one more and says whether it is within the limit. */
  take(key: string): boolean;
}

/** Makes it: at most `most` by each key in so many milliseconds from the first one counted. `now` in milliseconds. */
export function createPace(most: number, windowMs: number, now: () => number): Pace {
  const counted = new LRUCache<string, { count: number; until: number }>({ max: maxCounted });
  return {
    take(key) {
      const at = now();
      const entry = counted.get(key);
      if (entry === undefined || at >= entry.until) {
        counted.set(key, { count: 1, until: at + windowMs });
        return true;
      }
      entry.count += 1;
      return entry.count <= most;
    },
  };
}
