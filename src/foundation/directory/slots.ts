/** Slot of lists of people for later modules. */
import type { Context } from '../../context.ts';
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface DirectorySlot {
  /** Returns the condition that the person `u` has an account in one of the apps. */
  readonly getHasAccountIn: (tenantId: string, appIds: readonly string[]) => Sql;
  /** Returns the ids of the directories that the person `u` is in, an array in order. */
  readonly getDirectoryIds: () => Sql;
  /** Returns the columns `file` and `pushes` of SourceColumns, for the person `u`. */
  readonly getSourceColumns: () => Sql;
  /** Finds the certification policies with a step in which nobody decides in a reviewer's place: names of some, and how many there are. */
  readonly findNoDelegation: (context: Context) => Promise<{ readonly policyNames: readonly string[]; readonly count: number }>;
}

/** Slot they fill. */
export const directorySlot = createSlot<DirectorySlot>('directory');
