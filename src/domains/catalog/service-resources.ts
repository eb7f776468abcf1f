/**
 * The contract's services about resource types and resources: each method calls one rule and shapes the reply. Who owns resources is in
 * service-resource-owners.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  AppResourceService,
  AppResourceServiceGetResponseSchema,
  AppResourceServiceListResponseSchema,
  AppResourceServiceUpdateResponseSchema,
  CreateManuallyManagedAppResourceResponseSchema,
  DeleteManuallyManagedAppResourceResponseSchema,
  SearchAppResourcesResponseSchema,
  SearchAppResourceTypesResponseSchema,
  SortDirection,
} from '../../gen/c1/api/app/v1/app_resource_service_pb.js';
import {
  AppResourceTypeService,
  AppResourceTypeServiceGetResponseSchema,
  AppResourceTypeServiceListResponseSchema,
  CreateManuallyManagedResourceTypeResponseSchema,
  DeleteManuallyManagedResourceTypeResponseSchema,
  UpdateManuallyManagedResourceTypeResponseSchema,
} from '../../gen/c1/api/app/v1/app_resource_type_service_pb.js';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { permissionsHeld } from '../directory/index.ts';
import { changeResource, createResource, deleteResource } from './change-resource.ts';
import { changeResourceType, createResourceType, deleteResourceType } from './change-resource-type.ts';
import { pageOf } from './page.ts';
import { filterOfResourceSearch, filterOfResourceTypeSearch } from './read-resource-filters.ts';
import { requireApp, requireResource, requireResourceType } from './require.ts';
import { resourceOwnerService } from './service-resource-owners.ts';
import {
  listResources,
  listResourceTypes,
  type ResourceFilter,
  type ResourceRow,
  type ResourceTypeFilter,
  traitIds,
} from './store-resources.ts';
import { shapeResource, shapeResourceType, shapeResourceTypeView, noPath, shapeResourceView } from './view.ts';

const mayWrite = (context: Context): boolean => permissionsHeld(context.actor).includes('inventory.write');

function pageOfTypes(context: Context, call: Call, filter: ResourceTypeFilter) {
  return pageOf(
    call,
    (after, limit) => listResourceTypes(context, filter, after, limit),
    (row) => row.id,
  );
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
  return { expanded, list: rows.map((row) => shapeResourceView(row, pathOf, mayWrite(context))) };
}

async function pageOfResources(context: Context, call: Call, filter: ResourceFilter | undefined, isDescending: boolean) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => (filter === undefined ? [] : listResources(context, filter, after, limit, isDescending)),
    (row) => row.id,
  );
  return { ...(await viewsOf(context, call, rows, undefined)), nextPageToken };
}

const resourceTypeService = implement(AppResourceTypeService, {
  get: async (context, request) => {
    const row = await requireResourceType(context, request.appId, request.id);
    return shape(AppResourceTypeServiceGetResponseSchema, { appResourceTypeView: shapeResourceTypeView(row, noPath) });
  },
  list: async (context, request, call) => {
    const { id: appId } = await requireApp(context, request.appId);
    const { rows, nextPageToken } = await pageOfTypes(context, call, { appId });
    return shape(AppResourceTypeServiceListResponseSchema, { list: rows.map((row) => shapeResourceTypeView(row, noPath)), nextPageToken });
  },
  createManuallyManagedResourceType: async (context, request) => {
    // The enum's numbers are the places in the list of traits.
    const row = await createResourceType(context, request.appId, request.displayName, traitIds[request.resourceType] ?? '');
    return shape(CreateManuallyManagedResourceTypeResponseSchema, { appResourceType: shapeResourceType(row) });
  },
  updateManuallyManagedResourceType: async (context, request, call) => {
    const sent = (call.sent.appResourceType ?? {}) as JsonObject;
    const row = await changeResourceType(context, request.appId, request.id, sent, call.mask);
    return shape(UpdateManuallyManagedResourceTypeResponseSchema, { appResourceType: shapeResourceType(row) });
  },
  deleteManuallyManagedResourceType: async (context, request) => {
    await deleteResourceType(context, request.appId, request.id);
    return shape(DeleteManuallyManagedResourceTypeResponseSchema, {});
  },
});

const resourceService = implement(AppResourceService, {
  get: async (context, request) => {
    const row = await requireResource(context, request.appId, request.appResourceTypeId, request.id);
    return shape(AppResourceServiceGetResponseSchema, { appResourceView: shapeResourceView(row, noPath, mayWrite(context)) });
  },
  list: async (context, request, call) => {
    const { id, appId } = await requireResourceType(context, request.appId, request.appResourceTypeId);
    return shape(AppResourceServiceListResponseSchema, await pageOfResources(context, call, { appId, resourceTypeId: id }, false));
  },
  searchAppResourceTypes: async (context, request, call) => {
    const { rows, nextPageToken } = await pageOfTypes(context, call, filterOfResourceTypeSearch(request));
    return shape(SearchAppResourceTypesResponseSchema, { list: rows.map(shapeResourceType), nextPageToken });
  },
  searchAppResources: async (context, request, call) => {
    const isDescending = request.direction === SortDirection.DESC;
    return shape(SearchAppResourcesResponseSchema, await pageOfResources(context, call, filterOfResourceSearch(request), isDescending));
  },
  createManuallyManagedAppResource: async (context, request, call) => {
    const { appId, appResourceTypeId, resourceOwnerUserIds } = request;
    const row = await createResource(context, appId, appResourceTypeId, call.sent, resourceOwnerUserIds);
    return shape(CreateManuallyManagedAppResourceResponseSchema, { appResource: shapeResource(row) });
  },
  update: async (context, request, call) => {
    const row = await changeResource(context, request, (call.sent.appResource ?? {}) as JsonObject, call.mask);
    const { expanded, list } = await viewsOf(context, call, [row], request.expandMask?.paths);
    return shape(AppResourceServiceUpdateResponseSchema, { appResourceView: list[0], expanded });
  },
  deleteManuallyManagedAppResource: async (context, request) => {
    await deleteResource(context, request.appId, request.appResourceTypeId, request.id);
    return shape(DeleteManuallyManagedAppResourceResponseSchema, {});
  },
});

/** Resource types, resources and their owners. */
export const resourceServices = [resourceTypeService, resourceService, resourceOwnerService];
