/**
 * The contract's service about access profiles: each method calls one rule and shapes the reply.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  RequestCatalogManagementService,
  RequestCatalogManagementServiceAddAccessEntitlementsResponseSchema,
  RequestCatalogManagementServiceAddAppEntitlementsResponseSchema,
  RequestCatalogManagementServiceCreateRequestableEntryResponseSchema,
  RequestCatalogManagementServiceDeleteRequestableEntryResponseSchema,
  RequestCatalogManagementServiceDeleteResponseSchema,
  RequestCatalogManagementServiceGetRequestableEntryResponseSchema,
  RequestCatalogManagementServiceGetResponseSchema,
  RequestCatalogManagementServiceListAllEntitlementIdsPerCatalogResponseSchema,
  RequestCatalogManagementServiceListEntitlementsForAccessResponseSchema,
  RequestCatalogManagementServiceListEntitlementsPerCatalogResponseSchema,
  RequestCatalogManagementServiceListResponseSchema,
  RequestCatalogManagementServiceRemoveAccessEntitlementsResponseSchema,
  RequestCatalogManagementServiceRemoveAppEntitlementsResponseSchema,
  RequestCatalogManagementServiceUpdateAppEntitlementsResponseSchema,
} from '../../gen/c1/api/requestcatalog/v1/request_catalog_management_service_pb.js';
import { RequestableEntrySchema } from '../../gen/c1/api/requestcatalog/v1/requestcatalog_pb.js';
import type { Scope } from '../../scope.ts';
import { pageByKey, pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { addEntries, addEntry, dropEntries, dropEntry, maxEntries, setEntries } from './change-entries.ts';
import { changeProfile, createProfile, deleteProfile } from './change-profile.ts';
import { requireEntry } from './find-entry.ts';
import { viewEntries, viewProfiles } from './read-profiles.ts';
import { requireProfile } from './require.ts';
import { listProfiles, type ProfileRow } from './store.ts';
import { listEntries, type Part } from './store-entries.ts';

async function oneProfile(scope: Scope, call: Call, row: ProfileRow, paths: readonly string[] | undefined) {
  const { expanded, views } = await viewProfiles(scope, call, [row], paths);
  return shape(RequestCatalogManagementServiceGetResponseSchema, { expanded, requestCatalogView: views[0] });
}

async function pageOfEntries(scope: Scope, call: Call, profileId: string, part: Part) {
  await requireProfile(scope, profileId);
  const { rows, nextPageToken } = await pageByKey(
    call,
    ([appId = '', id = ''] = [], limit) => listEntries(scope, profileId, part, { appId, id }, limit),
    (row) => [row.appId, row.id],
  );
  return { expanded: [], list: await viewEntries(scope, rows), nextPageToken };
}

/** The management of access profiles. */
export const managementService = implement(RequestCatalogManagementService, {
  create: async (scope, request, call) => oneProfile(scope, call, await createProfile(scope, call.sent), request.expandMask?.paths),
  get: async (scope, request, call) => oneProfile(scope, call, await requireProfile(scope, request.id), undefined),
  list: async (scope, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listProfiles(scope, after, limit),
      (row) => row.id,
    );
    const { expanded, views } = await viewProfiles(scope, call, rows, undefined);
    return shape(RequestCatalogManagementServiceListResponseSchema, { expanded, list: views, nextPageToken });
  },
  update: async (scope, request, call) => {
    const row = await changeProfile(scope, request.id, (call.sent.catalog ?? {}) as JsonObject, call.mask);
    return oneProfile(scope, call, row, request.expandMask?.paths);
  },
  delete: async (scope, request) => {
    await deleteProfile(scope, request.id);
    return shape(RequestCatalogManagementServiceDeleteResponseSchema, {});
  },
  addAccessEntitlements: async (scope, request) => {
    await addEntries(scope, request.catalogId, 'VISIBLE', request.accessEntitlements, 'accessEntitlements');
    return shape(RequestCatalogManagementServiceAddAccessEntitlementsResponseSchema, {});
  },
  removeAccessEntitlements: async (scope, request) => {
    await dropEntries(scope, request.catalogId, 'VISIBLE', request.accessEntitlements);
    return shape(RequestCatalogManagementServiceRemoveAccessEntitlementsResponseSchema, {});
  },
  // create_requests would ask for the new entitlements for everybody enrolled; there are no requests and no enrolment here.
  addAppEntitlements: async (scope, request) => {
    await addEntries(scope, request.catalogId, 'REQUESTABLE', request.appEntitlements, 'appEntitlements');
    return shape(RequestCatalogManagementServiceAddAppEntitlementsResponseSchema, {});
  },
  removeAppEntitlements: async (scope, request) => {
    await dropEntries(scope, request.catalogId, 'REQUESTABLE', request.appEntitlements);
    return shape(RequestCatalogManagementServiceRemoveAppEntitlementsResponseSchema, {});
  },
  updateAppEntitlements: async (scope, request) => {
    await setEntries(scope, request.catalogId, 'REQUESTABLE', request.appEntitlements, 'appEntitlements');
    return shape(RequestCatalogManagementServiceUpdateAppEntitlementsResponseSchema, {});
  },
  createRequestableEntry: async (scope, { catalogId, appId, entitlementId }) => {
    await addEntry(scope, catalogId, { appId, id: entitlementId });
    const requestableEntry = shape(RequestableEntrySchema, { catalogId, appId, entitlementId });
    return shape(RequestCatalogManagementServiceCreateRequestableEntryResponseSchema, { requestableEntry });
  },
  getRequestableEntry: async (scope, { catalogId, appId, entitlementId }) => {
    await requireEntry(scope, catalogId, { appId, id: entitlementId });
    const requestableEntry = shape(RequestableEntrySchema, { catalogId, appId, entitlementId });
    return shape(RequestCatalogManagementServiceGetRequestableEntryResponseSchema, { requestableEntry });
  },
  deleteRequestableEntry: async (scope, { catalogId, appId, entitlementId }) => {
    await dropEntry(scope, catalogId, { appId, id: entitlementId });
    return shape(RequestCatalogManagementServiceDeleteRequestableEntryResponseSchema, {});
  },
  // Whole, since the reply has no page token; a profile's size is bounded.
  listAllEntitlementIdsPerApp: async (scope, request) => {
    await requireProfile(scope, request.catalogId);
    const refs = await listEntries(scope, request.catalogId, 'REQUESTABLE', { appId: '', id: '' }, maxEntries.REQUESTABLE);
    return shape(RequestCatalogManagementServiceListAllEntitlementIdsPerCatalogResponseSchema, { refs: refs.map((ref) => ({ ...ref })) });
  },
  listEntitlementsForAccess: async (scope, request, call) =>
    shape(
      RequestCatalogManagementServiceListEntitlementsForAccessResponseSchema,
      await pageOfEntries(scope, call, request.catalogId, 'VISIBLE'),
    ),
  listEntitlementsPerCatalog: async (scope, request, call) =>
    shape(
      RequestCatalogManagementServiceListEntitlementsPerCatalogResponseSchema,
      await pageOfEntries(scope, call, request.catalogId, 'REQUESTABLE'),
    ),
});
