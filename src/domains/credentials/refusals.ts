/**
 * Failed attempts to sign in: how many of a source address and client id are recorded before more of them are asked to pause, and the events
 * that report them. A valid attempt is never refused for the failures of others: secrets are keys of 256 bits, which nobody guesses. Counting
 * is per process and in bounded memory; a flood becomes a few events with counts, not a full log.
 */
import type { Logger, Context } from '../../context.ts';
import { recordOccurrence } from '../audit/index.ts';

/** Failures per source address and client id within the window; those after them are asked to pause, and not recorded. */
const maxFailures = 100;
/** From the first failure counted. */
const windowMs = 5 * 60_000;
const maxCounted = 50_000;
/** Events per tenant and flush; what is over becomes one event with a count. */
const maxEvents = 20;
const flushEveryMs = 5_000;
const maxPendingPerTenant = 1_000;

/** One failed attempt. */
export interface Refusal {
  readonly tenantId: string;
  readonly sourceIp: string;
  /** As sent, whether there is such a client or not. */
  readonly clientId: string;
  /** Where the client id is one of ours. */
  readonly credentialId: string;
  readonly reason: string;
  readonly requestId: string;
}

/** Counts and records failures. */
export interface Refusals {
  /** Seconds that a client should pause which has failed again; 0 below the limit. */
  retryAfterSeconds(sourceIp: string, tenantId: string, clientId: string): number;
  note(refusal: Refusal): void;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

type Pending = Refusal & { count: number };

/** Makes it. `anonymousContext` is the context such events are written in. */
export function createRefusals(options: {
  now: () => number;
  anonymousContext: (refusal: Pick<Refusal, 'tenantId' | 'sourceIp' | 'credentialId' | 'requestId'>) => Context;
  log: Logger;
}): Refusals {
  const counted = new Map<string, { count: number; until: number }>();
  const pending = new Map<string, { byKey: Map<string, Pending>; others: number }>();
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keyOf = (sourceIp: string, tenantId: string, clientId: string) => `${tenantId} ${sourceIp} ${clientId.slice(0, 300)}`;

  function count(key: string): void {
    const at = options.now();
    const entry = counted.get(key);
    if (entry !== undefined && at < entry.until) {
      entry.count++;
      return;
    }
    counted.delete(key);
    if (counted.size >= maxCounted) {
      const [oldest] = counted.keys();
      counted.delete(oldest ?? '');
    }
    counted.set(key, { count: 1, until: at + windowMs });
  }

  function gather(refusal: Refusal): void {
    const tenant = pending.get(refusal.tenantId) ?? { byKey: new Map<string, Pending>(), others: 0 };
    pending.set(refusal.tenantId, tenant);
    const key = `${refusal.sourceIp} ${refusal.clientId.slice(0, 300)} ${refusal.reason}`;
    const known = tenant.byKey.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (tenant.byKey.size < maxPendingPerTenant) {
      tenant.byKey.set(key, { ...refusal, clientId: refusal.clientId.slice(0, 300), count: 1 });
    } else {
      tenant.others++;
    }
  }

  async function flush(): Promise<void> {
    timer = undefined;
    flushedAt = options.now();
    const batch = [...pending.values()];
    pending.clear();
    for (const { byKey, others } of batch) {
      const all = [...byKey.values()].sort((a, b) => b.count - a.count);
      const told = all.slice(0, maxEvents);
      const untold = all.slice(maxEvents);
      for (const one of told) {
        await write(one, { clientId: one.clientId, reason: one.reason, count: one.count });
      }
      const [any] = untold;
      if (any !== undefined) {
        const total = untold.reduce((sum, one) => sum + one.count, others);
        await write(
          { ...any, sourceIp: '', credentialId: '', requestId: '' },
          { clientId: '', reason: 'many different attempts', count: total },
        );
      }
    }
  }

  async function write(of: Pending, data: object): Promise<void> {
    try {
      const targetType = of.clientId.endsWith('/spc') ? 'service_principal_credential' : 'personal_client';
      const target = of.credentialId === '' ? {} : { targetType, targetId: of.credentialId };
      await recordOccurrence(options.anonymousContext(of), { kind: 'credential.token_refused', ...target, data });
    } catch (error) {
      options.log.warn({ err: error, tenantId: of.tenantId }, 'a refused attempt could not be recorded');
    }
  }

  function schedule(): void {
    const wait = Math.max(50, flushedAt + flushEveryMs - options.now());
    timer ??= setTimeout(
      () => {
        writing = writing.then(flush);
      },
      Math.min(wait, flushEveryMs),
    ).unref();
  }

  return {
    retryAfterSeconds(sourceIp, tenantId, clientId) {
      const entry = counted.get(keyOf(sourceIp, tenantId, clientId));
      const left = entry === undefined || entry.count < maxFailures ? 0 : entry.until - options.now();
      return Math.max(0, Math.ceil(left / 1000));
    },
    note(refusal) {
      count(keyOf(refusal.sourceIp, refusal.tenantId, refusal.clientId));
      gather(refusal);
      schedule();
    },
    async close() {
      clearTimeout(timer);
      await writing;
      await flush();
    },
  };
}
