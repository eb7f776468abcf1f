/** States of a fetch, and which may follow which. Every change of a state goes by this table (store.ts). Pure. */

/** State of a fetch (`fetches.state`). */
export type FetchState =
  | 'WAITING'
  | 'RUNNING'
  | 'READING'
  | 'UNCHANGED'
  | 'DONE'
  | 'HELD'
  | 'DISCARDED'
  | 'SUPERSEDED'
  | 'FAILED'
  | 'SKIPPED';

/** Reason for a fetch (`fetches.reason`). */
export type FetchReason = 'SCHEDULED' | 'FORCED' | 'RETRY' | 'REMOVAL';

/** States that may follow each; a lost lease leads back to WAITING. */
const following: Readonly<Record<FetchState, readonly FetchState[]>> = {
  WAITING: ['RUNNING', 'SKIPPED'],
  RUNNING: ['READING', 'UNCHANGED', 'FAILED', 'WAITING'],
  READING: ['DONE', 'HELD', 'FAILED', 'WAITING'],
  HELD: ['DONE', 'DISCARDED', 'SUPERSEDED'],
  UNCHANGED: [],
  DONE: [],
  DISCARDED: [],
  SUPERSEDED: [],
  FAILED: [],
  SKIPPED: [],
};

/** Every state. */
export const fetchStates = Object.keys(following) as readonly FetchState[];

/** Returns the states that a fetch may have before this one. */
export function statesBefore(state: FetchState): FetchState[] {
  return fetchStates.filter((before) => following[before].includes(state));
}

/** True if nothing follows. */
export function isFinal(state: FetchState): boolean {
  return following[state].length === 0;
}

/** Times that a process may lose a fetch, by ending or by silence, before it fails. */
export const maxRuns = 3;

/** A held fetch is discarded after so long. */
export const heldForMs = 14 * 24 * 3_600_000;

/** Fetches in a row that fail before somebody is told. */
export const toldAfterFailures = 3;

/** Longest pause before each retry, in minutes; then the schedule goes on. */
const retryMinutes = [1, 5, 25, 120] as const;
const longestAskedSeconds = 24 * 3600;

/** Error of a fetch as far as it decides on a retry. */
export interface FetchError {
  /** Another try may not meet it (`again`), might not meet it (`once`: a file that was half there), or will (`never`). */
  readonly retry: 'again' | 'once' | 'never';
  /** Pause that the other system asked for; 0 for none. */
  readonly retryAfterSeconds: number;
}

/** Milliseconds until the retry after so many failures in a row, this one included; undefined for none. `random` gives numbers from 0 to 1. */
export function findRetryPause({ retry, retryAfterSeconds }: FetchError, failures: number, random: () => number): number | undefined {
  const minutes = retryMinutes[failures - 1];
  if (minutes === undefined || retry === 'never' || (retry === 'once' && failures > 1)) {
    return undefined;
  }
  const asked = Math.min(retryAfterSeconds, longestAskedSeconds) * 1000;
  return Math.max(asked, Math.floor(random() * minutes * 60_000));
}
