/** What follows from an attempt, with time and chance given. */
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode, errorCodes } from '../../errors.ts';
import { type AttemptResult, decideOutcome, errorOfUsedUp, pauseAfter } from './decide-outcome.ts';
import type { Delivery, DeliveryKind } from './types.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const kind: DeliveryKind = { deliver: async () => ({}) };
const delivery: Delivery = {
  id: 'id',
  kind: 'k',
  subjectId: 's',
  idempotencyKey: 'key',
  payload: {},
  state: 'WAITING',
  attempts: 3,
  repeats: 0,
  error: 'before',
  receipt: {},
  discardReason: '',
  createdAt: now,
  updatedAt: now,
  endedAt: null,
};
const failed = (code: ErrorCode, retryAfterSeconds?: number): AttemptResult => ({
  type: 'failed',
  error: new AppError(code, 'It failed.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const decide = (result: AttemptResult, more: Partial<Delivery> = {}, random = 0.5) =>
  decideOutcome(result, { ...delivery, ...more }, kind, now, () => random);
const secondsFrom = (runAt: Date): number => (runAt.getTime() - now.getTime()) / 1000;

describe('pauseAfter', () => {
  it('doubles its ceiling with each attempt, up to the longest', () => {
    const ceilings = Array.from({ length: 16 }, (_, index) => pauseAfter(index + 1, {}, () => 1) / 1000);
    expect(ceilings).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 14_400, 14_400, 14_400, 14_400, 14_400]);
    expect(pauseAfter(3, { firstPauseMs: 7, longestPauseMs: 20 }, () => 1)).toBe(20);
  });

  it('is anything below it, evenly', () => {
    let state = 1;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const pauses = Array.from({ length: 4000 }, () => pauseAfter(4, {}, random));
    const quarters = [0, 1, 2, 3].map((quarter) => pauses.filter((pause) => Math.floor(pause / 20_000) === quarter).length);
    expect(quarters.every((count) => count > 900 && count < 1100)).toBe(true);
    expect(pauseAfter(4, {}, () => 0)).toBe(0);
  });
});

describe('decideOutcome', () => {
  it('is done after an answer', () => {
    expect(decide({ type: 'delivered', receipt: { id: 'm1' } })).toEqual({ action: 'succeed', receipt: { id: 'm1' } });
  });

  it.each(errorCodes)('after %s is another attempt, or the end', (code) => {
    const again = ['CONFLICT', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'].includes(code);
    expect(decide(failed(code)).action).toBe(again ? 'fail' : 'give-up');
    expect(decide(failed(code), { attempts: 16 }).action).toBe('give-up');
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
    expect(decide({ type: 'stopped' }, { attempts: 16 }).action).toBe('fail');
  });
});

describe('errorOfUsedUp', () => {
  it('is the last error, or says that nobody knows what happened', () => {
    expect(errorOfUsedUp(delivery).message).toBe('before');
    expect(errorOfUsedUp({ ...delivery, error: '' }).message).toBe(
      'The service ended during each of 3 attempts; the effect may have happened.',
    );
  });
});
