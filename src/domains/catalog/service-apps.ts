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
  DeleteAppResponseSchema,
  GetAppResponseSchema,
  ListAppsResponseSchema,
  SearchAppsResponseSchema,
  SearchUserOwnershipResponseSchema,
  UpdateAppResponseSchema,
} from '../../gen/c1/api/app/v1/app_service_pb.js';
import type { Scope } from '../../scope.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { listUsersByIds, shapeUser } from '../directory/index.ts';
import { changeApp } from './change-app.ts';
import { changeAppOwners, exactly, noSuchUser, oneFewer, oneMore, without } from './change-owners.ts';
import { createApp } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { shapeApps } from './load.ts';
import { pageOfOwnership } from './find-ownership.ts';
import { pageOf } from './page.ts';
import { filterOfAppSearch } from './read-filters.ts';
import { requireApp } from './require.ts';
import { type AppFilter, type AppRow, listApps, listOwnerIds } from './store-apps.ts';

async function pageOfApps(scope: Scope, call: Call, filter: AppFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listApps(scope, filter, after, limit),
    (row) => row.id,
  );
  return { list: await shapeApps(scope, rows), nextPageToken };
}

async function oneApp(scope: Scope, row: AppRow) {
  return { app: (await shapeApps(scope, [row]))[0] };
}

const appService = implement(AppService, {
  create: async (scope, request, call) =>
    shape(CreateAppResponseSchema, await oneApp(scope, await createApp(scope, call.sent, request.owners, request.appEntitlementOwnerRefs))),
  get: async (scope, request) => shape(GetAppResponseSchema, await oneApp(scope, await requireApp(scope, request.id))),
  list: async (scope, _request, call) => shape(ListAppsResponseSchema, await pageOfApps(scope, call, {})),
  search: async (scope, request, call) => shape(SearchAppsResponseSchema, await pageOfApps(scope, call, filterOfAppSearch(request))),
  update: async (scope, request, call) =>
    shape(UpdateAppResponseSchema, await oneApp(scope, await changeApp(scope, request.id, (call.sent.app ?? {}) as JsonObject, call.mask))),
  searchUserOwnership: async (scope, request, call) =>
    shape(SearchUserOwnershipResponseSchema, await pageOfOwnership(scope, request, call)),
  delete: async (scope, request) => {
    await deleteApp(scope, request.id);
    return shape(DeleteAppResponseSchema, {});
  },
});

const appOwnerService = implement(AppOwnerService, {
  list: async (scope, request, call) => {
    await requireApp(scope, request.appId);
    const { rows: ids, nextPageToken } = await pageOf(
      call,
      (after, limit) => listOwnerIds(scope, request.appId, after, limit),
      (id) => id,
    );
    const users = await listUsersByIds(scope, ids);
    const list = ids.flatMap((id) => {
      const user = users.get(id);
      return user === undefined ? [] : [shapeUser(user)];
    });
    return shape(ListAppOwnersResponseSchema, { list, nextPageToken });
  },
  listOwnerIDs: async (scope, request) =>
    shape(ListAppOwnerIDsResponseSchema, { userIds: [...(await requireApp(scope, request.appId)).ownerIds] }),
  add: async (scope, request) => {
    await changeAppOwners(scope, request.appId, oneMore(request.userId, noSuchUser));
    return shape(AddAppOwnerResponseSchema, {});
  },
  remove: async (scope, request) => {
    await changeAppOwners(scope, request.appId, oneFewer(request.userId, noSuchUser));
    return shape(RemoveAppOwnerResponseSchema, {});
  },
  set: async (scope, request) => {
    await changeAppOwners(scope, request.appId, exactly(request.userIds));
    return shape(SetAppOwnersResponseSchema, {});
  },
  delete: async (scope, request) => {
    await changeAppOwners(scope, request.appId, without(request.userIds));
    return shape(DeleteAppOwnersResponseSchema, {});
  },
});

/** Apps and their owners. */
export const appServices = [appService, appOwnerService];
