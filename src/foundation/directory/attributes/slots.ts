/** Slot of searches of values for the catalog, which comes later. */
import type { Context } from '../../../context.ts';
import { createSlot } from '../../../lib/slot.ts';

/** An account whose value is asked for. */
export interface FoundAccount {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly value: unknown;
}

/** Later modules' answers. */
export interface AttributeSlot {
  /** Returns those of these accounts that are in apps that are there, each with its value of an attribute. */
  readonly listAccounts: (context: Context, ids: readonly string[], attribute: string) => Promise<readonly FoundAccount[]>;
}

/** Slot the catalog fills. */
export const attributeSlot = createSlot<AttributeSlot>('attributes');
