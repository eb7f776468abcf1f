/**
 * The contract's service about the owners of entitlements: each method calls one rule and shapes the reply.
 */
import {
  AddAppEntitlementOwnerResponseSchema,
  AppEntitlementOwnerService,
  DeleteAppEntitlementOwnersResponseSchema,
  ListAppEntitlementOwnerIDsResponseSchema,
  ListAppEntitlementOwnersResponseSchema,
  RemoveAppEntitlementOwnerResponseSchema,
  SetAppEntitlementOwnersResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_owner_service_pb.js';
import { invalidField } from '../../errors.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { changeOwners, exactly, oneFewer, oneMore } from './change-owners.ts';
import { noSuchUser, ownedEntitlement } from './ownables.ts';
import { pageOfOwners } from './page-owners.ts';
import { requireEntitlement } from './require.ts';
import { listOwnerIds } from './store-owners.ts';

const ownerService = implement(AppEntitlementOwnerService, {
  list: async (context, request, call) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    return shape(ListAppEntitlementOwnersResponseSchema, await pageOfOwners(context, call, { kind: 'entitlement', appId, id }));
  },
  listOwnerIDs: async (context, request) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    return shape(ListAppEntitlementOwnerIDsResponseSchema, { userIds: await listOwnerIds(context, { kind: 'entitlement', appId, id }) });
  },
  add: async (context, { appId, entitlementId, userId }) => {
    // The person stands in the body here: a wrong one is a wrong field, as with `set`.
    const refuse = () => invalidField('userId', `no user has the id ${JSON.stringify(userId.slice(0, 64))}`);
    await changeOwners(context, ownedEntitlement(appId, entitlementId), oneMore(userId, refuse));
    return shape(AddAppEntitlementOwnerResponseSchema, {});
  },
  remove: async (context, { appId, entitlementId, userId }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), oneFewer(userId, noSuchUser));
    return shape(RemoveAppEntitlementOwnerResponseSchema, {});
  },
  set: async (context, { appId, entitlementId, userIds }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), exactly(userIds));
    return shape(SetAppEntitlementOwnersResponseSchema, {});
  },
  // It names nobody: all of them go.
  delete: async (context, { appId, entitlementId }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), exactly([]));
    return shape(DeleteAppEntitlementOwnersResponseSchema, {});
  },
});

/** Who owns what. */
export const entitlementOwnerServices = [ownerService];
