/**
 * The contract's service about access profiles: each method calls one rule and shapes the reply.
 */
import { RequestCatalogManagementService } from '../../gen/c1/api/requestcatalog/v1/request_catalog_management_service_pb.js';
import type { Context } from '../../context.ts';
import { pageByKey, readPage } from '../../wire/page.ts';
import { type Call, implement } from '../../wire/service.ts';
import { addEntries, addEntry, dropEntries, dropEntry, maxEntries, setEntries } from './change-entries.ts';
import { changeProfile, createProfile, deleteProfile } from './change-profile.ts';
import { requireEntry } from './find-entry.ts';
import { viewEntries, viewProfiles } from './read-profiles.ts';
import { requireProfile } from './require.ts';
import { listProfiles, type ProfileRow } from './store.ts';
import { listEntries, type Part } from './store-entries.ts';

async function oneProfile(context: Context, call: Call, row: ProfileRow, paths: readonly string[] | undefined) {
  const { expanded, views } = await viewProfiles(context, call, [row], paths);
  return { expanded, requestCatalogView: views[0] };
}

async function pageOfEntries(context: Context, call: Call, profileId: string, part: Part) {
  await requireProfile(context, profileId);
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => {
      const [place, appId, id] = after ?? [];
      const from = appId === undefined || id === undefined ? undefined : { place: Number(place), appId, id };
      return listEntries(context, profileId, part, from, limit);
    },
    (row) => [String(row.place), row.appId, row.id],
  );
  return { expanded: [], list: await viewEntries(context, rows), nextPageToken };
}

/** The management of access profiles. */
export const managementService = implement(RequestCatalogManagementService, {
  create: async (context, request, call) => oneProfile(context, call, await createProfile(context, call.sent), request.expandMask?.paths),
  get: async (context, request, call) => oneProfile(context, call, await requireProfile(context, request.id), undefined),
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listProfiles(context, after, limit));
    const { expanded, views } = await viewProfiles(context, call, rows, undefined);
    return { expanded, list: views, nextPageToken };
  },
  update: async (context, request, call) => {
    const row = await changeProfile(context, request.id, call.sent.catalog ?? {}, call.mask);
    return oneProfile(context, call, row, request.expandMask?.paths);
  },
  delete: async (context, request) => {
    await deleteProfile(context, request.id);
    return {};
  },
  addAccessEntitlements: async (context, request) => {
    await addEntries(context, request.catalogId, 'VISIBLE', request.accessEntitlements, 'accessEntitlements');
    return {};
  },
  removeAccessEntitlements: async (context, request) => {
    await dropEntries(context, request.catalogId, 'VISIBLE', request.accessEntitlements);
    return {};
  },
  // create_requests would ask for the new entitlements for everybody enrolled; there are no requests and no enrolment here.
  addAppEntitlements: async (context, request) => {
    await addEntries(context, request.catalogId, 'REQUESTABLE', request.appEntitlements, 'appEntitlements');
    return {};
  },
  removeAppEntitlements: async (context, request) => {
    await dropEntries(context, request.catalogId, 'REQUESTABLE', request.appEntitlements);
    return {};
  },
  updateAppEntitlements: async (context, request) => {
    await setEntries(context, request.catalogId, 'REQUESTABLE', request.appEntitlements, 'appEntitlements');
    return {};
  },
  createRequestableEntry: async (context, { catalogId, appId, entitlementId }) => {
    await addEntry(context, catalogId, { appId, id: entitlementId });
    const requestableEntry = { catalogId, appId, entitlementId };
    return { requestableEntry };
  },
  getRequestableEntry: async (context, { catalogId, appId, entitlementId }) => {
    await requireEntry(context, catalogId, { appId, id: entitlementId });
    const requestableEntry = { catalogId, appId, entitlementId };
    return { requestableEntry };
  },
  deleteRequestableEntry: async (context, { catalogId, appId, entitlementId }) => {
    await dropEntry(context, catalogId, { appId, id: entitlementId });
    return {};
  },
  // Whole, since the reply has no page token; a profile's size is bounded.
  listAllEntitlementIdsPerApp: async (context, request) => {
    await requireProfile(context, request.catalogId);
    const refs = await listEntries(context, request.catalogId, 'REQUESTABLE', undefined, maxEntries.REQUESTABLE);
    return { refs: refs.map(({ appId, id }) => ({ appId, id })) };
  },
  listEntitlementsForAccess: async (context, request, call) => pageOfEntries(context, call, request.catalogId, 'VISIBLE'),
  listEntitlementsPerCatalog: async (context, request, call) => pageOfEntries(context, call, request.catalogId, 'REQUESTABLE'),
});
