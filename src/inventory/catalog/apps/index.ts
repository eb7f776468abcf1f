/** The public interface of the part apps: apps, their accounts, and what classifies them. */
export {
  narrowToOwn,
  narrowToOwnApps,
  readsInventory,
  requireConcernInApp,
  requireConcernInPart,
  requireConcernInEntitlement,
  requireOwnAppOrInventory,
  requireOwnEntitlementOrInventory,
  requireOwnOrInventory,
} from './concern.ts';
export { type FillableApp, ensureApp } from './create-app.ts';
export { findWrongPolicies } from './find-wrong-policies.ts';
export { forgetPolicy } from './forget-policy.ts';
export { accountServices } from './service-accounts.ts';
export { appServices } from './service-apps.ts';
export { valueServices } from './service-values.ts';
