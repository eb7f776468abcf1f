/**
 * States of a removal that a connector carries out, and what leads from one to another: one total table. It stands beside the states of the removal itself
 * (record/store-states.ts). Pure.
 */
import type { SendingState } from '../record/index.ts';

/**
 * Event of a sending: PLAN as the removal begins, or begins anew; PASS and LIMIT by the limits of its source; LEAVE to people; RELEASE by an administrator;
 * SEND to a host, also to another where one fell silent; AGAIN by an answer that lets it be tried again; SUCCEED and FAIL by the last answer; OVERTAKE where the
 * removal went on without it.
 */
export type SendingEvent = 'PLAN' | 'PASS' | 'LIMIT' | 'LEAVE' | 'RELEASE' | 'SEND' | 'AGAIN' | 'SUCCEED' | 'FAIL' | 'OVERTAKE';

/** Events that each state allows, and where they lead; whatever is absent is forbidden. */
export const sendingMoves: Readonly<Record<SendingState, Partial<Record<SendingEvent, SendingState>>>> = {
  PLANNED: { PLAN: 'PLANNED', PASS: 'WAITING', LIMIT: 'LIMITED', LEAVE: 'PEOPLE', OVERTAKE: 'ENDED' },
  WAITING: { PLAN: 'PLANNED', SEND: 'SENT', LEAVE: 'PEOPLE', OVERTAKE: 'ENDED' },
  LIMITED: { PLAN: 'PLANNED', RELEASE: 'WAITING', LEAVE: 'PEOPLE', OVERTAKE: 'ENDED' },
  SENT: { PLAN: 'PLANNED', SEND: 'SENT', AGAIN: 'WAITING', SUCCEED: 'DONE', FAIL: 'FAILED', LEAVE: 'PEOPLE', OVERTAKE: 'ENDED' },
  DONE: { PLAN: 'PLANNED' },
  FAILED: { PLAN: 'PLANNED' },
  PEOPLE: { PLAN: 'PLANNED' },
  ENDED: { PLAN: 'PLANNED' },
};

/** Every state. */
const sendingStates = Object.keys(sendingMoves) as readonly SendingState[];

/** Returns the states in which this may happen. */
export function listSendingsBefore(event: SendingEvent): SendingState[] {
  return sendingStates.filter((state) => sendingMoves[state][event] !== undefined);
}

/** States in which nobody else is asked: the connector has it, or will get it. */
export const openSendings = listSendingsBefore('OVERTAKE');

const retryMinutes = [1, 5, 25] as const;
/** Codes of gRPC that another try may not meet: deadline exceeded, resource exhausted, aborted, unavailable. */
const passing: readonly number[] = [4, 8, 10, 14];

/** Words of a removal whose connector fell silent each time. */
const silentWords = 'The connector fell silent. The access may have been removed.';

/** The answer of a connector to a removal, or its silence. */
export type RemovalEnd =
  | { readonly kind: 'SUCCESS'; readonly wasGone: boolean }
  | { readonly kind: 'ERROR'; readonly code: number; readonly words: string }
  | { readonly kind: 'SILENT' };

/** Consequence of an answer. */
export type Verdict =
  | { readonly event: 'SUCCEED' }
  | { readonly event: 'AGAIN'; readonly afterMs: number }
  | { readonly event: 'FAIL'; readonly words: string };

/** Judges an answer behind so many that let it be tried again. */
export function judgeEnd(end: RemovalEnd, failures: number): Verdict {
  if (end.kind === 'SUCCESS') {
    return { event: 'SUCCEED' };
  }
  if (end.kind === 'SILENT') {
    return { event: 'FAIL', words: silentWords };
  }
  const minutes = passing.includes(end.code) ? retryMinutes[failures] : undefined;
  return minutes === undefined ? { event: 'FAIL', words: end.words } : { event: 'AGAIN', afterMs: minutes * 60_000 };
}

/** Share of what a source reports that its connector removes in a day without being asked. */
const dailyShare = 0.05;

/** Number of removals that may be sent now, behind those of the last hour and the last day; `held` counts what the source reports. */
export function countRoom(hourly: number, passed: { readonly hour: number; readonly day: number; readonly held: number }): number {
  // One a day is let through however small a source is.
  const daily = Math.max(1, Math.floor(passed.held * dailyShare));
  return Math.max(0, Math.min(hourly - passed.hour, daily - passed.day));
}
