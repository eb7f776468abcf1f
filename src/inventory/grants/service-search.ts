/**
 * The search for grants over all apps.
 */
import {
  AppEntitlementSearchService,
  type AppEntitlementSearchServiceSearchGrantsRequest,
} from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppEntitlementPurposeValue } from '../../gen/c1/api/app/v1/app_pb.js';
import { some } from '../../lib/where.ts';
import { implementPart } from '../../wire/service.ts';
import { listAccountsByIds, listEntitlementsByIds, loadSight, narrowToOwn, pageByKey, shapeEntitlementView } from '../catalog/index.ts';
import { permissionsHeld } from '../../foundation/authority/index.ts';
import { type GrantFilter, listOpenGrants } from './store-search.ts';
import { shapeUserView } from './view.ts';

const purposes: Partial<Record<AppEntitlementPurposeValue, string>> = {
  [AppEntitlementPurposeValue.ASSIGNMENT]: 'ASSIGNMENT',
  [AppEntitlementPurposeValue.PERMISSION]: 'PERMISSION',
  [AppEntitlementPurposeValue.OWNERSHIP]: 'OWNERSHIP',
};

/** Reads a search's filter without its user: empty lists and texts filter nothing. */
function filterOf(request: AppEntitlementSearchServiceSearchGrantsRequest): Omit<GrantFilter, 'userId'> {
  return {
    appIds: some(request.appIds),
    accountIds: some(request.appUserIds),
    entitlementRefs: some(request.entitlementRefs.map((ref) => `${ref.appId}/${ref.id}`)),
    slugs: some(request.entitlementSlugs),
    purposes: some(request.purpose.map((purpose) => purposes[purpose] ?? '')),
    resourceIds: some(request.resourceIds),
    resourceTypeIds: some(request.resourceTypeIds),
  };
}

/** The part of the search service that is about grants. */
export const searchService = implementPart(AppEntitlementSearchService, {
  searchGrants: async (context, request, call) => {
    const [userId] = (await narrowToOwn(context, some([request.userId].filter((id) => id !== '')), request.appIds)) ?? [];
    const filter = { ...filterOf(request), userId };
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => {
        const [appId = '', entitlementId = '', accountId = ''] = after ?? [];
        return listOpenGrants(context, filter, { appId, entitlementId, accountId }, limit);
      },
      (row) => [row.appId, row.entitlementId, row.accountId],
    );
    const accounts = await listAccountsByIds(
      context,
      rows.map((row) => row.accountId),
    );
    const entitlements = await listEntitlementsByIds(
      context,
      rows.map((row) => row.entitlementId),
    );
    const found = [...entitlements.values()];
    const wanted = [
      { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
      { path: 'app_resource_type_id', type: 'c1.api.app.v1.AppResourceType', ids: found.map((row) => row.resourceTypeId) },
      { path: 'app_resource_id', type: 'c1.api.app.v1.AppResource', ids: found.map((row) => row.resourceId) },
      { path: 'identity_user_id', type: 'c1.api.user.v1.User', ids: [...accounts.values()].flatMap((row) => row.userId ?? []) },
    ];
    const { expanded, pathOf } = await call.expand(wanted, request.expandMask?.paths);
    const mayWrite = permissionsHeld(context.actor).includes('inventory.write');
    const sight = await loadSight(context);
    const list = rows.map((row) => {
      const entitlement = entitlements.get(row.entitlementId);
      return {
        entitlement: entitlement && shapeEntitlementView(sight, entitlement, pathOf, mayWrite),
        appEntitlementUserBinding: shapeUserView(sight, row, row.appId, accounts.get(row.accountId), pathOf),
      };
    });
    return { list, expanded, nextPageToken };
  },
});
