/**
 * Failed attempts to sign in: how many from a place, and with a client id from there, are recorded before more of them are asked to pause, and
 * the events that report them. A valid attempt is never refused for the failures of others: secrets are keys of 256 bits, which nobody guesses.
 * The limits hold over all processes; a flood becomes a few events with counts, not a full log.
 */
import type { Logger, Context } from '../../../context.ts';
import { clientPlace } from '../../../lib/place.ts';
import type { EventMap } from '../../../events/index.ts';
import { recordOccurrence } from '../../audit/index.ts';
import { type Rate, type Rates, rates as limits } from '../../rates/index.ts';

const flushEveryMs = 5_000;
const maxPendingPerTenant = 1_000;
const longestClientId = 300;

/** One failed attempt. */
export interface Refusal {
  readonly tenantId: string;
  readonly sourceIp: string;
  /** As sent, whether there is such a client or not. */
  readonly clientId: string;
  /** Its id, if the client id is ours. */
  readonly credentialId: string;
  readonly reason: string;
  readonly requestId: string;
}

/** Counts and records failures. */
export interface Refusals {
  /** Counts and records a failure; returns the seconds to pause beyond a limit, where nothing is recorded, and 0 below it. */
  fail(refusal: Refusal): Promise<number>;
  /** Counts a failure of which no event is written; returns the seconds to pause beyond the limit of its place, and 0 below it. */
  failSilently(tenantId: string, sourceIp: string): Promise<number>;
  /** Records what is no failure to prove who one is. */
  note(refusal: Refusal): void;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

type Pending = Refusal & { count: number };

/** Failures without an event of their own. */
interface Untold {
  count: number;
  example: Refusal | undefined;
}

interface TenantPending {
  readonly byKey: Map<string, Pending>;
  readonly untold: Untold;
}

/** Makes it. `anonymousContext` is the context such events are written in. */
export function createRefusals(options: {
  now: () => number;
  rates: Rates;
  anonymousContext: (refusal: Pick<Refusal, 'tenantId' | 'sourceIp' | 'credentialId' | 'requestId'>) => Context;
  log: Logger;
}): Refusals {
  const { rates, log } = options;
  const pending = new Map<string, TenantPending>();
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** Seconds to pause. Without a database nobody is asked to: a secret is not guessed meanwhile either. */
  async function secondsOver(tenantId: string, rate: Rate, subject: string): Promise<number> {
    try {
      return (await rates.count(tenantId, rate, subject)).retryAfterSeconds;
    } catch (error) {
      log.warn({ err: error, tenantId }, 'a failed attempt could not be counted');
      return 0;
    }
  }

  /** Counts the events that may be written now. */
  async function allow(tenantId: string, rate: Rate, wanted: number): Promise<number> {
    try {
      return wanted === 0 ? 0 : (await rates.count(tenantId, rate, '', wanted)).within;
    } catch (error) {
      log.warn({ err: error, tenantId }, 'events about failed attempts could not be counted');
      return 0;
    }
  }

  function pendingOf(tenantId: string): TenantPending {
    const known = pending.get(tenantId);
    if (known !== undefined) {
      return known;
    }
    const made = { byKey: new Map<string, Pending>(), untold: { count: 0, example: undefined } };
    pending.set(tenantId, made);
    return made;
  }

  function gather(refusal: Refusal): void {
    const { byKey, untold } = pendingOf(refusal.tenantId);
    const clientId = refusal.clientId.slice(0, longestClientId);
    const key = `${refusal.sourceIp} ${clientId} ${refusal.reason}`;
    const known = byKey.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (byKey.size < maxPendingPerTenant) {
      byKey.set(key, { ...refusal, clientId, count: 1 });
    } else {
      untold.count++;
    }
    schedule();
  }

  async function flush(isLast: boolean): Promise<void> {
    timer = undefined;
    flushedAt = options.now();
    const batch = [...pending];
    pending.clear();
    for (const [tenantId, { byKey, untold }] of batch) {
      const all = [...byKey.values()].sort((a, b) => b.count - a.count);
      const soon = await allow(tenantId, limits.failureEvents, all.length);
      const told = await allow(tenantId, limits.failureEventsOfDay, soon);
      for (const one of all.slice(0, told)) {
        await write(one, { clientId: one.clientId, reason: one.reason, count: one.count });
      }
      const rest = all.slice(told);
      const count = rest.reduce((sum, one) => sum + one.count, untold.count);
      await summarize(tenantId, { count, example: rest[0] ?? untold.example }, isLast);
    }
  }

  /** Writes one event about all the others, or keeps them until it may. */
  async function summarize(tenantId: string, { count, example }: Untold, isLast: boolean): Promise<void> {
    if (count === 0 || example === undefined) {
      return;
    }
    const isAllowed =
      isLast || (await allow(tenantId, limits.failureEventsOfDay, 1)) === 1 || (await allow(tenantId, limits.failureSummary, 1)) === 1;
    if (!isAllowed) {
      const { untold } = pendingOf(tenantId);
      untold.count += count;
      untold.example ??= example;
      schedule();
      return;
    }
    await write(
      { ...example, sourceIp: '', clientId: '', credentialId: '', requestId: '' },
      { clientId: '', reason: 'many different attempts', count },
    );
  }

  async function write(of: Refusal, data: EventMap['credential.token_refused']): Promise<void> {
    try {
      const targetType = of.clientId.endsWith('/spc') ? 'service_principal_credential' : 'personal_client';
      const target = of.credentialId === '' ? {} : ({ targetType, targetId: of.credentialId } as const);
      await recordOccurrence(options.anonymousContext(of), { kind: 'credential.token_refused', ...target, data });
    } catch (error) {
      log.warn({ err: error, tenantId: of.tenantId }, 'a refused attempt could not be recorded');
    }
  }

  function schedule(): void {
    const wait = Math.max(50, flushedAt + flushEveryMs - options.now());
    timer ??= setTimeout(
      () => {
        writing = writing.then(() => flush(false));
      },
      Math.min(wait, flushEveryMs),
    ).unref();
  }

  return {
    async fail(refusal) {
      const place = clientPlace(refusal.sourceIp);
      const subject = `${place} ${refusal.clientId.slice(0, longestClientId)}`;
      // A place that is known to be beyond its limit adds no window of another client id.
      const seconds =
        rates.secondsLeft(refusal.tenantId, limits.failureByPlace, place) ||
        (await secondsOver(refusal.tenantId, limits.failureByClient, subject)) ||
        (await secondsOver(refusal.tenantId, limits.failureByPlace, place));
      if (seconds === 0) {
        gather(refusal);
      }
      return seconds;
    },
    failSilently: (tenantId, sourceIp) => secondsOver(tenantId, limits.failureByPlace, clientPlace(sourceIp)),
    note: gather,
    async close() {
      clearTimeout(timer);
      await writing;
      await flush(true);
    },
  };
}
