/** The guard against rows that take too much away: what trips it, in figures and words, and what then happens. */
import { AppError } from '../../../errors.ts';
import { type FileFacts, RefusedFile } from '../values/index.ts';

/** Check that tripped: too large a share, of grants or people, of accounts, of one resource type; an entitlement without holders; other keys; nothing. */
export type GuardCheck = 'SHARE' | 'ACCOUNTS' | 'TYPE' | 'EMPTIED' | 'NEW_KEYS' | 'NOTHING';

/** Losses by the rows that are too much. */
export interface Trip {
  readonly check: GuardCheck;
  readonly verb: string;
  readonly removed: number;
  readonly total: number;
  /** The loss in words, such as `end 30 of the 79 grants of the app "Wiki" (37.9 %), which is more than 20 %`. */
  readonly sentence: string;
}

/** Way removals are guarded: whether any number is allowed, and what happens to a trip where it does not refuse the file. */
export interface Guard {
  readonly isAllowed: boolean;
  readonly stop?: ((trip: Trip, refusal: AppError) => void) | undefined;
}

/** Things that rows would take away, in words: 'disable 30 of the 79 people of the source "people"'. */
export interface Removal {
  readonly check: GuardCheck;
  readonly verb: string;
  readonly removed: number;
  readonly total: number;
  readonly noun: string;
  /** In percent: more than that must be allowed. */
  readonly share: number;
}

/** Returns the trip where more is taken away than the share of it. */
export function findOver({ check, verb, removed, total, noun, share }: Removal): Trip | undefined {
  if (removed * 100 <= total * share) {
    return undefined;
  }
  const found = Math.floor((removed / total) * 1000) / 10;
  return {
    check,
    verb,
    removed,
    total,
    sentence: `${verb} ${removed} of the ${total} ${noun} (${found} %), which is more than ${share} %`,
  };
}

/** Refuses, with FAILED_PRECONDITION and the figures, rows that trip the guard, unless that was allowed or something else is to happen. */
export function guardRemovals(trip: Trip | undefined, guard: Guard, file: FileFacts): void {
  if (guard.isAllowed || trip === undefined) {
    return;
  }
  const { verb, sentence, removed, total } = trip;
  const refusal = new AppError(
    'FAILED_PRECONDITION',
    `Nothing was imported: the file would ${sentence}. If that is right, send it again with allow_removals=true.`,
    { violations: [{ field: 'allowRemovals', description: `would ${verb} ${removed} of ${total}` }] },
  );
  if (guard.stop === undefined) {
    throw new RefusedFile(refusal, file);
  }
  guard.stop(trip, refusal);
}
