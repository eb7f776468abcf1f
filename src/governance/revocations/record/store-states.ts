/**
 * The states of a removal and what leads from one to another: one total table, from which rules and statements both read, so that they cannot
 * disagree. Nothing here reads the database.
 */

/** State of a removal (`revocations.state`). */
export type RevocationState =
  | 'HELD'
  | 'REQUESTED'
  | 'REFUSED'
  | 'IN_PROGRESS'
  | 'CLAIMED'
  | 'STILL_PRESENT'
  | 'VERIFIED'
  | 'ATTESTED'
  | 'REAPPEARED'
  | 'ERROR'
  | 'CANCELLED';

/**
 * Event of a removal: REQUEST at the close or at once, and of access that reappeared before anybody was asked to remove it; REFUSE and PROVISION by
 * its policy; CLAIM by whoever says it is done; SEEN and ABSENT by a sync begun after that; CONFIRM by a second person; REAPPEAR by access that is
 * held again; FAIL and RETRY of carrying it out; WITHDRAW by an amendment, a restart, or because there is nothing left to remove it from.
 */
export type RevocationEvent =
  | 'REQUEST'
  | 'REFUSE'
  | 'PROVISION'
  | 'CLAIM'
  | 'SEEN'
  | 'ABSENT'
  | 'CONFIRM'
  | 'REAPPEAR'
  | 'FAIL'
  | 'RETRY'
  | 'WITHDRAW';

type Moves = Partial<Record<RevocationEvent, RevocationState>>;

/** Events that each state allows, and where they lead; whatever is absent is forbidden. */
export const moves: Readonly<Record<RevocationState, Moves>> = {
  HELD: { REQUEST: 'REQUESTED', WITHDRAW: 'CANCELLED' },
  REQUESTED: { REFUSE: 'REFUSED', PROVISION: 'IN_PROGRESS', ABSENT: 'VERIFIED', WITHDRAW: 'CANCELLED' },
  REFUSED: {},
  IN_PROGRESS: { CLAIM: 'CLAIMED', FAIL: 'ERROR', ABSENT: 'VERIFIED', WITHDRAW: 'CANCELLED' },
  CLAIMED: { SEEN: 'STILL_PRESENT', CONFIRM: 'ATTESTED', ABSENT: 'VERIFIED' },
  STILL_PRESENT: { CLAIM: 'CLAIMED', ABSENT: 'VERIFIED' },
  VERIFIED: { REAPPEAR: 'REAPPEARED' },
  ATTESTED: { REAPPEAR: 'REAPPEARED' },
  REAPPEARED: { REQUEST: 'REQUESTED', RETRY: 'IN_PROGRESS', ABSENT: 'VERIFIED' },
  ERROR: { RETRY: 'IN_PROGRESS', ABSENT: 'VERIFIED' },
  CANCELLED: {},
};

/** All states. */
export const states = Object.keys(moves) as readonly RevocationState[];

/** Those that wait for something: nobody has proven the removal, refused it or withdrawn it. */
export const openStates: readonly RevocationState[] = ['REQUESTED', 'IN_PROGRESS', 'CLAIMED', 'STILL_PRESENT', 'REAPPEARED', 'ERROR'];

/** States in which it is proven that the access is gone: by a sync or a push, or by two people. */
export const provenStates: readonly RevocationState[] = ['VERIFIED', 'ATTESTED'];

/** Finds the state this leads to; undefined where that is forbidden. */
export function findNextState(state: RevocationState, event: RevocationEvent): RevocationState | undefined {
  return moves[state][event];
}

/** The states in which this may happen. */
export function listStatesBefore(event: RevocationEvent): readonly RevocationState[] {
  return states.filter((state) => moves[state][event] !== undefined);
}

/** Days after its proof in which access that is held again counts as reappeared. */
export const reappearedWithinDays = 400;

/** Days a removal may take where nothing else is said, and how many later the administrators hear of it. */
export const deadlineDays = { usual: 14, least: 1, most: 365, escalation: 7 } as const;

/** The annotation of an entitlement or app that says how many days its removals may take. */
export const daysAnnotation = 'countersign/revocation_days';

/** Outcome of a denial, as whoever denied reads it. */
export type MyOutcome = 'HELD' | 'OPEN' | 'STILL_THERE' | 'GONE' | 'KEPT' | 'WITHDRAWN';

const outcomes: Readonly<Record<RevocationState, MyOutcome>> = {
  HELD: 'HELD',
  REQUESTED: 'OPEN',
  IN_PROGRESS: 'OPEN',
  CLAIMED: 'OPEN',
  ERROR: 'OPEN',
  STILL_PRESENT: 'STILL_THERE',
  REAPPEARED: 'STILL_THERE',
  VERIFIED: 'GONE',
  ATTESTED: 'GONE',
  REFUSED: 'KEPT',
  CANCELLED: 'WITHDRAWN',
};

/** Returns what became of a removal in this state. */
export function getOutcome(state: RevocationState): MyOutcome {
  return outcomes[state];
}

/** The states in which this became of a removal. */
export function getStates(outcome: MyOutcome): readonly RevocationState[] {
  return states.filter((state) => outcomes[state] === outcome);
}
