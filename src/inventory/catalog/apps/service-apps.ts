/**
 * The contract's services about apps and their owners: each method calls one rule and shapes the reply.
 */
import { AppOwnerService } from '../../../gen/c1/api/app/v1/app_owner_service_pb.js';
import { AppService } from '../../../gen/c1/api/app/v1/app_service_pb.js';
import type { Context } from '../../../context.ts';
import { type Call, implement, implementPart } from '../../../wire/service.ts';
import { changeApp } from './change-app.ts';
import { changeOwners, exactly, noSuchUser, oneFewer, oneMore, ownedApp, pageOfOwners, pageOfOwnership, without } from '../owners/index.ts';
import { narrowToOwnApps, requireConcernInApp, requireOwnAppOrInventory } from './concern.ts';
import { createApp } from './create-app.ts';
import { type AppFilter, type AppRow, listApps, readPage, requireApp, shapeApps } from '../record/index.ts';
import { filterOfAppSearch } from './read-filters.ts';

async function pageOfApps(context: Context, call: Call, filter: AppFilter) {
  const { rows, nextPageToken } = await readPage(call, (after, limit) => listApps(context, filter, after, limit));
  return { list: await shapeApps(context, rows), nextPageToken };
}

async function oneApp(context: Context, row: AppRow) {
  return { app: (await shapeApps(context, [row]))[0] };
}

/** Deleting one is in the module grants, since its grants end with it. */
const appService = implementPart(AppService, {
  create: async (context, request, call) =>
    oneApp(context, await createApp(context, call.sent, request.owners, request.appEntitlementOwnerRefs)),
  get: async (context, request) => {
    await requireConcernInApp(context, request.id);
    return oneApp(context, await requireApp(context, request.id));
  },
  list: async (context, _request, call) => pageOfApps(context, call, { ids: await narrowToOwnApps(context, undefined) }),
  search: async (context, request, call) => {
    const filter = filterOfAppSearch(request);
    const ids = await narrowToOwnApps(context, filter.ids);
    return pageOfApps(context, call, { ...filter, ids });
  },
  update: async (context, request, call) => oneApp(context, await changeApp(context, request.id, call.sent.app ?? {}, call.mask)),
  searchUserOwnership: async (context, request, call) => pageOfOwnership(context, request, call),
});

const appOwnerService = implement(AppOwnerService, {
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    await requireApp(context, request.appId);
    return pageOfOwners(context, call, { kind: 'app', appId: request.appId, id: request.appId });
  },
  listOwnerIDs: async (context, request) => {
    await requireOwnAppOrInventory(context, request.appId);
    return { userIds: (await requireApp(context, request.appId)).ownerIds };
  },
  add: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), oneMore(request.userId, noSuchUser));
    return {};
  },
  remove: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), oneFewer(request.userId, noSuchUser));
    return {};
  },
  set: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), exactly(request.userIds));
    return {};
  },
  delete: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), without(request.userIds));
    return {};
  },
});

/** Apps and their owners. */
export const appServices = [appService, appOwnerService];
