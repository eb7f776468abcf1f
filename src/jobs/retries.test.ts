/** Tries after a failure, with time and chance given. */
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode, errorCodes } from '../errors.ts';
import { findNextAttempt, pauseAfter, retryPolicy } from './retries.ts';
import { type AttemptResult, decideOutcome, errorOfUsedUp } from './run-effect.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const [inside, outside] = [retryPolicy('INSIDE', {}), retryPolicy('OUTSIDE', {})];
const failed = (code: ErrorCode, retryAfterSeconds?: number): AttemptResult & { readonly error: AppError } => ({
  type: 'failed',
  error: new AppError(code, 'It failed.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const decide = (result: AttemptResult, attempts = 3) => decideOutcome(result, { attempts, lastError: 'before' }, outside, now, () => 0.5);
const secondsFrom = (runAt: Date): number => (runAt.getTime() - now.getTime()) / 1000;

describe('pauseAfter', () => {
  it('doubles with each failure of a job, up to a minute', () => {
    expect([1, 2, 3, 8, 9, 10, 50].map((attempts) => pauseAfter(attempts, inside, Math.random))).toEqual([
      200, 400, 800, 25_600, 51_200, 60_000, 60_000,
    ]);
  });

  it('doubles the ceiling of an effect with each attempt, up to the longest', () => {
    const ceilings = Array.from({ length: 16 }, (_, index) => pauseAfter(index + 1, outside, () => 1) / 1000);
    expect(ceilings).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 14_400, 14_400, 14_400, 14_400, 14_400]);
    expect(pauseAfter(3, retryPolicy('OUTSIDE', { firstPauseMs: 7, longestPauseMs: 20 }), () => 1)).toBe(20);
  });

  it('is anything below that ceiling, evenly', () => {
    let state = 1;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const pauses = Array.from({ length: 4000 }, () => pauseAfter(4, outside, random));
    const quarters = [0, 1, 2, 3].map((quarter) => pauses.filter((pause) => Math.floor(pause / 20_000) === quarter).length);
    expect(quarters.every((count) => count > 900 && count < 1100)).toBe(true);
    expect(pauseAfter(4, outside, () => 0)).toBe(0);
  });
});

describe('findNextAttempt', () => {
  it.each(errorCodes)('after %s is a later moment, or none', (code) => {
    const again = ['CONFLICT', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'].includes(code);
    for (const policy of [inside, outside]) {
      const next = (attempts: number) => findNextAttempt(failed(code).error, attempts, policy, now, () => 0.5);
      expect(next(policy.maxAttempts - 1) !== undefined).toBe(again);
      expect(next(policy.maxAttempts)).toBeUndefined();
    }
  });

  it('keeps to the numbers of a kind', () => {
    const policy = retryPolicy('INSIDE', { maxAttempts: 2, firstPauseMs: 7000 });
    const next = (attempts: number) => findNextAttempt(failed('CONFLICT').error, attempts, policy, now, Math.random);
    expect([next(1)?.getTime(), next(2)]).toEqual([now.getTime() + 7000, undefined]);
  });
});

describe('decideOutcome', () => {
  it('is done after an answer', () => {
    expect(decide({ type: 'delivered', receipt: { id: 'm1' } })).toEqual({ action: 'succeed', receipt: { id: 'm1' } });
  });

  it('gives up where there is no other attempt', () => {
    expect(decide(failed('NOT_FOUND'))).toMatchObject({ action: 'give-up', attempts: 3, error: { code: 'NOT_FOUND' } });
    expect(decide(failed('UNAVAILABLE'), 16)).toMatchObject({ action: 'give-up', attempts: 16 });
  });

  it('waits as long as chance says, and at least as long as the receiver asks, within a day', () => {
    expect(decide(failed('UNAVAILABLE'))).toEqual({
      action: 'fail',
      attempts: 3,
      error: 'It failed.',
      runAt: new Date(now.getTime() + 20_000),
    });
    const waits = [7, 60, 9_000_000].map((asked) => decide(failed('RATE_LIMITED', asked)));
    expect(waits.map((outcome) => outcome.action === 'fail' && secondsFrom(outcome.runAt))).toEqual([20, 60, 86_400]);
  });

  it('gives back an attempt that was cut off because the process stops', () => {
    expect(decide({ type: 'stopped' })).toEqual({ action: 'fail', attempts: 2, error: 'before', runAt: now });
    expect(decide({ type: 'stopped' }, 16).action).toBe('fail');
  });
});

describe('errorOfUsedUp', () => {
  it('is the last error, or says that nobody knows what happened', () => {
    expect(errorOfUsedUp('before', 3).message).toBe('before');
    expect(errorOfUsedUp('', 3).message).toBe('The service ended during each of 3 attempts; the effect may have happened.');
  });
});
