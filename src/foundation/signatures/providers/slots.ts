/** Slot of signatures for later modules. */
import type { Context } from '../../../context.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface SignatureSlot {
  /** Tests if a review that is prepared or open asks for step-ups at this provider. */
  readonly isInUse: (context: Context, providerId: string) => Promise<boolean>;
}

/** Slot they fill. */
export const signatureSlot = createSlot<SignatureSlot>('signatures');
