/** Slot of owners of accounts for records of people and identity providers, which come later. */
import type { Context } from '../../context.ts';
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface IdentitySlot {
  /** Returns whom a source pushes for an account: the id of a person who is there; undefined for nobody. */
  readonly findPushedPerson: (context: Context, sourceId: string, accountId: string) => Promise<string | undefined>;
  /** Selects what live records say of people, by which accounts are theirs: `id`, `email_key`, `employee_id` and `username_key`. */
  readonly getRecordKeys: (tenantId: string) => Sql;
}

/** Slot they fill. */
export const identitySlot = createSlot<IdentitySlot>('identity');
