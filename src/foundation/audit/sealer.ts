/**
 * Sealing of logs without anybody reading them: the tenants this process works for at most once a second, all tenants now and then, since other
 * processes write too. Each process that runs jobs has a sealer; two that meet at a log do not wait for each other.
 */
import type { Database } from '../../db/types.ts';
import { createSleeper } from '../../lib/sleeper.ts';
import { within } from '../../lib/within.ts';
import { type Context, type Logger, systemActor, type React } from '../../context.ts';
import { listTenantIds } from '../tenants/index.ts';
import { createTenantSearch } from './find-tenants.ts';
import { sealLate, sealLog } from './seal.ts';

/** Needs of a sealer. */
export interface SealerOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  readonly clock: () => Date;
  /** Called for a log all of whose events are sealed now. */
  readonly onSealed?: (context: Context) => Promise<void>;
}

/** Seals logs between start and drain. */
export interface Sealer {
  start(): void;
  /** Says that this process works for a tenant now, so that events of it are likely within the next while. */
  expectEvents(tenantId: string): void;
  /** Stops after the log under way. Resolves to whether that ended within `timeoutMs`; what is not sealed then is sealed by the next sealer. */
  drain(timeoutMs: number): Promise<boolean>;
}

const tickMs = 1_000;
/** As long as a request may take: it writes its event at its end. */
const expectForMs = 30_000;
/** A round through all tenants begins so often; where the search for those with something to seal takes long, it is a hundredth of the time. */
const roundMs = 10_000;
const roundMsPerSearch = 100;
const longestRoundMs = 120_000;
const lookBackEveryMs = 3_600_000;
/** A log with more to seal is gone on with in the next tick, so that the others get their turn. */
const longestMsPerLog = 10_000;

/** Creates a sealer; several processes may each have one. */
export function createSealer({ database, log, react, clock, onSealed }: SealerOptions): Sealer {
  /** Until when events of a tenant are expected, by the timer of this process: the clock that is passed in may stand still. */
  const expected = new Map<string, number>();
  const search = createTenantSearch(database);
  let nextRoundAt = 0;
  let nextLookBackAt = 0;
  let stopping = false;
  let working: Promise<void> | undefined;
  const sleeper = createSleeper();

  async function seal(tenantId: string, looksBack: boolean): Promise<void> {
    const context = { db: database.tenant(tenantId), tenantId, actor: systemActor('sealer'), now: clock(), log, react };
    const outcome = await sealLog(context, { forMs: longestMsPerLog, waitsForLock: false });
    if (outcome === 'more') {
      expected.set(tenantId, performance.now() + expectForMs);
    }
    if (outcome === 'sealed') {
      await onSealed?.(context);
    }
    if (looksBack) {
      const late = await sealLate(context);
      if (late !== undefined && late > 0) {
        log.warn({ tenant: tenantId, events: late }, 'events were sealed late: rows came in past the service');
      }
    }
  }

  async function sealEach(tenantIds: readonly string[], looksBack = false): Promise<void> {
    for (const tenantId of tenantIds) {
      if (stopping) {
        return;
      }
      await seal(tenantId, looksBack).catch((error: unknown) => {
        log.warn({ err: error, tenant: tenantId }, 'a log could not be sealed; it is tried again');
      });
    }
  }

  async function tick(): Promise<void> {
    const startedAt = performance.now();
    for (const [tenantId, until] of expected) {
      if (until < startedAt) {
        expected.delete(tenantId);
      }
    }
    await sealEach([...expected.keys()]);
    if (startedAt >= nextRoundAt) {
      const looksBack = startedAt >= nextLookBackAt;
      const searchedAt = performance.now();
      // A search that fails took its time too, and must not fill every tick.
      const tenantIds = await (looksBack ? listTenantIds(database.system()) : search()).finally(() => {
        nextRoundAt = startedAt + Math.min(longestRoundMs, Math.max(roundMs, roundMsPerSearch * (performance.now() - searchedAt)));
      });
      nextLookBackAt = looksBack ? startedAt + lookBackEveryMs : nextLookBackAt;
      await sealEach(tenantIds, looksBack);
    }
  }

  async function work(): Promise<void> {
    while (!stopping) {
      await tick().catch((error: unknown) => log.warn({ err: error }, 'logs cannot be sealed at the moment'));
      await sleeper.sleep(tickMs, sleeper.wakes());
    }
  }

  return {
    start() {
      working ??= stopping ? undefined : work();
    },
    expectEvents(tenantId) {
      expected.set(tenantId, performance.now() + expectForMs);
    },
    async drain(timeoutMs) {
      stopping = true;
      sleeper.end();
      return within(Promise.resolve(working), timeoutMs);
    },
  };
}
