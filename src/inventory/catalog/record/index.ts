/** The public interface of the part record: rows of apps, resources, entitlements and accounts, and what each reader sees of them. */
export { accountLoader, appLoader, entitlementLoader, resourceLoader, resourceTypeLoader, shapeApps } from './load.ts';
export { pageByKey, readPage } from './page.ts';
export {
  noSuchAccount,
  requireAccount,
  requireApp,
  requireEntitlement,
  requireEntitlementOrDeleted,
  requireLiveAccount,
  requireLockedApp,
  requireLockedEntitlement,
  requireResource,
  requireResourceType,
  requireUsers,
} from './require.ts';
export { loadSight } from './sight.ts';
export { type AccountFilter, type AccountRow, listAccounts, listAccountsByIds } from './store-accounts.ts';
export {
  type AppFilter,
  type AppRow,
  findApp,
  findAppByName,
  getAppAccessId,
  insertApp,
  listApps,
  listHolderIds,
  lockApp,
  lockAppName,
  setLockWait,
  updateApp,
} from './store-apps.ts';
export { updateAllGrantCounts, updateGrantCounts, updateLastUses, updateUserCount } from './store-counts.ts';
export { removeApp } from './store-delete-app.ts';
export {
  insertEntitlements,
  insertResourceTypes,
  insertResources,
  removeGroup,
  updateDeletedEntitlements,
  updateDeletedResourceTypes,
  updateDeletedResources,
  updateGroup,
  updateParents,
} from './store-delivered.ts';
export { type EntitlementContent, insertEntitlement, removeEntitlement, updateEntitlement } from './store-entitlement-writes.ts';
export { type EntitlementFilter, type EntitlementRow, listEntitlements, listEntitlementsByIds } from './store-entitlements.ts';
export { getOwnedAppsSql, getOwnsAppSql, listOwnedAppIds } from './store-owned-apps.ts';
export { getOwnerPeopleSql } from './store-owner-people.ts';
export {
  type Ownable,
  type OwnableKind,
  type OwnerRow,
  type OwnerSort,
  countOtherOwners,
  defaultRole,
  findOwner,
  insertOwners,
  listOwnerIds,
  listOwnerRefs,
  listOwners,
  lockOwnedUser,
  removeOwners,
  updateOwnerPlaces,
} from './store-owners.ts';
export {
  type ResourceFilter,
  type ResourceRow,
  type ResourceTypeFilter,
  type ResourceTypeRow,
  findResource,
  listResourceTypes,
  listResources,
  traitIds,
} from './store-resources.ts';
export { viewAccounts } from './view-accounts.ts';
export { shapeEntitlement, shapeEntitlementView, shownSlug } from './view-entitlements.ts';
export {
  type PathOf,
  noPath,
  shapeAccount,
  shapeAccountView,
  shapeResource,
  shapeResourceTypeView,
  shapeResourceView,
} from './view.ts';
export { catalogSlot, type Concerned } from './slots.ts';
export { updateShownEntitlements, updateShownResources, updateSpellings } from './store-shown.ts';
