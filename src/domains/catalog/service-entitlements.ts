/**
 * The contract's services about entitlements and who holds them: each method calls one rule and shapes the reply.
 */
import {
  AppEntitlementSearchService,
  AppEntitlementSearchServiceSearchResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import {
  AppEntitlementService,
  GetAppEntitlementResponseSchema,
  ListAppEntitlementsResponseSchema,
  ListAppEntitlementUsersResponseSchema,
  SearchAppEntitlementsWithExpiredResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppEntitlementUserViewSchema, AppEntitlementWithExpiredSchema } from '../../gen/c1/api/app/v1/app_pb.js';
import type { Scope } from '../../scope.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { listUsersByIds, shapeUser } from '../directory/index.ts';
import { pageByKey, pageOf } from './page.ts';
import { filterOfEntitlementSearch } from './read-filters.ts';
import { requireAccount, requireApp, requireEntitlement, requireResource } from './require.ts';
import { listAccountsByIds, listGrants, listOpenGrants } from './store-accounts.ts';
import { type EntitlementFilter, listEntitlements } from './store-entitlements.ts';
import { noPath, shapeAccount, shapeAccountView, shapeEntitlementView } from './view.ts';

async function pageOfEntitlements(scope: Scope, call: Call, filter: EntitlementFilter | undefined, paths: readonly string[] | undefined) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => (filter === undefined ? [] : listEntitlements(scope, filter, after, limit)),
    (row) => row.id,
  );
  const wanted = [
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    { path: 'app_resource_type_id', type: 'c1.api.app.v1.AppResourceType', ids: rows.map((row) => row.resourceTypeId) },
    { path: 'app_resource_id', type: 'c1.api.app.v1.AppResource', ids: rows.map((row) => row.resourceId) },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  return { expanded, list: rows.map((row) => shapeEntitlementView(row, pathOf)), nextPageToken };
}

const entitlementService = implement(AppEntitlementService, {
  get: async (scope, request) => {
    const row = await requireEntitlement(scope, request.appId, request.id);
    return shape(GetAppEntitlementResponseSchema, { appEntitlementView: shapeEntitlementView(row, noPath) });
  },
  list: async (scope, request, call) => {
    const { id } = await requireApp(scope, request.appId);
    return shape(ListAppEntitlementsResponseSchema, await pageOfEntitlements(scope, call, { appId: id }, undefined));
  },
  listForAppResource: async (scope, request, call) => {
    const { id, appId } = await requireResource(scope, request.appId, request.appResourceTypeId, request.appResourceId);
    return shape(ListAppEntitlementsResponseSchema, await pageOfEntitlements(scope, call, { appId, resourceId: id }, undefined));
  },
  listForAppUser: async (scope, request, call) => {
    const { id, appId } = await requireAccount(scope, request.appId, request.appUserId);
    return shape(ListAppEntitlementsResponseSchema, await pageOfEntitlements(scope, call, { appId, accountIds: [id] }, undefined));
  },
  listUsers: async (scope, request, call) => {
    const { id, appId } = await requireEntitlement(scope, request.appId, request.appEntitlementId);
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listOpenGrants(scope, appId, id, after, limit),
      (row) => row.accountId,
    );
    const accounts = await listAccountsByIds(
      scope,
      rows.map((row) => row.accountId),
    );
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      return shape(AppEntitlementUserViewSchema, {
        appId,
        appEntitlementId: id,
        appUserId: row.accountId,
        appUser: account && shapeAccountView(account, noPath),
        appEntitlementUserBindingCreatedAt: timestamp(row.grantedAt ?? row.createdAt),
      });
    });
    return shape(ListAppEntitlementUsersResponseSchema, { list, nextPageToken });
  },
  searchAppEntitlementsWithExpired: async (scope, request, call) => {
    const { id, appId } = await requireEntitlement(scope, request.appId, request.appEntitlementId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listGrants(scope, appId, id, { accountId: after?.[0] ?? '', addedRevision: Number(after?.[1] ?? 0) }, limit),
      (row) => [row.accountId, String(row.addedRevision)],
    );
    const accounts = await listAccountsByIds(
      scope,
      rows.map((row) => row.accountId),
    );
    const users = await listUsersByIds(
      scope,
      [...accounts.values()].flatMap((account) => account.userId ?? []),
    );
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      const user = users.get(account?.userId ?? '');
      return shape(AppEntitlementWithExpiredSchema, {
        appId,
        appEntitlementId: id,
        appUserId: row.accountId,
        appUser: account && shapeAccount(account),
        user: user && shapeUser(user),
        discovered: timestamp(row.createdAt),
        expired: timestamp(row.endedAt),
      });
    });
    return shape(SearchAppEntitlementsWithExpiredResponseSchema, { list, nextPageToken });
  },
});

const entitlementSearchService = implement(AppEntitlementSearchService, {
  search: async (scope, request, call) => {
    const page = await pageOfEntitlements(scope, call, filterOfEntitlementSearch(request), request.expandMask?.paths);
    return shape(AppEntitlementSearchServiceSearchResponseSchema, page);
  },
});

/** Entitlements and their grants. */
export const entitlementServices = [entitlementService, entitlementSearchService];
