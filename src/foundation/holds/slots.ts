/** Slot of the module for what it must know of reviews, which come later. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** Facts that fill it. */
export interface HoldSlot {
  /** The names of these reviews, deleted or not, by id; unknown ids are left out. */
  readonly listReviewNames: (context: Context, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Slot that the reviews fill. */
export const holdSlot = createSlot<HoldSlot>('holds');
