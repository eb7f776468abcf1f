/**
 * The contract's services about entitlements: each method calls one rule and shapes the reply.
 */
import {
  AppEntitlementSearchService,
  AppEntitlementSearchServiceSearchResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import {
  AppEntitlementService,
  GetAppEntitlementResponseSchema,
  ListAppEntitlementsResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import type { Scope } from '../../scope.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implementPart } from '../../wire/service.ts';
import { pageOf } from './page.ts';
import { filterOfEntitlementSearch } from './read-filters.ts';
import { requireAccount, requireApp, requireEntitlement, requireResource } from './require.ts';
import { type EntitlementFilter, listEntitlements } from './store-entitlements.ts';
import { noPath, shapeEntitlementView } from './view.ts';

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

const entitlementService = implementPart(AppEntitlementService, {
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
});

const entitlementSearchService = implementPart(AppEntitlementSearchService, {
  search: async (scope, request, call) => {
    const page = await pageOfEntitlements(scope, call, filterOfEntitlementSearch(request), request.expandMask?.paths);
    return shape(AppEntitlementSearchServiceSearchResponseSchema, page);
  },
});

/** Entitlements; who holds them is the business of grants. */
export const entitlementServices = [entitlementService, entitlementSearchService];
