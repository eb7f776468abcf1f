/**
 * One attempt of one effect that was taken: made outside any transaction under a lease that is kept, and taken down in one. When effects are taken is
 * decided in take-effects.ts.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, type Logger, type React, systemActor } from '../context.ts';
import type { Database, Db } from '../db/types.ts';
import { AppError, isAppError } from '../errors.ts';
import { findNextAttempt, type RetryPolicy, retryPolicy, unrecordedPauseMs } from './retries.ts';
import { notifyRunners } from './store.ts';
import { lockLease, removeEffect, updateLease, updateReleased } from './store-effects.ts';
import type { Effect, EffectKind, Lease, Outcome, Receipt } from './types.ts';

const defaultTimeLimitMs = 30_000;
/** An outage is no reason to have an effect twice, so its outcome waits for the database, as long as the lease lasts. */
const recordPauseMs = 1000;
/** Effects end soon after their signal; one that does not is left alone. */
const lastWordMs = 1000;

/** Needs of running effects. */
export interface EffectParts {
  readonly database: Database;
  readonly effects: ReadonlyMap<string, EffectKind>;
  readonly log: Logger;
  readonly react: React;
  readonly clock: () => Date;
  /** Numbers from 0 to 1, for the pauses. */
  readonly random: () => number;
  readonly leaseMs: number;
}

/** End of an attempt: with an answer, with an error, or cut off because this process stops. */
export type AttemptResult =
  | { readonly type: 'delivered'; readonly receipt: Receipt }
  | { readonly type: 'failed'; readonly error: AppError }
  | { readonly type: 'stopped' };

/** Context of an effect's work; its id ties log lines and events together. */
function openContext(parts: EffectParts, { tenantId, id, kind }: Lease, db: Db = parts.database.tenant(tenantId)): Context {
  const log = parts.log.child({ delivery: id, kind, tenant: tenantId });
  return { db, tenantId, actor: systemActor(`delivery-${id}`), now: parts.clock(), log, react: parts.react };
}

/**
 * Makes one attempt. `stop` is aborted when the process ends: the attempt is cut off then and given back. Resolves to whether its outcome was
 * written down: not where the lease was lost, or where the database stayed away. Then whoever takes the effect next decides.
 */
export async function runEffect(parts: EffectParts, lease: Lease, stop: AbortSignal): Promise<boolean> {
  const kind = parts.effects.get(lease.kind) as EffectKind;
  const policy = retryPolicy('OUTSIDE', kind);
  const context = openContext(parts, lease);
  const effect = await kind.open(context, lease);
  if (effect === undefined) {
    return inLease(parts, lease, (db) => removeEffect(db, lease.tenantId, lease.id));
  }
  if (lease.attempts > policy.maxAttempts) {
    // A process ended in the middle of the last attempt: nobody may attempt it again.
    const attempts = lease.attempts - 1;
    return record(parts, lease, effect, { action: 'give-up', attempts, error: errorOfUsedUp(effect.lastError, attempts) });
  }
  const lost = new AbortController();
  const stopKeeping = keepLease(parts, lease, lost);
  try {
    const result = await attempt(context, kind, effect, { stop, lost: lost.signal });
    const outcome = decideOutcome(result, { attempts: lease.attempts, lastError: effect.lastError }, policy, parts.clock(), parts.random);
    return await recordPatiently(parts, lease, effect, outcome, AbortSignal.any([stop, lost.signal]));
  } finally {
    stopKeeping();
  }
}

/** The outcome of an attempt: pure, with time and chance given. */
export function decideOutcome(
  result: AttemptResult,
  { attempts, lastError }: { readonly attempts: number; readonly lastError: string },
  policy: RetryPolicy,
  now: Date,
  random: () => number,
): Outcome {
  if (result.type === 'delivered') {
    return { action: 'succeed', receipt: result.receipt };
  }
  if (result.type === 'stopped') {
    // This is no fault, so it does not count; another process takes it at once.
    return { action: 'fail', attempts: attempts - 1, error: lastError, runAt: now };
  }
  const { error } = result;
  const runAt = findNextAttempt(error, attempts, policy, now, random);
  return runAt === undefined ? { action: 'give-up', attempts, error } : { action: 'fail', attempts, error: error.message, runAt };
}

/** The error of an effect whose attempts are used up before the next begins: the process ended during the last one, or its end could not be written down. */
export function errorOfUsedUp(lastError: string, attempts: number): AppError {
  return new AppError(
    'UNAVAILABLE',
    lastError === '' ? `The service ended during each of ${attempts} attempts; the effect may have happened.` : lastError,
  );
}

/** Renews the lease until it is stopped; aborts `lost` when somebody else has it, or may have. */
function keepLease(parts: EffectParts, lease: Lease, lost: AbortController): () => void {
  let endsAt = performance.now() + parts.leaseMs;
  const timer = setInterval(() => {
    const asked = performance.now();
    const now = parts.clock();
    updateLease(parts.database.system(), lease, new Date(now.getTime() + parts.leaseMs), now).then(
      (isOurs) => {
        endsAt = asked + parts.leaseMs;
        if (!isOurs) {
          lost.abort();
        }
      },
      () => {
        if (performance.now() >= endsAt) {
          lost.abort();
        }
      },
    );
  }, parts.leaseMs / 3);
  return () => clearInterval(timer);
}

/**
 * Runs the effect until it ends, its time is over, or somebody cuts it off. Cut off, it has a moment to say that it had happened all the same, or may
 * have; whatever else it says then is not waited for.
 */
async function attempt(
  context: Context,
  { timeLimitMs = defaultTimeLimitMs }: EffectKind,
  effect: Effect,
  cuts: { readonly stop: AbortSignal; readonly lost: AbortSignal },
): Promise<AttemptResult> {
  const ended = new AbortController();
  const work = Promise.resolve()
    .then(() => effect.attempt(context, ended.signal))
    .then<AttemptResult, AttemptResult>(
      (receipt) => ({ type: 'delivered', receipt }),
      (error: unknown) => ({ type: 'failed', error: ended.signal.aborted ? tooLate(timeLimitMs) : explainError(context, error) }),
    );
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<AttemptResult>((resolve) => {
    timer = setTimeout(() => resolve({ type: 'failed', error: tooLate(timeLimitMs) }), timeLimitMs);
    const stopped = (): void => resolve({ type: 'stopped' });
    for (const signal of [cuts.stop, cuts.lost]) {
      signal.addEventListener('abort', stopped, { once: true, signal: ended.signal });
      if (signal.aborted) {
        stopped();
      }
    }
  });
  const first = await Promise.race([work, cut]);
  clearTimeout(timer);
  ended.abort();
  if (first.type === 'delivered') {
    return first;
  }
  const moment = new AbortController();
  const last = await Promise.race([work, delay(lastWordMs, first, { signal: moment.signal }).catch(() => first)]);
  moment.abort();
  return last.type === 'delivered' ? last : first;
}

function tooLate(timeLimitMs: number): AppError {
  return new AppError('UNAVAILABLE', `There was no answer within ${timeLimitMs / 1000} seconds.`);
}

/** An error as it is shown and decided by. What nobody meant to show becomes INTERNAL, with a reference to the line in the log. */
function explainError(context: Context, thrown: unknown): AppError {
  if (isAppError(thrown) && thrown.code !== 'INTERNAL') {
    context.log.warn({ err: thrown, detail: thrown.detail }, 'an attempt of a delivery failed');
    return thrown;
  }
  const reference = randomBytes(6).toString('hex');
  context.log.error({ err: thrown, reference }, 'an attempt of a delivery failed on our side');
  return new AppError('INTERNAL', `Something went wrong on our side (reference ${reference}).`, { cause: thrown });
}

async function recordPatiently(parts: EffectParts, lease: Lease, effect: Effect, outcome: Outcome, giveUp: AbortSignal): Promise<boolean> {
  for (;;) {
    try {
      return await record(parts, lease, effect, outcome);
    } catch (error) {
      if (!isAppError(error, 'UNAVAILABLE') || giveUp.aborted) {
        throw error;
      }
      await delay(recordPauseMs, undefined, { signal: giveUp }).catch(() => undefined);
    }
  }
}

/**
 * Writes an outcome down; false, and nothing changed, where the lease is somebody else's by now. Where a rule of the kind fails, the effect
 * is tried again in a minute. Throws UNAVAILABLE where the database is away.
 */
async function record(parts: EffectParts, lease: Lease, effect: Effect, outcome: Outcome): Promise<boolean> {
  try {
    return await write(parts, lease, effect, outcome);
  } catch (error) {
    if (isAppError(error, 'UNAVAILABLE')) {
      throw error;
    }
    const context = openContext(parts, lease);
    const { message } = explainError(context, error);
    const attempts = outcome.action === 'succeed' ? lease.attempts : outcome.attempts;
    const runAt = new Date(context.now.getTime() + unrecordedPauseMs);
    return write(parts, lease, effect, { action: 'fail', attempts, error: message, runAt });
  }
}

/** In one transaction with the rules that follow. */
function write(parts: EffectParts, lease: Lease, effect: Effect, outcome: Outcome): Promise<boolean> {
  return inLease(parts, lease, async (db) => {
    const context = openContext(parts, lease, db);
    if (outcome.action === 'succeed') {
      await removeEffect(db, lease.tenantId, lease.id);
    } else {
      const runAt = outcome.action === 'fail' ? outcome.runAt : null;
      await updateReleased(db, lease, outcome.attempts, runAt, context.now);
      if (runAt !== null && runAt <= context.now) {
        await notifyRunners(db);
      }
    }
    await effect.record(context, outcome);
  });
}

/** Does the work in a transaction that holds the lease; false, and nothing done, where it is somebody else's. */
function inLease({ database }: EffectParts, lease: Lease, work: (db: Db) => Promise<void>): Promise<boolean> {
  return database.tenant(lease.tenantId).transaction(async (db) => {
    const isOurs = await lockLease(db, lease);
    if (isOurs) {
      await work(db);
    }
    return isOurs;
  });
}
