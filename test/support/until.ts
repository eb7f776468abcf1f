/** Waiting for what comes by itself, as long as a busy machine may take for it: vitest's own patience is one second. */
import { vi } from 'vitest';

/** Tries again until it does not throw, and returns what it returned then. */
export function until<T>(work: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(work, { timeout: 60_000, interval: 20 });
}
