/** The public interface of the part entitlements: entitlements, resources and resource types. */
export { entitlementServices } from './service-entitlements.ts';
export { resourceServices } from './service-resources.ts';
