/**
 * Making the accounts and grants of an app those of a file, under one revision of the inventory; nothing is written where nothing differs.
 */
import type { Context } from '../../context.ts';
import { findRevision, takeRevision } from '../catalog/index.ts';
import { insertAccountChanges, insertAccounts, removeMissingAccounts, updateAccounts, updateUserCount } from './store-account-writes.ts';
import type { AccountDifference } from './store-accounts.ts';
import type { DifferenceOf, GrantDifference } from './store-difference.ts';
import { insertGrants, updateGrantCounts, updateGrants, setJoins, updateMissingGrants } from './store-grants.ts';

/** Writes what was found to differ, and returns the revision as of which the file holds. */
export async function writeDifference(
  context: Context,
  of: DifferenceOf & { readonly syncId: string },
  accounts: AccountDifference,
  grants: GrantDifference,
): Promise<number> {
  const { appId, sourceNo } = of;
  const isChanged = accounts.added + accounts.changed + accounts.removed + grants.rowsToWrite > 0;
  const revision = isChanged ? await takeRevision(context, appId, 'IMPORT', of.syncId) : await findRevision(context);
  // Changed ones before new ones: among the rows added just now nothing is to be looked for.
  await setJoins(context);
  if (accounts.changed + accounts.removed > 0) {
    await insertAccountChanges(context, appId, revision);
  }
  if (accounts.changed + accounts.touched > 0) {
    await updateAccounts(context, appId);
  }
  if (accounts.removed > 0) {
    await removeMissingAccounts(context, appId);
  }
  if (accounts.added > 0) {
    await insertAccounts(context, appId, sourceNo, revision);
  }
  const gained = accounts.added + accounts.revived - accounts.removed;
  if (gained !== 0) {
    await updateUserCount(context, appId, gained);
  }
  if (grants.rowsToWrite > 0) {
    await updateMissingGrants(context, appId, revision);
    await updateGrants(context, appId, revision);
    await updateGrantCounts(context, appId);
    await insertGrants(context, appId, sourceNo, revision);
  }
  return revision;
}
