/** The public interface of the catalog: apps and what belongs to them. */
import { accountServices, appServices, valueServices } from './apps/index.ts';
import { entitlementServices, resourceServices } from './entitlements/index.ts';
import { ownerServices } from './owners/index.ts';

export {
  narrowToOwn,
  readsInventory,
  requireConcernInEntitlement,
  requireOwnAppOrInventory,
  requireOwnEntitlementOrInventory,
  requireOwnOrInventory,
} from './apps/index.ts';
export { ensureApp, type FillableApp } from './apps/index.ts';
export { forgetPolicy } from './apps/index.ts';
export { accountLoader, appLoader, entitlementLoader, resourceLoader, resourceTypeLoader } from './record/index.ts';
export { maxOwners, moveOwnerships, replaceOwners } from './owners/index.ts';
export {
  listSourceNames,
  listTwins,
  type MergedKind,
  mergeCatalog,
  moveAccountOwners,
  nameStanding,
  updateTwinKeys,
} from './merging/index.ts';
export type { OwnedThing } from './owners/index.ts';
export { pageByKey, readPage } from './record/index.ts';
export {
  requireAccount,
  requireApp,
  requireEntitlement,
  requireLiveAccount,
  requireLockedApp,
  requireLockedEntitlement,
  requireUsers,
} from './record/index.ts';
export { serveOwners } from './owners/index.ts';
export { loadSight } from './record/index.ts';
export { type AccountRow, listAccountsByIds } from './record/index.ts';
export { type AppRow, findApp, findAppByName, getAppAccessId, lockAppName, setLockWait } from './record/index.ts';
export { updateAllGrantCounts, updateGrantCounts, updateLastUses, updateUserCount } from './record/index.ts';
export { removeApp } from './record/index.ts';
export {
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  removeGroup,
  updateDeletedEntitlements,
  updateDeletedResources,
  updateDeletedResourceTypes,
  updateGroup,
  updateParents,
  updateShownEntitlements,
  updateShownResources,
  updateSpellings,
} from './record/index.ts';
export { removeEntitlement } from './record/index.ts';
export { type EntitlementRow, listEntitlementsByIds } from './record/index.ts';
export { getOwnedAppsSql, getOwnsAppSql } from './record/index.ts';
export { getOwnerPeopleSql } from './record/index.ts';
export { insertOwners } from './record/index.ts';
export { noPath, type PathOf, shapeAccount, shapeAccountView } from './record/index.ts';
export { viewAccounts } from './record/index.ts';
export { shapeEntitlement, shapeEntitlementView } from './record/index.ts';
export { catalogSlot } from './record/index.ts';
export { getHasAccountInSql, getStandingIdsSql, listAccountsInApps } from './reads.ts';

/** Services of the catalog. */
export const services = [
  ...appServices,
  ...entitlementServices,
  ...resourceServices,
  ...accountServices,
  ...ownerServices,
  ...valueServices,
];
