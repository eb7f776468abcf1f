/**
 * The contract's services about apps and their owners: each method calls one rule and shapes the reply.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  AddAppOwnerResponseSchema,
  AppOwnerService,
  DeleteAppOwnersResponseSchema,
  ListAppOwnerIDsResponseSchema,
  ListAppOwnersResponseSchema,
  RemoveAppOwnerResponseSchema,
  SetAppOwnersResponseSchema,
} from '../../gen/c1/api/app/v1/app_owner_service_pb.js';
import {
  AppService,
  CreateAppResponseSchema,
  GetAppResponseSchema,
  ListAppsResponseSchema,
  SearchAppsResponseSchema,
  SearchUserOwnershipResponseSchema,
  UpdateAppResponseSchema,
} from '../../gen/c1/api/app/v1/app_service_pb.js';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement, implementPart } from '../../wire/service.ts';
import { changeApp } from './change-app.ts';
import { changeOwners, exactly, oneFewer, oneMore, without } from './change-owners.ts';
import { requireConcernInApp } from './concern.ts';
import { createApp } from './create-app.ts';
import { shapeApps } from './load.ts';
import { pageOfOwnership } from './find-ownership.ts';
import { noSuchUser, ownedApp } from './ownables.ts';
import { pageOf } from './page.ts';
import { pageOfOwners } from './page-owners.ts';
import { filterOfAppSearch } from './read-filters.ts';
import { requireApp } from './require.ts';
import { type AppFilter, type AppRow, listApps } from './store-apps.ts';

async function pageOfApps(context: Context, call: Call, filter: AppFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listApps(context, filter, after, limit),
    (row) => row.id,
  );
  return { list: await shapeApps(context, rows), nextPageToken };
}

async function oneApp(context: Context, row: AppRow) {
  return { app: (await shapeApps(context, [row]))[0] };
}

/** Deleting one is in the module grants, since its grants end with it. */
const appService = implementPart(AppService, {
  create: async (context, request, call) =>
    shape(
      CreateAppResponseSchema,
      await oneApp(context, await createApp(context, call.sent, request.owners, request.appEntitlementOwnerRefs)),
    ),
  get: async (context, request) => {
    await requireConcernInApp(context, request.id);
    return shape(GetAppResponseSchema, await oneApp(context, await requireApp(context, request.id)));
  },
  list: async (context, _request, call) => shape(ListAppsResponseSchema, await pageOfApps(context, call, {})),
  search: async (context, request, call) => shape(SearchAppsResponseSchema, await pageOfApps(context, call, filterOfAppSearch(request))),
  update: async (context, request, call) =>
    shape(
      UpdateAppResponseSchema,
      await oneApp(context, await changeApp(context, request.id, (call.sent.app ?? {}) as JsonObject, call.mask)),
    ),
  searchUserOwnership: async (context, request, call) =>
    shape(SearchUserOwnershipResponseSchema, await pageOfOwnership(context, request, call)),
});

const appOwnerService = implement(AppOwnerService, {
  list: async (context, request, call) => {
    await requireApp(context, request.appId);
    const page = await pageOfOwners(context, call, { kind: 'app', appId: request.appId, id: request.appId });
    return shape(ListAppOwnersResponseSchema, page);
  },
  listOwnerIDs: async (context, request) =>
    shape(ListAppOwnerIDsResponseSchema, { userIds: [...(await requireApp(context, request.appId)).ownerIds] }),
  add: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), oneMore(request.userId, noSuchUser));
    return shape(AddAppOwnerResponseSchema, {});
  },
  remove: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), oneFewer(request.userId, noSuchUser));
    return shape(RemoveAppOwnerResponseSchema, {});
  },
  set: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), exactly(request.userIds));
    return shape(SetAppOwnersResponseSchema, {});
  },
  delete: async (context, request) => {
    await changeOwners(context, ownedApp(request.appId), without(request.userIds));
    return shape(DeleteAppOwnersResponseSchema, {});
  },
});

/** Apps and their owners. */
export const appServices = [appService, appOwnerService];
