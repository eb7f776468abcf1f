/**
 * The way in which a sync's difference is written: everything of one app, under one revision, in as many statements for a million rows as for
 * one. What differs is found by whoever calls and said by pieces of SQL, which say in the stores beside this file which columns they select.
 */
import type { Context } from '../../context.ts';
import type { Sql } from '../../lib/sql.ts';
import { sql } from '../../lib/sql.ts';
import { counts } from './counts.ts';
import { insertAccountChanges, insertAccounts, updateAccountSources, updateAccounts, updateEndedAccounts } from './store-accounts.ts';
import { type AccessChange, insertGrants, updateEndedGrants, updateGrants } from './store-grants.ts';
import { updateLinksOfAdded } from './store-links.ts';

/** Accounts of an app that differ; what is undefined does not. */
export interface AccountsToWrite {
  /** Former content of changed and ended ones (insertAccountChanges). */
  readonly kept: Sql | undefined;
  readonly changed: Sql | undefined;
  readonly handedOver: Sql | undefined;
  /** `id` of those that end. */
  readonly ended: Sql | undefined;
  readonly added: Sql | undefined;
  /** By how many accounts the app has more. */
  readonly gained: number;
}

/** Writes how the accounts of an app differ; their grants are said apart. Changed ones before new ones: among the rows just added nothing is looked for. */
export async function applyAccounts(context: Context, change: AccessChange, difference: AccountsToWrite): Promise<void> {
  const { kept, changed, handedOver, ended, added, gained } = difference;
  if (kept !== undefined) {
    await insertAccountChanges(context, change, kept);
  }
  if (changed !== undefined) {
    await updateAccounts(context, change.appId, changed);
  }
  if (handedOver !== undefined) {
    await updateAccountSources(context, change.appId, handedOver);
  }
  if (ended !== undefined) {
    await updateEndedAccounts(context, change.appId, { rows: ended, where: sql`TRUE` }, context.now);
  }
  if (added !== undefined) {
    await insertAccounts(context, change, added);
  }
  if (gained !== 0) {
    await counts.get().updateUserCount(context, change.appId, gained);
  }
}

/** Grants of an app that differ. */
export interface GrantsToWrite {
  /** `entitlement_id` and `account_id` of those that end. */
  readonly ended: Sql;
  /** Those that say something else (updateGrants). */
  readonly changed: Sql;
  readonly added: Sql;
  /** By how many grants each entitlement has more: `id` and `gained`. */
  readonly gains: Sql;
  /** Last uses of entitlements, as far as the difference says: `id` and `used`. */
  readonly uses: Sql;
}

/** Writes how the grants of an app differ. The counts before the new ones: they need nothing but the difference. */
export async function applyGrants(context: Context, change: AccessChange, difference: GrantsToWrite): Promise<void> {
  await updateEndedGrants(context, change, { rows: difference.ended, where: sql`TRUE` });
  await updateGrants(context, change, difference.changed);
  await counts.get().updateGrantCounts(context, change.appId, difference.gains);
  await counts.get().updateLastUses(context, change.appId, difference.uses);
  await insertGrants(context, change, difference.added);
  await updateLinksOfAdded(context, change);
}
