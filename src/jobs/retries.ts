/** Tries after a failure, of jobs and of effects alike: whether there is another, and when. Pure: time and chance are given. */
import type { AppError, ErrorCode } from '../errors.ts';
import type { Lane, Retries } from './types.ts';

/** A receiver may ask for a longer pause than ours, but not for one without end. */
const longestRetryAfterSeconds = 24 * 3600;

/** Pause of what failed so that not even its failure could be taken down: neither lost nor tried without pause. */
export const unrecordedPauseMs = 60_000;

/** Errors that another attempt may not meet. */
const worthAnotherAttempt: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']);

/** Tries of a kind, all said. */
export interface RetryPolicy extends Required<Retries> {
  /** True if a pause is anything from nothing to its ceiling ("full jitter"), so that what failed together does not come back together. */
  readonly spreads: boolean;
}

/** With the pauses between them the attempts of a job take about a minute, those of an effect about half a day. */
const policies: Readonly<Record<Lane, RetryPolicy>> = {
  INSIDE: { maxAttempts: 8, firstPauseMs: 200, longestPauseMs: 60_000, spreads: false },
  OUTSIDE: { maxAttempts: 16, firstPauseMs: 10_000, longestPauseMs: 4 * 3_600_000, spreads: true },
};

/** Returns the policy of a kind: what it says itself, else what its lane says. */
export function retryPolicy(lane: Lane, { maxAttempts, firstPauseMs, longestPauseMs }: Retries): RetryPolicy {
  const usual = policies[lane];
  return {
    maxAttempts: maxAttempts ?? usual.maxAttempts,
    firstPauseMs: firstPauseMs ?? usual.firstPauseMs,
    longestPauseMs: longestPauseMs ?? usual.longestPauseMs,
    spreads: usual.spreads,
  };
}

/** Milliseconds to wait after this many attempts: a ceiling that doubles each time, or anything below it. `random` gives numbers from 0 to 1. */
export function pauseAfter(attempts: number, policy: RetryPolicy, random: () => number): number {
  const ceiling = Math.min(policy.firstPauseMs * 2 ** Math.max(0, attempts - 1), policy.longestPauseMs);
  return policy.spreads ? Math.floor(random() * ceiling) : ceiling;
}

/** The moment of the next attempt after this many, the last of which failed so; undefined where there is none. */
export function findNextAttempt(error: AppError, attempts: number, policy: RetryPolicy, now: Date, random: () => number): Date | undefined {
  if (!worthAnotherAttempt.has(error.code) || attempts >= policy.maxAttempts) {
    return undefined;
  }
  const askedMs = Math.min(error.retryAfterSeconds ?? 0, longestRetryAfterSeconds) * 1000;
  return new Date(now.getTime() + Math.max(askedMs, pauseAfter(attempts, policy, random)));
}
