/**
 * The contract's services about resource types and resources: each method calls one rule and shapes the reply. Who owns resources is in
 * service-resource-owners.ts.
 */
import { AppResourceService, SortDirection } from '../../../gen/c1/api/app/v1/app_resource_service_pb.js';
import { AppResourceTypeService } from '../../../gen/c1/api/app/v1/app_resource_type_service_pb.js';
import type { Context } from '../../../context.ts';
import { type Call, implement } from '../../../wire/service.ts';
import { permissionsHeld } from '../../../foundation/authority/index.ts';
import { changeResource, createResource, deleteResource } from './change-resource.ts';
import { changeResourceType, createResourceType, deleteResourceType } from './change-resource-type.ts';
import { requireConcernInPart, requireOwnAppOrInventory } from '../apps/index.ts';
import {
  type ResourceFilter,
  type ResourceRow,
  type ResourceTypeFilter,
  listResourceTypes,
  listResources,
  loadSight,
  noPath,
  readPage,
  requireApp,
  requireResource,
  requireResourceType,
  shapeResource,
  shapeResourceTypeView,
  shapeResourceView,
  traitIds,
} from '../record/index.ts';
import { filterOfResourceSearch, filterOfResourceTypeSearch } from './read-resource-filters.ts';
import { resourceOwnerService } from '../owners/index.ts';

const mayWrite = (context: Context): boolean => permissionsHeld(context.actor).includes('inventory.write');

function pageOfTypes(context: Context, call: Call, filter: ResourceTypeFilter) {
  return readPage(call, (after, limit) => listResourceTypes(context, filter, after, limit));
}

async function viewsOf(context: Context, call: Call, rows: readonly ResourceRow[], paths: readonly string[] | undefined) {
  const type = 'c1.api.app.v1.AppResourceType';
  const wanted = [
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    { path: 'app_resource_type_id', type, ids: rows.map((row) => row.resourceTypeId) },
    { path: 'parent_app_resource_id', type: 'c1.api.app.v1.AppResource', ids: rows.map((row) => row.parentId) },
    { path: 'parent_app_resource_type_id', type, ids: rows.map((row) => row.parentTypeId) },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  const sight = await loadSight(context);
  return { expanded, list: rows.map((row) => shapeResourceView(sight, row, pathOf, mayWrite(context))) };
}

async function pageOfResources(context: Context, call: Call, filter: ResourceFilter | undefined, isDescending: boolean) {
  const { rows, nextPageToken } = await readPage(call, (after, limit) =>
    filter === undefined ? [] : listResources(context, filter, after, limit, isDescending),
  );
  return { ...(await viewsOf(context, call, rows, undefined)), nextPageToken };
}

const resourceTypeService = implement(AppResourceTypeService, {
  get: async (context, request) => {
    await requireConcernInPart(context, request.appId, { resourceTypeId: request.id });
    const row = await requireResourceType(context, request.appId, request.id);
    return { appResourceTypeView: shapeResourceTypeView(row, noPath) };
  },
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const { id: appId } = await requireApp(context, request.appId);
    const { rows, nextPageToken } = await pageOfTypes(context, call, { appId });
    return { list: rows.map((row) => shapeResourceTypeView(row, noPath)), nextPageToken };
  },
  createManuallyManagedResourceType: async (context, request) => {
    // The enum's numbers are the places in the list of traits.
    const row = await createResourceType(context, request.appId, request.displayName, traitIds[request.resourceType] ?? '');
    return { appResourceType: row };
  },
  updateManuallyManagedResourceType: async (context, request, call) => {
    const sent = call.sent.appResourceType ?? {};
    const row = await changeResourceType(context, request.appId, request.id, sent, call.mask);
    return { appResourceType: row };
  },
  deleteManuallyManagedResourceType: async (context, request) => {
    await deleteResourceType(context, request.appId, request.id);
    return {};
  },
});

const resourceService = implement(AppResourceService, {
  get: async (context, request) => {
    await requireConcernInPart(context, request.appId, { resourceId: request.id });
    const row = await requireResource(context, request.appId, request.appResourceTypeId, request.id);
    return { appResourceView: shapeResourceView(await loadSight(context), row, noPath, mayWrite(context)) };
  },
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const { id, appId } = await requireResourceType(context, request.appId, request.appResourceTypeId);
    return pageOfResources(context, call, { appId, resourceTypeId: id }, false);
  },
  searchAppResourceTypes: async (context, request, call) => {
    const { rows, nextPageToken } = await pageOfTypes(context, call, filterOfResourceTypeSearch(request));
    return { list: rows, nextPageToken };
  },
  searchAppResources: async (context, request, call) => {
    const isDescending = request.direction === SortDirection.DESC;
    return pageOfResources(context, call, filterOfResourceSearch(request), isDescending);
  },
  createManuallyManagedAppResource: async (context, request, call) => {
    const { appId, appResourceTypeId, resourceOwnerUserIds } = request;
    const row = await createResource(context, appId, appResourceTypeId, call.sent, resourceOwnerUserIds);
    return { appResource: shapeResource(await loadSight(context), row) };
  },
  update: async (context, request, call) => {
    const row = await changeResource(context, request, call.sent.appResource ?? {}, call.mask);
    const { expanded, list } = await viewsOf(context, call, [row], request.expandMask?.paths);
    return { appResourceView: list[0], expanded };
  },
  deleteManuallyManagedAppResource: async (context, request) => {
    await deleteResource(context, request.appId, request.appResourceTypeId, request.id);
    return {};
  },
});

/** Resource types, resources and their owners. */
export const resourceServices = [resourceTypeService, resourceService, resourceOwnerService];
