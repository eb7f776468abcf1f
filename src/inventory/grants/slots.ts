/** Slot of the story of a grant for imports, which come later. */
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface GrantSlot {
  /** Returns the import before the one that the column `id` names, as a scalar. */
  readonly getPreviousSyncId: (tenantId: string, id: string) => Sql;
}

/** Slot they fill. */
export const grantSlot = createSlot<GrantSlot>('grants');
