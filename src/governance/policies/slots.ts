/** Slot of the deletion of a policy for reviews, which come later. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** A review that chooses a policy and has not frozen it yet. */
export interface PolicyUse {
  readonly id: string;
  readonly displayName: string;
}

/** Later modules' answers. */
export interface PolicySlot {
  /** Up to `limit` drafts (those being prepared too) that choose this policy, for all or for one of their entitlements. */
  readonly listPolicyUses: (context: Context, id: string, limit: number) => Promise<PolicyUse[]>;
}

/** Slot they fill. */
export const policySlot = createSlot<PolicySlot>('policies');
