/**
 * The contract's service about the owners of resources: each method calls one rule and shapes the reply.
 */
import { invalidField } from '../../../errors.ts';
import { AppResourceOwnerService } from '../../../gen/c1/api/app/v1/app_resource_owner_service_pb.js';
import { implement } from '../../../wire/service.ts';
import { changeOwners, exactly, oneFewer, oneMore } from './change-owners.ts';
import { ownedResource } from './ownables.ts';
import { pageOfOwners } from './page-owners.ts';
import { listOwnerIds, requireResource } from '../record/index.ts';

/** The person is in the body, so a wrong one is a wrong argument. */
const noSuchUser = (userId: string) => () => invalidField('userId', `no user has the id ${JSON.stringify(userId.slice(0, 64))}`);

/** Owners of resources. */
export const resourceOwnerService = implement(AppResourceOwnerService, {
  list: async (context, request, call) => {
    const { appId, id } = await requireResource(context, request.appId, request.resourceTypeId, request.resourceId);
    const page = await pageOfOwners(context, call, { kind: 'resource', appId, id });
    // No source reports owners, so every owner can be taken away.
    return { immutableUserIds: [], ...page };
  },
  listOwnerIDs: async (context, request) => {
    const { appId, id } = await requireResource(context, request.appId, request.resourceTypeId, request.resourceId);
    return { userIds: await listOwnerIds(context, { kind: 'resource', appId, id }) };
  },
  add: async (context, { appId, resourceTypeId, resourceId, userId }) => {
    await changeOwners(context, ownedResource(appId, resourceTypeId, resourceId), oneMore(userId, noSuchUser(userId)));
    return {};
  },
  remove: async (context, { appId, resourceTypeId, resourceId, userId }) => {
    await changeOwners(context, ownedResource(appId, resourceTypeId, resourceId), oneFewer(userId, noSuchUser(userId)));
    return {};
  },
  set: async (context, { appId, resourceTypeId, resourceId, userIds }) => {
    await changeOwners(context, ownedResource(appId, resourceTypeId, resourceId), exactly(userIds));
    return {};
  },
  delete: async (context, { appId, resourceTypeId, resourceId }) => {
    await changeOwners(context, ownedResource(appId, resourceTypeId, resourceId), exactly([]));
    return {};
  },
});
