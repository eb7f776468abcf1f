/** Slot of the story of a grant for imports, which come later. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface GrantSlot {
  /** Returns the import of the same source before each of these; those without one are left out. */
  readonly listPreviousSyncs: (context: Context, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Slot they fill. */
export const grantSlot = createSlot<GrantSlot>('grants');
