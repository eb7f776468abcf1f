/**
 * When deliveries are made: as long as one is due and there is room, woken by a notification, and every `pollMs` anyway. What an attempt is,
 * is run-delivery.ts.
 */
import { type Logger, type React, systemActor } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { createSleeper } from '../../lib/sleeper.ts';
import { within } from '../../lib/within.ts';
import { newId } from '../../wire/ids.ts';
import type { RunnerParts } from './record-outcome.ts';
import { runDelivery } from './run-delivery.ts';
import { removeEndedDeliveries } from './store.ts';
import { deliveriesChannel, findDueDelivery, type Lease, listDueTenants, type Room, updateLeased } from './store-queue.ts';
import type { DeliveryKind } from './types.ts';

/** What a runner needs. */
export interface DeliveryRunnerOptions {
  readonly database: Database;
  readonly kinds: ReadonlyMap<string, DeliveryKind>;
  readonly log: Logger;
  readonly react: React;
  readonly clock: () => Date;
  /** The tenants whose ended deliveries are removed. */
  readonly listTenantIds: () => Promise<readonly string[]>;
  /** Attempts at once in this process, 8 unless given. */
  readonly concurrency?: number;
  /** Milliseconds until somebody else may take a delivery whose runner is silent, 60,000 unless given; it is renewed at a third of that. */
  readonly leaseMs?: number;
  /** Milliseconds between looks into the queue when nothing wakes us, 1000 unless given. */
  readonly pollMs?: number;
  /** Numbers from 0 to 1, for the pauses; only tests give them. */
  readonly random?: () => number;
}

/** Makes deliveries between start and drain. */
export interface DeliveryRunner {
  start(): void;
  /**
   * Takes no more. What runs has half of `timeoutMs` (30,000 unless given) to end; then it is cut off and given back, without counting as an
   * attempt. Resolves to whether all of it ended in time; the lease of the rest runs out.
   */
  drain(timeoutMs?: number): Promise<boolean>;
  /** Removes what ended more than 30 days ago; the runner does so every hour. */
  clean(): Promise<void>;
}

const outagePauseMs = 1000;
const keepEndedMs = 30 * 24 * 3600 * 1000;
const cleanEveryMs = 3_600_000;

/** Creates a runner; several processes may each have one. */
export function createDeliveryRunner(options: DeliveryRunnerOptions): DeliveryRunner {
  const { database, kinds, log, react, clock, concurrency = 8, pollMs = 1000, leaseMs = 60_000, random = Math.random } = options;
  const parts: RunnerParts = { database, kinds, log, react, clock, random, leaseMs };
  // The rest stays free for others: a tenant whose receivers hang holds nobody up.
  const slotsPerTenant = Math.max(1, Math.floor(concurrency * 0.75));
  const running = new Map<Lease, Promise<void>>();
  const stop = new AbortController();
  const sleeper = createSleeper();
  let stopping = false;
  let lastServed = '';
  let working: Promise<void> | undefined;
  let stopListening: Promise<(() => Promise<void>) | undefined> | undefined;
  let cleanTimer: NodeJS.Timeout | undefined;

  function findRoom(): Room {
    const busy = new Map<string, number>();
    const used = new Map<string, number>();
    for (const { tenantId, kind } of running.keys()) {
      busy.set(tenantId, (busy.get(tenantId) ?? 0) + 1);
      used.set(kind, (used.get(kind) ?? 0) + 1);
    }
    const slots = concurrency - running.size;
    const open = [...kinds].map(([kind, { concurrency: most = concurrency }]) => ({ kind, slots: most - (used.get(kind) ?? 0) }));
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

  /** Takes what there is room for; says how long to wait before looking again. */
  async function take(): Promise<number> {
    const room = findRoom();
    const names = room.kinds.map(({ kind }) => kind);
    const now = clock();
    if (room.slots <= 0 || names.length === 0 || !(await findDueDelivery(database.system(), names, now))) {
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
  }

  async function run(lease: Lease): Promise<void> {
    try {
      if (!(await runDelivery(parts, lease, stop.signal))) {
        log.warn(
          { delivery: lease.deliveryId, tenant: lease.tenantId },
          'somebody else took over a delivery; what this attempt did is not recorded',
        );
      }
    } catch (error) {
      log.warn(
        { err: error, delivery: lease.deliveryId, tenant: lease.tenantId },
        'a delivery was interrupted; it is tried again when its lease ends',
      );
    } finally {
      running.delete(lease);
      sleeper.wake();
    }
  }

  async function work(): Promise<void> {
    while (!stopping) {
      const seenWakes = sleeper.wakes();
      try {
        const pause = await take();
        if (pause > 0) {
          await sleeper.sleep(pause, seenWakes);
        }
      } catch (error) {
        log.warn({ err: error }, 'the queue of deliveries cannot be read at the moment');
        await sleeper.sleep(outagePauseMs, sleeper.wakes());
      }
    }
  }

  /** Without it polling still finds every delivery. */
  function listen(): Promise<(() => Promise<void>) | undefined> {
    return database.listen(deliveriesChannel, sleeper.wake, sleeper.wake).catch((error: unknown) => {
      log.warn({ err: error }, 'no notifications of deliveries; they are looked for instead');
      return undefined;
    });
  }

  async function clean(): Promise<void> {
    const now = clock();
    const before = new Date(now.getTime() - keepEndedMs);
    for (const tenantId of await options.listTenantIds()) {
      await removeEndedDeliveries(
        { db: database.tenant(tenantId), tenantId, actor: systemActor('deliveries-clean'), now, log, react },
        before,
      );
    }
  }

  return {
    start() {
      if (working !== undefined || stopping) {
        return;
      }
      // Nothing to make is nothing to look for.
      if (kinds.size > 0) {
        stopListening = listen();
        working = work();
      }
      cleanTimer = setInterval(() => {
        clean().catch((error: unknown) => log.warn({ err: error }, 'ended deliveries could not be removed'));
      }, cleanEveryMs);
      cleanTimer.unref();
    },
    async drain(timeoutMs = 30_000) {
      stopping = true;
      clearInterval(cleanTimer);
      sleeper.end();
      const stopListeningNow = await stopListening;
      await stopListeningNow?.();
      const ended = (async () => {
        await working;
        await Promise.all(running.values());
      })();
      if (await within(ended, timeoutMs / 2)) {
        return true;
      }
      stop.abort();
      return within(ended, timeoutMs / 2);
    },
    clean,
  };
}
