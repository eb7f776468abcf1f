/** Waiting for work in the background to end: a review's phase, with its progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import { ReviewActionsService } from '../../gen/countersign/v1/review_pb.js';
import { CommandFailure, type CommandIo } from './io.ts';
import { createProgress } from './progress.ts';

const firstPauseMilliseconds = 50;
const longestPauseMilliseconds = 1_000;

/** Resolves when nothing runs on the review any more; CommandFailure with the reason where it failed. */
export async function waitForPhase(io: CommandIo, client: Client, reviewId: string): Promise<void> {
  const progress = createProgress(io, 'working', (value) => value.toLocaleString('en'));
  try {
    for await (const _ of pauses(io.signal)) {
      const state = (await client.call(ReviewActionsService.method.getProgress, { accessReviewId: reviewId })).progress;
      progress.update(Number(state?.done ?? 0), Number(state?.total ?? 0), state?.phase?.toLowerCase());
      if (state?.running !== true) {
        if (state?.error) {
          throw new CommandFailure(`${state.phase?.toLowerCase() ?? 'the work'} failed: ${state.error}`);
        }
        return;
      }
    }
  } finally {
    progress.finish();
  }
}

/** Moments to look again, further and further apart; ends with CommandFailure, which says `stopped`, when the user stops it. */
export async function* pauses(signal: AbortSignal, stopped = 'stopped waiting; the work continues on the server'): AsyncGenerator<void> {
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(pause * 1.5, longestPauseMilliseconds)) {
    yield;
    try {
      await sleep(pause, undefined, { signal });
    } catch {
      throw new CommandFailure(stopped);
    }
  }
}
