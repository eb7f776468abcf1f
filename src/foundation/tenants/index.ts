/** The public interface of the module tenants: creating, listing, deleting tenants, and finding the one a request is for. */
export { createTenantFinder, type TenantFinder } from './find-tenant.ts';
export { connectorHostOf, hostAliases, hostBaseUrl, hostNameOf, isLoopback, readHost } from './host.ts';
export { createTenant, deleteTenant, listTenants, type TenantHook } from './manage-tenants.ts';
export {
  findDisplayName,
  findIssuedAnswers,
  findRestoreTakes,
  findTenant,
  findTenantHost,
  findTimeZone,
  type IssuedAnswers,
  listDeletedTenants,
  listTenantIds,
  type RestoreTakes,
  type Tenant,
  updateDisplayName,
  updateIssuedAnswers,
  updateRestoreTakes,
  updateTimeZone,
} from './store.ts';
export { readTenantSecret } from './tenant-secret.ts';
export { readInstallationKey } from './installation-key.ts';
export { findTenantKey, takeTenantKey } from './tenant-keys.ts';
export { findLastNumber, holdNumber, takeNumbers } from './take-numbers.ts';
