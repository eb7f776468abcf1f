/** Slot of records of people for identity providers, which come later. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface PeopleSlot {
  /**
   * Takes what a pushed user says once more, now that it is known whose its record is: somebody new (`isNew`), or whom the record says. The lock of roles
   * is held. Returns the person.
   */
  readonly pushAgain: (context: Context, sourceId: string, scimId: string, isNew: boolean) => Promise<string>;
  /** Gives people the status and the attributes that their other records leave them, now that one of this source ended. Returns why one of them stays, or ''. */
  readonly settle: (context: Context, sourceId: string, userIds: readonly string[]) => Promise<string>;
}

/** Slot they fill. */
export const peopleSlot = createSlot<PeopleSlot>('people');
