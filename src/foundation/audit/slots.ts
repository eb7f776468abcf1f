/** Slot of the log for later modules: people are theirs. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';

/** Name, address and employee id of somebody; each is '' where there is none. */
export interface ActorWords {
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
}

/** Later modules' answers. */
export interface AuditSlot {
  /** Returns what these people were called at these moments, in their order; nothing of nobody. */
  readonly listWordsAt: (context: Context, refs: readonly { readonly id: string; readonly at: Date }[]) => Promise<readonly ActorWords[]>;
}

/** Slot they fill. */
export const auditSlot = createSlot<AuditSlot>('audit');
