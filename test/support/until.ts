/** Waiting for what comes by itself, as long as a busy machine may take for it: vitest's own patience is one second. */
import { expect, vi } from 'vitest';

/** Tries again until it does not throw, and returns what it returned then. */
export function until<T>(work: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(work, { timeout: 60_000, interval: 20 });
}

/** Waits until the clock shows a later millisecond, so that what is done before and after it has different times. */
export function untilLater(): Promise<void> {
  const now = Date.now();
  return vi.waitFor(() => expect(Date.now()).toBeGreaterThan(now), { timeout: 60_000, interval: 1 });
}

/** Waits until somebody waits for a lock in the database of a test. */
export async function untilWaiting(test: { admin(sql: string): Promise<unknown[]> }): Promise<void> {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => expect(await test.admin(sql)).not.toEqual([]));
}
