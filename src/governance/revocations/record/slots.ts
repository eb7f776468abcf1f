/** Slot of removals for reviews, which come later. */
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface RevocationSlot {
  /** A FROM item of reviews with `tenant_id`, `id`, `state`, `document` and `closed_at`, which their primary key answers. */
  readonly reviews: string;
}

/** Slot they fill. */
export const revocationSlot = createSlot<RevocationSlot>('revocations');
