/** Slot of the module for what its requests ask for, which later modules do. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** Act that takes two persons (`second_person_requests.kind`). */
export type RequestKind = 'LIFT_HOLD' | 'SHORTEN_RETENTION' | 'ERASE_PERSON' | 'PURGE_TENANT' | 'RESTORE_PERSON';

/** Progress of a request (`second_person_requests.state`). */
export type RequestState = 'OPEN' | 'CONFIRMED' | 'REJECTED' | 'EXPIRED';

/** A request. */
export interface RequestRow {
  readonly id: string;
  readonly kind: RequestKind;
  readonly subjectId: string;
  /** '' where it is about no review. */
  readonly reviewId: string;
  readonly change: Readonly<Record<string, number>>;
  readonly reason: string;
  readonly state: RequestState;
  readonly askedById: string;
  /** Everybody who acted when it was asked, whoever issued the credential included. */
  readonly behindIds: readonly string[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
  readonly answeredById: string;
  readonly answeredAt: Date | null;
}

/** Act of one kind. */
export interface SecondPersonAct {
  /** Does what was asked, in the transaction of the confirmation. Refuses what does not hold any more. */
  readonly apply: (context: Context, request: RequestRow) => Promise<void>;
  /** The name of the subject; '' where it has none. */
  readonly nameSubject?: (context: Context, request: RequestRow) => Promise<string>;
}

/** Slot they fill; a kind without an act is confirmed by no request. */
export const secondPersonSlot = createSlot<Readonly<Partial<Record<RequestKind, SecondPersonAct>>>>('second-persons');
