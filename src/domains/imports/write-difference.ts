/**
 * Making the accounts and grants of an app those of a file, under one revision of the inventory; nothing is written where nothing differs.
 */
import type { Scope } from '../../scope.ts';
import { findRevision, takeRevision } from '../catalog/index.ts';
import { insertAccountChanges, insertAccounts, removeMissingAccounts, updateAccounts, updateUserCount } from './store-account-writes.ts';
import type { AccountDifference } from './store-accounts.ts';
import type { DifferenceOf, GrantDifference } from './store-difference.ts';
import { insertGrants, updateGrantCounts, updateGrants, updateJoins, updateMissingGrants } from './store-grants.ts';

/** Writes what was found to differ, and returns the revision as of which the file holds. */
export async function writeDifference(
  scope: Scope,
  of: DifferenceOf & { readonly importId: string },
  accounts: AccountDifference,
  grants: GrantDifference,
): Promise<number> {
  const { appId, sourceNo } = of;
  const isChanged = accounts.added + accounts.changed + accounts.removed + grants.rowsToWrite > 0;
  const revision = isChanged ? await takeRevision(scope, appId, 'IMPORT', of.importId) : await findRevision(scope);
  // Changed ones before new ones: among the rows added just now nothing is to be looked for.
  await updateJoins(scope);
  if (accounts.changed + accounts.removed > 0) {
    await insertAccountChanges(scope, appId, revision);
  }
  if (accounts.changed + accounts.touched > 0) {
    await updateAccounts(scope, appId);
  }
  if (accounts.removed > 0) {
    await removeMissingAccounts(scope, appId);
  }
  if (accounts.added > 0) {
    await insertAccounts(scope, appId, sourceNo, revision);
  }
  const gained = accounts.added + accounts.revived - accounts.removed;
  if (gained !== 0) {
    await updateUserCount(scope, appId, gained);
  }
  if (grants.rowsToWrite > 0) {
    await updateMissingGrants(scope, appId, revision);
    await updateGrants(scope, appId, revision);
    await updateGrantCounts(scope, appId);
    await insertGrants(scope, appId, sourceNo, revision);
  }
  return revision;
}
