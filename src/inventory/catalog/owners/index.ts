/** The public interface of the part owners: owners of apps, resources and entitlements. */
export { changeOwners, exactly, maxOwners, oneFewer, oneMore, replaceOwners, requireOwners, without } from './change-owners.ts';
export { pageOfOwnership } from './find-ownership.ts';
export { type OwnedThing, noSuchUser, ownedApp } from './ownables.ts';
export { pageOfOwners } from './page-owners.ts';
export { moveOwnerships } from './store-merge.ts';
export { serveOwners } from './serve-owners.ts';
export { entitlementOwnerServices } from './service-entitlement-owners.ts';
export { ownerServices } from './service-owners.ts';
export { resourceOwnerService } from './service-resource-owners.ts';
