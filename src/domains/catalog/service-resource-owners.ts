/**
 * The contract's service about the owners of resources: each method calls one rule and shapes the reply.
 */
import { invalidField } from '../../errors.ts';
import {
  AddAppResourceOwnerResponseSchema,
  AppResourceOwnerService,
  DeleteAppResourceOwnersResponseSchema,
  ListAppResourceOwnerIDsResponseSchema,
  ListAppResourceOwnersResponseSchema,
  RemoveAppResourceOwnerResponseSchema,
  SetAppResourceOwnersResponseSchema,
} from '../../gen/c1/api/app/v1/app_resource_owner_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { listUsersByIds, shapeUser } from '../directory/index.ts';
import { exactly, oneFewer, oneMore } from './change-owners.ts';
import { changeResourceOwners } from './change-resource-owners.ts';
import { pageOf } from './page.ts';
import { requireResource } from './require.ts';
import { listResourceOwnerIds } from './store-resource-owners.ts';

/** The person is in the body, so a wrong one is a wrong argument. */
const noSuchUser = (userId: string) => () => invalidField('userId', `no user has the id ${JSON.stringify(userId.slice(0, 64))}`);

/** Owners of resources. */
export const resourceOwnerService = implement(AppResourceOwnerService, {
  list: async (context, request, call) => {
    const { appId, id } = await requireResource(context, request.appId, request.resourceTypeId, request.resourceId);
    const { rows: ids, nextPageToken } = await pageOf(
      call,
      (after, limit) => listResourceOwnerIds(context, appId, id, after, limit),
      (userId) => userId,
    );
    const users = await listUsersByIds(context, ids);
    const list = ids.flatMap((userId) => {
      const user = users.get(userId);
      return user === undefined ? [] : [shapeUser(user)];
    });
    // No source reports owners, so every owner can be taken away.
    return shape(ListAppResourceOwnersResponseSchema, { immutableUserIds: [], list, nextPageToken });
  },
  listOwnerIDs: async (context, request) => {
    const { appId, id } = await requireResource(context, request.appId, request.resourceTypeId, request.resourceId);
    return shape(ListAppResourceOwnerIDsResponseSchema, { userIds: await listResourceOwnerIds(context, appId, id) });
  },
  add: async (context, { appId, resourceTypeId, resourceId, userId }) => {
    await changeResourceOwners(context, appId, resourceTypeId, resourceId, oneMore(userId, noSuchUser(userId)));
    return shape(AddAppResourceOwnerResponseSchema, {});
  },
  remove: async (context, { appId, resourceTypeId, resourceId, userId }) => {
    await changeResourceOwners(context, appId, resourceTypeId, resourceId, oneFewer(userId, noSuchUser(userId)));
    return shape(RemoveAppResourceOwnerResponseSchema, {});
  },
  set: async (context, { appId, resourceTypeId, resourceId, userIds }) => {
    await changeResourceOwners(context, appId, resourceTypeId, resourceId, exactly(userIds));
    return shape(SetAppResourceOwnersResponseSchema, {});
  },
  delete: async (context, { appId, resourceTypeId, resourceId }) => {
    await changeResourceOwners(context, appId, resourceTypeId, resourceId, exactly([]));
    return shape(DeleteAppResourceOwnersResponseSchema, {});
  },
});
