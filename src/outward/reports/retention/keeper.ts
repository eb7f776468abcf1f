/** Looks now and then which tenants have something whose time is over, and has a job remove it. Each process that runs jobs looks. */
import { type Context, type Logger, type React, systemActor } from '../../../context.ts';
import type { Database } from '../../../db/types.ts';
import { enqueueJob } from '../../../jobs/index.ts';
import { listTenantIds } from '../../../foundation/tenants/index.ts';
import { isRetentionDue, retentionKind } from './retention.ts';

/** Needs of a keeper. */
export interface KeeperOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  readonly clock: () => Date;
  readonly minimumEventYears: number;
  /** Other jobs that a tenant may need now and then, and how that is found out. */
  readonly others?: readonly { readonly kind: string; readonly isDue: (context: Context) => Promise<boolean> }[];
}

/** Looks between start and stop. */
export interface Keeper {
  start(): void;
  /** Looks at every tenant once. */
  look(): Promise<void>;
  stop(): void;
}

const lookEveryMs = 3_600_000;
/** Not in the moments of a start, in which everything else is done. */
const firstLookMs = 60_000;

/** Creates a keeper; two that look at once enqueue one job. */
export function createKeeper({ database, log, react, clock, minimumEventYears, others = [] }: KeeperOptions): Keeper {
  const timers: NodeJS.Timeout[] = [];
  let isStopping = false;

  async function look(): Promise<void> {
    for (const tenantId of await listTenantIds(database.system())) {
      if (isStopping) {
        return;
      }
      const now = clock();
      const context = { db: database.tenant(tenantId), tenantId, actor: systemActor('retention'), now, log, react };
      if (await isRetentionDue(context, minimumEventYears)) {
        await enqueueJob(database.system(), { tenantId, kind: retentionKind, subjectId: tenantId }, now);
      }
      for (const { kind, isDue } of others) {
        if (await isDue(context)) {
          await enqueueJob(database.system(), { tenantId, kind, subjectId: tenantId }, now);
        }
      }
    }
  }

  function lookQuietly(): void {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'what is kept too long could not be looked for; it is tried again in an hour'),
    );
  }

  return {
    start() {
      timers.push(setTimeout(lookQuietly, firstLookMs), setInterval(lookQuietly, lookEveryMs));
      for (const timer of timers) {
        timer.unref();
      }
    },
    look,
    stop() {
      isStopping = true;
      for (const timer of timers) {
        clearInterval(timer);
      }
    },
  };
}
