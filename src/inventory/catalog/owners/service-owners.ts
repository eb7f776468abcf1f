/**
 * The contract's services about owners of the second version, but for those of sources. What they do is in serve-owners.ts.
 */
import { AppEntitlementOwnerV2Service } from '../../../gen/c1/api/app/v2/app_entitlement_owner_service_pb.js';
import { AppOwnerV2Service } from '../../../gen/c1/api/app/v2/app_owner_service_pb.js';
import { AppResourceOwnerV2Service } from '../../../gen/c1/api/app/v2/app_resource_owner_service_pb.js';
import { AppUserOwnerV2Service } from '../../../gen/c1/api/app/v2/app_user_owner_service_pb.js';
import { UserOwnerV2Service } from '../../../gen/c1/api/user/v2/user_owner_service_pb.js';
import { ownedAccount, ownedApp, ownedEntitlement, ownedResource, ownedUser } from './ownables.ts';
import { serveOwners } from './serve-owners.ts';

/** Owners of apps, entitlements, resources, accounts, people, in roles. */
export const ownerServices = [
  serveOwners(AppOwnerV2Service, ({ appId }) => ownedApp(appId)),
  serveOwners(AppEntitlementOwnerV2Service, ({ appId, entitlementId }) => ownedEntitlement(appId, entitlementId)),
  serveOwners(AppResourceOwnerV2Service, ({ appId, resourceTypeId, resourceId }) => ownedResource(appId, resourceTypeId, resourceId)),
  serveOwners(AppUserOwnerV2Service, ({ appId, userId }) => ownedAccount(appId, userId)),
  serveOwners(UserOwnerV2Service, ({ userId }) => ownedUser(userId)),
];
