/** Slot of searches of values for the catalog, which comes later. */
import type { Sql } from '../../../lib/sql.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface AttributeSlot {
  /** Returns the condition that the account `id`, a column, is in an app that is there. */
  readonly getIsInLiveApp: (tenantId: string, id: string) => Sql;
}

/** Slot the catalog fills. */
export const attributeSlot = createSlot<AttributeSlot>('attributes');
