/** Slot of lists of people for later modules. */
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
}

/** Slot they fill. */
export const directorySlot = createSlot<DirectorySlot>('directory');
