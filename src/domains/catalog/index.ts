/** The public interface of the catalog: apps and what belongs to them. */
import { accountServices } from './service-accounts.ts';
import { appServices } from './service-apps.ts';
import { entitlementServices } from './service-entitlements.ts';
import { resourceServices } from './service-resources.ts';

export { jobKinds } from './jobs.ts';
export { createApp, ensureApp, type FillableApp } from './create-app.ts';
export { accountLoader, appLoader, entitlementLoader, resourceLoader, resourceTypeLoader } from './load.ts';
export { getAccountContent, insertAccountChange } from './store-account-changes.ts';
export { pageByKey, pageOf } from './page.ts';
export { requireAccount, requireApp, requireEntitlement, requireLockedApp, requireUsers } from './require.ts';
export { requireLiveAccount } from './change-account.ts';
export { type AccountRow, listAccountsByIds } from './store-accounts.ts';
export { type AppRow, findApp, findAppByName, setLockWait } from './store-apps.ts';
export { type EntitlementRow, listEntitlementsByIds } from './store-entitlements.ts';
export { findRevision, type RevisionCause } from './store-revisions.ts';
export { takeRevision } from './take-revision.ts';
export { noPath, type PathOf, shapeAccount, shapeAccountView } from './view.ts';
export { shapeEntitlement, shapeEntitlementView } from './view-entitlements.ts';

/** What the catalog serves. */
export const services = [...appServices, ...entitlementServices, ...resourceServices, ...accountServices];
