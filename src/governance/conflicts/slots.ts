/** Slot of the exemption of alerts for tasks, which come later. */
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface ConflictSlot {
  /** Returns the condition that a review certified the grant `g` (`app_id`, `account_id`, `entitlement_id`). */
  readonly getIsCertified: (tenantId: string, reviewId: string) => Sql;
}

/** Slot they fill. */
export const conflictSlot = createSlot<ConflictSlot>('conflicts');
