/**
 * What follows from an attempt: done, tried again after a pause, or dead. Pure: time and chance are given. Writing it down is
 * record-outcome.ts.
 */
import { AppError, type ErrorCode } from '../../errors.ts';
import type { Delivery, DeliveryData, DeliveryKind } from './types.ts';

const defaultMaxAttempts = 16;
const defaultFirstPauseMs = 10_000;
const defaultLongestPauseMs = 4 * 3_600_000;
/** A receiver may ask for a longer pause than ours, but not for one without end. */
const longestRetryAfterSeconds = 24 * 3600;

/** Errors that another attempt may not meet. */
const worthAnotherAttempt: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']);

/** How an attempt ended: with an answer, with an error, or cut off because this process stops. */
export type AttemptResult =
  | { readonly type: 'delivered'; readonly receipt: DeliveryData }
  | { readonly type: 'failed'; readonly error: AppError }
  | { readonly type: 'stopped' };

/** What is written down after an attempt. */
export type Outcome =
  | { readonly action: 'succeed'; readonly receipt: DeliveryData }
  | { readonly action: 'fail'; readonly attempts: number; readonly error: string; readonly runAt: Date }
  | { readonly action: 'give-up'; readonly error: AppError };

/** How many attempts a delivery of this kind has. */
export function maxAttemptsOf(kind: DeliveryKind): number {
  return kind.maxAttempts ?? defaultMaxAttempts;
}

/**
 * Milliseconds to wait after this many attempts: anything from nothing to a ceiling that doubles each time ("full jitter"), so that what
 * failed together does not come back together. `random` gives numbers from 0 to 1.
 */
export function pauseAfter(attempts: number, kind: Pick<DeliveryKind, 'firstPauseMs' | 'longestPauseMs'>, random: () => number): number {
  const { firstPauseMs = defaultFirstPauseMs, longestPauseMs = defaultLongestPauseMs } = kind;
  return Math.floor(random() * Math.min(firstPauseMs * 2 ** Math.max(0, attempts - 1), longestPauseMs));
}

/** The outcome of an attempt. `delivery` is as it was when the attempt began, which is counted in its attempts. */
export function decideOutcome(result: AttemptResult, delivery: Delivery, kind: DeliveryKind, now: Date, random: () => number): Outcome {
  if (result.type === 'delivered') {
    return { action: 'succeed', receipt: result.receipt };
  }
  const { attempts } = delivery;
  if (result.type === 'stopped') {
    // This is no fault, so it does not count; another process takes it at once.
    return { action: 'fail', attempts: attempts - 1, error: delivery.error, runAt: now };
  }
  const { error } = result;
  if (!worthAnotherAttempt.has(error.code) || attempts >= maxAttemptsOf(kind)) {
    return { action: 'give-up', error };
  }
  const askedMs = Math.min(error.retryAfterSeconds ?? 0, longestRetryAfterSeconds) * 1000;
  const runAt = new Date(now.getTime() + Math.max(askedMs, pauseAfter(attempts, kind, random)));
  return { action: 'fail', attempts, error: error.message, runAt };
}

/** The error of a delivery whose attempts are used up before the next begins: the process ended during the last one, or its end could not be written down. */
export function errorOfUsedUp(delivery: Delivery): AppError {
  return new AppError(
    'UNAVAILABLE',
    delivery.error === ''
      ? `The service ended during each of ${delivery.attempts} attempts; the effect may have happened.`
      : delivery.error,
  );
}
