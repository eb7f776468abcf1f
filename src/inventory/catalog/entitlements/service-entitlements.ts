/**
 * The contract's services about entitlements: each method calls one rule and shapes the reply.
 */
import { AppEntitlementSearchService } from '../../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppEntitlementService } from '../../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import type { Context } from '../../../context.ts';
import { unset } from '../../../wire/row.ts';
import { type Call, implementPart } from '../../../wire/service.ts';
import { permissionsHeld } from '../../../foundation/authority/index.ts';
import { changeEntitlement } from './change-entitlement.ts';
import {
  narrowToOwnApps,
  requireConcernInApp,
  requireConcernInEntitlement,
  requireOwnAppOrInventory,
  requireOwnOrInventory,
} from '../apps/index.ts';
import { createEntitlement } from './create-entitlement.ts';
import { filterOfEntitlementSearch } from './entitlement-filter.ts';
import {
  type EntitlementFilter,
  type EntitlementRow,
  listEntitlements,
  loadSight,
  noPath,
  noSuchAccount,
  readPage,
  requireAccount,
  requireApp,
  requireEntitlementOrDeleted,
  requireResource,
  shapeEntitlementView,
} from '../record/index.ts';
import { entitlementOwnerServices } from '../owners/index.ts';

const mayWrite = (context: Context): boolean => permissionsHeld(context.actor).includes('inventory.write');

/** The views of some entitlements, with what `paths` asks for. */
async function viewsOf(context: Context, call: Call, rows: readonly EntitlementRow[], paths: readonly string[] | undefined) {
  const wanted = [
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    { path: 'app_resource_type_id', type: 'c1.api.app.v1.AppResourceType', ids: rows.map((row) => row.resourceTypeId) },
    { path: 'app_resource_id', type: 'c1.api.app.v1.AppResource', ids: rows.map((row) => row.resourceId) },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  const may = mayWrite(context);
  const sight = await loadSight(context);
  return { expanded, list: rows.map((row) => shapeEntitlementView(sight, row, pathOf, may)) };
}

async function pageOfEntitlements(context: Context, call: Call, filter: EntitlementFilter | undefined, paths?: readonly string[]) {
  const { rows, nextPageToken } = await readPage(call, (after, limit) =>
    filter === undefined ? [] : listEntitlements(context, filter, after, limit),
  );
  return { ...(await viewsOf(context, call, rows, paths)), nextPageToken };
}

async function oneEntitlement(context: Context, call: Call, row: EntitlementRow, paths: readonly string[] | undefined) {
  const { expanded, list } = await viewsOf(context, call, [row], paths);
  return { expanded, appEntitlementView: list[0] };
}

async function pageOfAccount(context: Context, request: { appId: string; appUserId: string }, call: Call) {
  await requireConcernInApp(context, request.appId);
  const { id, appId, userId } = await requireAccount(context, request.appId, request.appUserId);
  requireOwnOrInventory(context, userId, noSuchAccount);
  return pageOfEntitlements(context, call, { appId, accountIds: [id] });
}

const entitlementService = implementPart(AppEntitlementService, {
  create: async (context, request, call) => {
    const row = await createEntitlement(context, request.appId, call.sent, request.appEntitlementOwnerIds);
    return oneEntitlement(context, call, row, request.expandMask?.paths);
  },
  get: async (context, request) => {
    await requireConcernInEntitlement(context, request.appId, request.id);
    const row = await requireEntitlementOrDeleted(context, request.appId, request.id);
    const appEntitlementView = shapeEntitlementView(await loadSight(context), row, noPath, mayWrite(context));
    return { appEntitlementView };
  },
  update: async (context, request, call) => {
    const row = await changeEntitlement(context, request.appId, request.id, {
      sent: call.sent.entitlement ?? {},
      mask: call.mask,
      overrideAccessRequestsDefaults: call.sent.overrideAccessRequestsDefaults,
    });
    return oneEntitlement(context, call, row, request.expandMask?.paths);
  },
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const { id } = await requireApp(context, request.appId);
    return pageOfEntitlements(context, call, { appId: id });
  },
  listForAppResource: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const { id, appId } = await requireResource(context, request.appId, request.appResourceTypeId, request.appResourceId);
    return pageOfEntitlements(context, call, { appId, resourceId: id });
  },
  listForAppUser: pageOfAccount,
  // The public API has both, and nothing in the second to search by.
  searchAppEntitlementsForAppUser: pageOfAccount,
});

const entitlementSearchService = implementPart(AppEntitlementSearchService, {
  search: async (context, request, call) => {
    // No facets: they would count all that is found, however much, to show one page of it; the message may leave them out.
    const filter = filterOfEntitlementSearch(request);
    const appIds = await narrowToOwnApps(context, filter?.appIds);
    return { ...(await pageOfEntitlements(context, call, filter && { ...filter, appIds }, request.expandMask?.paths)), ...unset('facets') };
  },
});

/** Entitlements; who holds them is the business of grants. */
export const entitlementServices = [entitlementService, entitlementSearchService, ...entitlementOwnerServices];
