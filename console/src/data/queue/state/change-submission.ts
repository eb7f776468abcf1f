/** Transitions of a submission: ten seconds to take it back, then part by part. */
import { byTask, type Draft, isMeant, stoneOf, waitingMs } from '~/data/queue/drafts.ts';
import { forgetRecorded } from '~/data/queue/known.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { isSameDecision, plan } from './change-drafts.ts';
import { changeRows } from './change-rows.ts';
import { isUnderway } from './read-state.ts';
import { idle, type KeptSubmission, type QueueState, type Submission, type TaskResult } from './state.ts';

/** Begins the ten seconds. `key` makes sending it again harmless. */
export function beginSubmission(state: QueueState, drafts: readonly Draft[], key: string, now: number): QueueState {
  return drafts.length === 0 || isUnderway(state)
    ? state
    : {
        ...state,
        submission: {
          ...idle,
          phase: 'waiting',
          count: drafts.length,
          endsAt: now + waitingMs,
          kept: { phase: 'waiting', key, drafts },
        },
      };
}

/** Takes it back while it waits. */
export function undoSubmission(state: QueueState): QueueState {
  return state.submission.phase === 'waiting' ? { ...state, submission: idle } : state;
}

/** One of an earlier visit was found on this device. */
export function findSubmission(state: QueueState, kept: KeptSubmission): QueueState {
  const isLeft = kept.phase === 'waiting';
  return state.submission.phase !== 'idle'
    ? state
    : {
        ...state,
        submission: { ...idle, phase: isLeft ? 'left' : 'unsure', count: kept.drafts.length, kept: isLeft ? undefined : kept },
      };
}

/** Sends it now; also again, where it is not known whether it arrived. */
export function sendSubmission(state: QueueState): QueueState {
  const { kept, phase } = state.submission;
  return kept === undefined || phase === 'sending'
    ? state
    : { ...state, submission: { ...idle, phase: 'sending', count: kept.drafts.length, kept: { ...kept, phase: 'sending' } } };
}

/** It goes out with this version of the server's list. */
export function bindSubmission(state: QueueState, version: string): QueueState {
  const { kept, phase } = state.submission;
  return phase === 'sending' && kept !== undefined ? { ...state, submission: { ...state.submission, kept: { ...kept, version } } } : state;
}

/** What it is about was changed elsewhere before any of it was recorded. */
export function stopSubmission(state: QueueState, now: number): QueueState {
  const { count } = state.submission;
  return plan({ ...state, submission: { ...idle, phase: 'changed', count } }, now);
}

/** Another tab has one under way, or has no more. What this tab says about one of its own stays. */
export function hearSubmission(state: QueueState, underway: { readonly count: number; readonly endsAt: number } | undefined): QueueState {
  const isElsewhere = state.submission.phase === 'elsewhere';
  if (underway === undefined) {
    return isElsewhere ? { ...state, submission: idle } : state;
  }
  const { count, endsAt } = underway;
  return { ...state, submission: { ...idle, phase: 'elsewhere', count, endsAt } };
}

/**
 * Takes in the server's answer about a part of it: a decision that was recorded is no draft any more, one that was refused stays, and says why. One that was
 * changed since it was sent first stays as well: it changes what is recorded now. `version` is of the server's list behind it; empty where that is not
 * known.
 */
export function settle(
  state: QueueState,
  { results, sent, version, now }: { results: readonly TaskResult[]; sent: readonly Draft[]; version: string; now: number },
): QueueState {
  const drafts = new Map(state.drafts);
  const changes = new Map<string, Partial<QueueRow>>();
  const sentOf = byTask(sent);
  const decidedAt = new Date(now).toISOString();
  for (const { taskId, decided, message } of results) {
    const [draft, recorded] = [drafts.get(taskId), sentOf.get(taskId)];
    if (decided) {
      const outcome = recorded?.choice === 'deny' ? 'DECERTIFIED' : 'CERTIFIED';
      changes.set(taskId, { state: 'CLOSED', outcome, decidedByUserId: state.me, decidedAt });
    }
    if (decided && (!isMeant(draft) || isSameDecision(draft, recorded))) {
      // Of the moment of what was recorded: a tab that hears of it late keeps what was decided since.
      drafts.set(taskId, stoneOf(taskId, Math.max(draft?.at ?? 0, recorded?.at ?? 0)));
    } else if (draft !== undefined) {
      drafts.set(taskId, decided ? { ...draft, amend: true } : { ...draft, refused: message || 'refused' });
    }
  }
  const known = changes.size === 0 ? state.known : forgetRecorded(state.known, [...changes.keys()], version);
  return plan(changeRows({ ...state, drafts, known, steps: [] }, changes), now);
}

/** All parts of it are settled. */
export function endSubmission(state: QueueState, results: readonly TaskResult[]): QueueState {
  return { ...state, submission: { ...idle, phase: 'done', count: state.submission.count, results } };
}

/** Reason a submission did not go through. */
export type SubmissionFailure = Pick<Submission, 'message' | 'requestId' | 'isOutage'>;

/** It was refused as a whole, or nobody answered: then it may have arrived, and stays on this device. */
export function failSubmission(state: QueueState, failure: SubmissionFailure, now: number): QueueState {
  const { count, kept } = state.submission;
  const { message, requestId, isOutage } = failure;
  const submission = { ...idle, phase: 'failed', count, kept: isOutage ? kept : undefined, message, requestId, isOutage } as const;
  return plan({ ...state, submission }, now);
}

/** The message about it was read. */
export function dismissSubmission(state: QueueState): QueueState {
  return { ...state, submission: idle };
}
