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
import { listUsersByIds, shapeUser } from '../directory/index.ts';
import { changeEntitlementOwners } from './change-entitlement-owners.ts';
import { exactly, noSuchUser, oneFewer, oneMore } from './change-owners.ts';
import { pageOf } from './page.ts';
import { requireEntitlement } from './require.ts';
import { listEntitlementOwnerIds, listEntitlementOwnerIdsAfter } from './store-entitlement-owners.ts';

const ownerService = implement(AppEntitlementOwnerService, {
  list: async (context, request, call) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    const { rows: ids, nextPageToken } = await pageOf(
      call,
      (after, limit) => listEntitlementOwnerIdsAfter(context, appId, id, after, limit),
      (userId) => userId,
    );
    const users = await listUsersByIds(context, ids);
    const list = ids.flatMap((userId) => {
      const user = users.get(userId);
      return user === undefined ? [] : [shapeUser(user)];
    });
    return shape(ListAppEntitlementOwnersResponseSchema, { list, nextPageToken });
  },
  listOwnerIDs: async (context, request) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    return shape(ListAppEntitlementOwnerIDsResponseSchema, { userIds: await listEntitlementOwnerIds(context, appId, id) });
  },
  add: async (context, { appId, entitlementId, userId }) => {
    // The person stands in the body here: a wrong one is a wrong field, as with `set`.
    const refuse = () => invalidField('userId', `no user has the id ${JSON.stringify(userId.slice(0, 64))}`);
    await changeEntitlementOwners(context, appId, entitlementId, oneMore(userId, refuse));
    return shape(AddAppEntitlementOwnerResponseSchema, {});
  },
  remove: async (context, { appId, entitlementId, userId }) => {
    await changeEntitlementOwners(context, appId, entitlementId, oneFewer(userId, noSuchUser));
    return shape(RemoveAppEntitlementOwnerResponseSchema, {});
  },
  set: async (context, { appId, entitlementId, userIds }) => {
    await changeEntitlementOwners(context, appId, entitlementId, exactly(userIds));
    return shape(SetAppEntitlementOwnersResponseSchema, {});
  },
  // It names nobody: all of them go.
  delete: async (context, { appId, entitlementId }) => {
    await changeEntitlementOwners(context, appId, entitlementId, exactly([]));
    return shape(DeleteAppEntitlementOwnersResponseSchema, {});
  },
});

/** Who owns what. */
export const entitlementOwnerServices = [ownerService];
