/** Requests that are made again: five times, and never before the other side wants to be asked. */
import { setTimeout as delay } from 'node:timers/promises';
import { ForbiddenDestination, type OutgoingRequest, sendOutgoing } from '../outgoing.ts';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';
import type { FetchParts } from '../tables/fetched-table.ts';

const maxTries = 5;
const firstPauseMs = 1_000;
/** Longest wait within a fetch; who wants more is asked by the next fetch. */
const maxPauseMs = 300_000;
const answerMs = 120_000;
const connectMs = 15_000;
const maxBytes = 64 * 1024 ** 2;

/** Things of the process that requests need. */
export interface RequestParts extends FetchParts {
  /** Waits between two tries; tests need not. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** An answer: its status, its text, and when to ask again. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Seconds; undefined where it says nothing. */
  readonly retryAfter: number | undefined;
}

/** Reason for another try: what happened, as part of a sentence, and the seconds that the other side asks for. */
export interface Failed {
  readonly reason: string;
  readonly retryAfter: number | undefined;
}

/** Returns the seconds that a header Retry-After means: a number, or a date. */
export function readRetryAfter(header: string | null | undefined, now: Date): number | undefined {
  if (header === null || header === undefined || header === '') {
    return undefined;
  }
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** True for answers that another try may change. */
export const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Returns a counter of failures of one thing, which answers how many milliseconds to wait after each; the fifth is the end, and thrown. */
export function countTries(task: string): (failed: Failed) => number {
  let tries = 0;
  return ({ reason, retryAfter }) => {
    tries++;
    const waitsMs = retryAfter === undefined ? firstPauseMs * 2 ** (tries - 1) : retryAfter * 1000;
    if (tries >= maxTries || waitsMs > maxPauseMs) {
      const often = tries === 1 ? '' : ` ${tries} times`;
      throw new FetchFault('UNREACHED', `${task} failed${often}: ${reason}.`, { retryAfterSeconds: retryAfter ?? 0 });
    }
    return waitsMs;
  };
}

/** Waits between two tries. */
export async function pauseFor(ms: number, { signal, pause }: RequestParts): Promise<void> {
  await (pause === undefined ? delay(ms, undefined, { signal }) : pause(ms));
}

/** Sends one request; what kept it from an answer is returned, and a forbidden destination is thrown. */
export async function sendOnce(
  { rules, signal, now }: FetchParts,
  url: string,
  request: Pick<OutgoingRequest, 'method' | 'headers' | 'body' | 'noteStep'>,
): Promise<Answer | Failed> {
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const answer = await sendOutgoing(rules, url, { ...request, signal: both, connectMs, maxBytes });
    return { status: answer.status, text: await answer.text(), retryAfter: readRetryAfter(answer.headers.get('retry-after'), now()) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenDestination) {
      throw new FetchFault('SETTINGS', `${new URL(url).host} is not asked: ${error.message}.`, { cause: error });
    }
    return { reason: `${new URL(url).host} cannot be reached (${wordsOf(error)})`, retryAfter: undefined };
  }
}
