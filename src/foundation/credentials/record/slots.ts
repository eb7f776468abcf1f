/** Slot of credentials for sessions, which come later. */
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../lib/sql.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface CredentialSlot {
  /** Returns the condition that a provider signs people of the tenant `t` in. */
  readonly getHasProvider: () => Sql;
  /** Holds a session against being ended until the end of the transaction, and says whether it still lives. */
  readonly lockLiveSession: (context: Context, id: string) => Promise<boolean>;
}

/** Slot sessions fill. */
export const credentialSlot = createSlot<CredentialSlot>('credentials');
