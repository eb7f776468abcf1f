/** Slot of signatures for later modules. */
import type { Sql } from '../../../lib/sql.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface SignatureSlot {
  /** Tests in SQL whether a review that is prepared or open asks for step-ups at this provider. */
  readonly getIsInUse: (tenantId: string, providerId: string) => Sql;
}

/** Slot they fill. */
export const signatureSlot = createSlot<SignatureSlot>('signatures');
