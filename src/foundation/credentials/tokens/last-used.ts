/**
 * Times of last use, gathered and written in batches: at most once a minute per credential, and never in the way of a request.
 */
import type { Database } from '../../../db/types.ts';
import type { Logger } from '../../../context.ts';
import { updateLastUsed } from './store-tokens.ts';

const writeEveryMs = 60_000;
const gatherMs = 500;
const maxRemembered = 50_000;

/** Notes uses. */
export interface LastUsed {
  note(tenantId: string, credentialId: string): void;
  /** Writes what is noted and stops. */
  close(): Promise<void>;
}

/** Makes it; `now` in milliseconds. */
export function createLastUsed(database: Database, now: () => number, log: Logger): LastUsed {
  const written = new Map<string, number>();
  let pending = new Map<string, Map<string, Date>>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    timer = undefined;
    const batch = pending;
    pending = new Map();
    for (const [tenantId, used] of batch) {
      try {
        await updateLastUsed(database.tenant(tenantId), tenantId, used);
      } catch (error) {
        log.warn({ err: error, tenantId }, 'times of last use could not be stored');
      }
    }
  }

  return {
    note(tenantId, credentialId) {
      const at = now();
      if (at - (written.get(credentialId) ?? Number.NEGATIVE_INFINITY) < writeEveryMs) {
        return;
      }
      if (written.size >= maxRemembered) {
        written.clear();
      }
      written.set(credentialId, at);
      const used = pending.get(tenantId) ?? new Map<string, Date>();
      pending.set(tenantId, used.set(credentialId, new Date(at)));
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
    },
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
