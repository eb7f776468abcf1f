/** Slot of lists of apps and entitlements for later modules. */
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../lib/sql.ts';
import { createSlot } from '../../../lib/slot.ts';

/** People a thing of the inventory is to concern: the person, and those for whom they may decide. */
export interface Concerned {
  readonly userId: string;
  readonly standsFor: readonly string[];
}

/** Later modules' answers. */
export interface CatalogSlot {
  /** The condition that the people of the app `a` are the people of the tenant. */
  readonly isDirectory: string;
  /** The id of the source that brought the entitlement `e`, or null. */
  readonly sourceId: string;
  /** Returns the condition that this source brought the entitlement `e`. */
  readonly getIsFromSource: (tenantId: string, id: string) => Sql;
  /** Returns the condition that the entitlement `e` is in a review, or in what it is set up with. */
  readonly getIsInReview: (tenantId: string, id: string) => Sql;
  /**
   * Returns the condition that a review asks or shows the person about the app, or entitlements of it, whose ids are selected. What is not in a
   * review's snapshot is found there by its key, before any task is read.
   */
  readonly getIsAsked: (tenantId: string, concerned: Concerned, appId: string, entitlementIds: Sql | undefined) => Sql;
  /** True if the caller owns a source of the app. */
  readonly ownsSource: (context: Context, appId: string) => Promise<boolean>;
  /** The types of those of the policies that are there, by id. They are kept from being deleted until the transaction ends. */
  readonly lockPolicyTypes: (context: Context, ids: readonly string[]) => Promise<Map<string, string>>;
}

/** Slot they fill. */
export const catalogSlot = createSlot<CatalogSlot>('catalog');
