/** Slot of owners of accounts for records of people and identity providers, which come later. */
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Later modules' answers. */
export interface IdentitySlot {
  /** Returns whom the source `n` pushes for the account `a` of a tenant: the id of a person who is there, or null. */
  readonly getPushedPerson: (tenantId: string) => Sql;
  /** Selects what live records say of people, by which accounts are theirs: `id`, `email_key`, `employee_id` and `username_key`. */
  readonly getRecordKeys: (tenantId: string) => Sql;
}

/** Slot they fill. */
export const identitySlot = createSlot<IdentitySlot>('identity');
