/**
 * The contract's services about resource types and resources: each method calls one rule and shapes the reply.
 */
import {
  AppResourceService,
  AppResourceServiceGetResponseSchema,
  AppResourceServiceListResponseSchema,
} from '../../gen/c1/api/app/v1/app_resource_service_pb.js';
import {
  AppResourceTypeService,
  AppResourceTypeServiceGetResponseSchema,
  AppResourceTypeServiceListResponseSchema,
} from '../../gen/c1/api/app/v1/app_resource_type_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { pageOf } from './page.ts';
import { requireApp, requireResource, requireResourceType } from './require.ts';
import { listResources, listResourceTypes } from './store-resources.ts';
import { noPath, shapeResourceTypeView, shapeResourceView } from './view.ts';

const resourceTypeService = implement(AppResourceTypeService, {
  get: async (scope, request) => {
    const row = await requireResourceType(scope, request.appId, request.id);
    return shape(AppResourceTypeServiceGetResponseSchema, { appResourceTypeView: shapeResourceTypeView(row, noPath) });
  },
  list: async (scope, request, call) => {
    await requireApp(scope, request.appId);
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listResourceTypes(scope, request.appId, after, limit),
      (row) => row.id,
    );
    return shape(AppResourceTypeServiceListResponseSchema, { list: rows.map((row) => shapeResourceTypeView(row, noPath)), nextPageToken });
  },
});

const resourceService = implement(AppResourceService, {
  get: async (scope, request) => {
    const row = await requireResource(scope, request.appId, request.appResourceTypeId, request.id);
    return shape(AppResourceServiceGetResponseSchema, { appResourceView: shapeResourceView(row, noPath) });
  },
  list: async (scope, request, call) => {
    const { id, appId } = await requireResourceType(scope, request.appId, request.appResourceTypeId);
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listResources(scope, appId, id, after, limit),
      (row) => row.id,
    );
    return shape(AppResourceServiceListResponseSchema, { list: rows.map((row) => shapeResourceView(row, noPath)), nextPageToken });
  },
});

/** Resource types and resources. */
export const resourceServices = [resourceTypeService, resourceService];
