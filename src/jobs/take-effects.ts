/** Taking effects that are due, as far as there is room: tenants take turns, and kinds keep to their places. What an attempt is, is run-effect.ts. */
import { within } from '../lib/within.ts';
import { newId } from '../wire/ids.ts';
import { type EffectParts, runEffect } from './run-effect.ts';
import { findDueEffect, listDueTenants, type Room, updateLeased } from './store-effects.ts';
import type { Lease } from './types.ts';

/** Effects of one process. */
export interface EffectLane {
  /** Takes what there is room for; resolves to the milliseconds to wait before looking again, 0 for none. */
  take(pollMs: number): Promise<number>;
  /**
   * Once `taking` has ended, what runs has half of the time to end; then it is cut off and given back, uncounted. Resolves to whether all of it ended
   * in time.
   */
  drain(taking: Promise<void>, timeoutMs: number): Promise<boolean>;
}

/** Creates the lane; `onEnd` is told of each attempt that ended. */
export function createEffectLane(parts: EffectParts, concurrency: number, onEnd: () => void): EffectLane {
  const { database, effects, log, clock, leaseMs } = parts;
  // The rest stays free for others: a tenant whose receivers hang holds nobody up.
  const slotsPerTenant = Math.max(1, Math.floor(concurrency * 0.75));
  const running = new Map<Lease, Promise<void>>();
  const stop = new AbortController();
  let lastServed = '';

  function findRoom(): Room {
    const busy = new Map<string, number>();
    const used = new Map<string, number>();
    const busyKinds = new Map<string, number>();
    for (const { tenantId, kind } of running.keys()) {
      busy.set(tenantId, (busy.get(tenantId) ?? 0) + 1);
      used.set(kind, (used.get(kind) ?? 0) + 1);
      busyKinds.set(`${tenantId} ${kind}`, (busyKinds.get(`${tenantId} ${kind}`) ?? 0) + 1);
    }
    const slots = concurrency - running.size;
    const open = [...effects].map(([kind, { concurrency: most = concurrency, tenantConcurrency = slotsPerTenant }]) => ({
      kind,
      slots: most - (used.get(kind) ?? 0),
      slotsLeft: (tenantId: string) => Math.max(0, tenantConcurrency - (busyKinds.get(`${tenantId} ${kind}`) ?? 0)),
    }));
    return { slots, kinds: open.filter((one) => one.slots > 0), busy, slotsPerTenant };
  }

  /**
   * Leases what there is room for, from the tenant on whose turn it is. The turn then goes to whoever follows the last one served, so that each
   * tenant with something due is served once in a round, however much the others have.
   */
  async function lease(room: Room, names: readonly string[], now: Date): Promise<Lease[]> {
    const db = database.system();
    // Once to the end of the round, and once from its beginning.
    for (let part = 0; part < 2; part++) {
      const tenantIds = await listDueTenants(db, names, now, lastServed, concurrency);
      const until = new Date(now.getTime() + leaseMs);
      const leases = await updateLeased(db, room, { tenantIds, token: newId(now), now, until });
      const isFull = leases.length === room.slots;
      const served = isFull ? tenantIds.findLast((id) => leases.some(({ tenantId }) => tenantId === id)) : tenantIds.at(-1);
      lastServed = isFull || tenantIds.length === concurrency ? (served ?? '') : '';
      if (leases.length > 0) {
        return leases;
      }
    }
    return [];
  }

  async function run(lease: Lease): Promise<void> {
    const { id: delivery, tenantId: tenant } = lease;
    try {
      if (!(await runEffect(parts, lease, stop.signal))) {
        log.warn({ delivery, tenant }, 'somebody else took over a delivery; what this attempt did is not recorded');
      }
    } catch (error) {
      log.warn({ err: error, delivery, tenant }, 'a delivery was interrupted; it is tried again when its lease ends');
    } finally {
      running.delete(lease);
      onEnd();
    }
  }

  return {
    async take(pollMs) {
      const room = findRoom();
      const names = room.kinds.map(({ kind }) => kind);
      const now = clock();
      if (room.slots <= 0 || names.length === 0 || !(await findDueEffect(database.system(), names, now))) {
        return pollMs;
      }
      const leases = await lease(room, names, now);
      for (const one of leases) {
        running.set(one, run(one));
      }
      if (leases.length > 0) {
        return 0;
      }
      // With nothing of our own running, somebody else was faster: there may be more behind what they took.
      return running.size > 0 ? pollMs : Math.min(pollMs, 5 + 25 * Math.random());
    },
    async drain(taking, timeoutMs) {
      const ended = taking.then(() => Promise.all(running.values()));
      if (await within(ended, timeoutMs / 2)) {
        return true;
      }
      for (const { id: delivery, kind, tenantId: tenant } of running.keys()) {
        log.warn({ delivery, kind, tenant }, 'a delivery under way is cut off, because the service stops');
      }
      stop.abort();
      return within(ended, timeoutMs / 2);
    },
  };
}
