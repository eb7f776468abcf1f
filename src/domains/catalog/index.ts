/** The public interface of the catalog: apps and what belongs to them. */
import { accountServices } from './service-accounts.ts';
import { appServices } from './service-apps.ts';
import { entitlementServices } from './service-entitlements.ts';
import { ownerServices } from './service-owners.ts';
import { resourceServices } from './service-resources.ts';
import { valueServices } from './service-values.ts';

export { narrowToOwn, readsInventory, requireConcernInEntitlement, requireOwnOrInventory } from './concern.ts';
export { createApp, ensureApp, type FillableApp } from './create-app.ts';
export { forgetPolicy } from './forget-policy.ts';
export { accountLoader, appLoader, entitlementLoader, resourceLoader, resourceTypeLoader } from './load.ts';
export { maxOwners, replaceOwners } from './change-owners.ts';
export type { OwnedThing } from './ownables.ts';
export { pageByKey, pageOf } from './page.ts';
export {
  requireAccount,
  requireApp,
  requireEntitlement,
  requireLiveAccount,
  requireLockedApp,
  requireLockedEntitlement,
  requireUsers,
} from './require.ts';
export { serveOwners } from './serve-owners.ts';
export { type AccountRow, listAccountsByIds } from './store-accounts.ts';
export { type AppRow, findApp, findAppByName, getAppAccessId, lockAppName, setLockWait } from './store-apps.ts';
export { updateGrantCounts, updateLastUses, updateUserCount } from './store-counts.ts';
export { removeApp } from './store-delete-app.ts';
export {
  analyzeCatalog,
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  removeGroup,
  updateDeletedEntitlements,
  updateDeletedResources,
  updateDeletedResourceTypes,
  updateGroup,
  updateParents,
} from './store-delivered.ts';
export { removeEntitlement } from './store-entitlement-writes.ts';
export { type EntitlementRow, listEntitlementsByIds } from './store-entitlements.ts';
export { getOwnerPeopleSql } from './store-owner-people.ts';
export { insertOwners } from './store-owners.ts';
export { noPath, type PathOf, shapeAccount, shapeAccountView } from './view.ts';
export { viewAccounts } from './view-accounts.ts';
export { shapeEntitlement, shapeEntitlementView } from './view-entitlements.ts';

/** What the catalog serves. */
export const services = [
  ...appServices,
  ...entitlementServices,
  ...resourceServices,
  ...accountServices,
  ...ownerServices,
  ...valueServices,
];
