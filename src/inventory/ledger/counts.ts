/** The numbers that apps and entitlements keep of the ledger: their module comes later and fills in here what keeps them. */
import type { Context } from '../../context.ts';
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';

/** Keeps the numbers of apps and entitlements, in the transaction of the change. */
export interface Counts {
  /** Adds to the numbers of open grants; `gains` selects `id` (of an entitlement, once each) and `gained`, which may be negative. */
  readonly updateGrantCounts: (context: Context, appId: string, gains: Sql) => Promise<void>;
  /** Counts the open grants of every entitlement of an app again. */
  readonly updateAllGrantCounts: (context: Context, appId: string) => Promise<void>;
  /** Keeps when entitlements were last used; `uses` selects `id` (of an entitlement, once each) and `used`. */
  readonly updateLastUses: (context: Context, appId: string, uses: Sql) => Promise<void>;
  /** Adds to the app's number of accounts that are not deleted. */
  readonly updateUserCount: (context: Context, appId: string, gained: number) => Promise<void>;
  /** Returns the id of the entitlement that stands for having an account in the app. */
  readonly getAppAccessId: (context: Context, appId: string) => Promise<string>;
}

/** Their keeper. */
export const counts = createSlot<Counts>('counts of the ledger');
