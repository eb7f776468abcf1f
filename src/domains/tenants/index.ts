/** The public interface of the module tenants: creating, listing, deleting tenants, and finding the one a request is for. */
export { createTenantFinder, type TenantFinder } from './find-tenant.ts';
export { hostAliases, hostNameOf } from './host.ts';
export { allowIssuedCredentials, createTenant, deleteTenant, listTenants, type TenantHook } from './manage-tenants.ts';
export { findTenant, findTenantHost, findTimeZone, listDeletedTenants, listTenantIds, type Tenant, updateTimeZone } from './store.ts';
export { findLastNumber, holdNumber, takeNumbers } from './take-numbers.ts';
