/**
 * One attempt of one delivery that was taken: begun, made outside any transaction under a lease that is kept, and written down. When
 * deliveries are taken is decided in runner.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { AppError, isAppError } from '../../errors.ts';
import { type AttemptResult, decideOutcome, errorOfUsedUp, maxAttemptsOf, type Outcome } from './decide-outcome.ts';
import { explainError, openContext, recordOutcome, type RunnerParts } from './record-outcome.ts';
import { findDelivery, updateAttempt } from './store.ts';
import { type Lease, updateLease } from './store-queue.ts';
import type { Delivery, DeliveryKind } from './types.ts';

const defaultTimeLimitMs = 30_000;
/** An outage is no reason to make a delivery twice, so its outcome waits for the database, as long as the lease lasts. */
const recordPauseMs = 1000;

/**
 * Makes one attempt. `stop` is aborted when the process ends: the attempt is cut off then and given back. Resolves to whether its outcome was
 * written down: not where the lease was lost, or where the database stayed away. Then whoever takes the delivery next decides.
 */
export async function runDelivery(parts: RunnerParts, lease: Lease, stop: AbortSignal): Promise<boolean> {
  const kind = parts.kinds.get(lease.kind) as DeliveryKind;
  const context = openContext(parts, lease);
  const delivery = await updateAttempt(context, lease.deliveryId, maxAttemptsOf(kind));
  if (delivery === undefined) {
    return endUsedUp(parts, context, lease);
  }
  const lost = new AbortController();
  const stopKeeping = keepLease(parts, lease, lost);
  try {
    const result = await attempt(context, kind, delivery, { stop, lost: lost.signal });
    const outcome = decideOutcome(result, delivery, kind, parts.clock(), parts.random);
    return await recordPatiently(parts, lease, delivery, outcome, AbortSignal.any([stop, lost.signal]));
  } finally {
    stopKeeping();
  }
}

/** A delivery that nobody may attempt again ends here: a process ended in the middle of its last attempt. */
async function endUsedUp(parts: RunnerParts, context: Context, lease: Lease): Promise<boolean> {
  const delivery = await findDelivery(context, lease.deliveryId);
  return delivery !== undefined && recordOutcome(parts, lease, delivery, { action: 'give-up', error: errorOfUsedUp(delivery) });
}

/** Renews the lease until it is stopped; aborts `lost` when somebody else has it, or may have. */
function keepLease(parts: RunnerParts, lease: Lease, lost: AbortController): () => void {
  let endsAt = performance.now() + parts.leaseMs;
  const timer = setInterval(() => {
    const asked = performance.now();
    const until = new Date(parts.clock().getTime() + parts.leaseMs);
    updateLease(parts.database.system(), lease, until).then(
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

/** Runs the kind's work until it ends, its time is over, or somebody cuts it off; it is reported, and not waited for. */
async function attempt(
  context: Context,
  kind: DeliveryKind,
  delivery: Delivery,
  cuts: { readonly stop: AbortSignal; readonly lost: AbortSignal },
): Promise<AttemptResult> {
  const { timeLimitMs = defaultTimeLimitMs } = kind;
  const ended = new AbortController();
  const work = Promise.resolve()
    .then(() => kind.deliver(context, delivery, ended.signal))
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
  try {
    return await Promise.race([work, cut]);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

function tooLate(timeLimitMs: number): AppError {
  return new AppError('UNAVAILABLE', `There was no answer within ${timeLimitMs / 1000} seconds.`);
}

async function recordPatiently(
  parts: RunnerParts,
  lease: Lease,
  delivery: Delivery,
  outcome: Outcome,
  giveUp: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      return await recordOutcome(parts, lease, delivery, outcome);
    } catch (error) {
      if (!isAppError(error, 'UNAVAILABLE') || giveUp.aborted) {
        throw error;
      }
      await delay(recordPauseMs, undefined, { signal: giveUp }).catch(() => undefined);
    }
  }
}
