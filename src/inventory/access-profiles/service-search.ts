/**
 * The contract's service for somebody who looks for access: what the profiles they see give.
 */
import {
  type RequestCatalogSearchServiceSearchEntitlementsRequest,
  RequestCatalogSearchService,
  RequestCatalogSearchServiceSearchEntitlementsRequest_GrantedStatus as GrantedStatus,
} from '../../gen/c1/api/requestcatalog/v1/request_catalog_search_service_pb.js';
import { implement } from '../../wire/service.ts';
import { listEntitlementsByIds, loadSight, shapeEntitlementView } from '../catalog/index.ts';
import { permissionsHeld } from '../../foundation/authority/index.ts';
import { listHeld, listOffers, type OfferFilter } from './store-search.ts';
import { shapeHeld } from './view.ts';

function filterOf(request: RequestCatalogSearchServiceSearchEntitlementsRequest): OfferFilter {
  return {
    appName: request.appDisplayName || undefined,
    alias: request.entitlementAlias || undefined,
    query: request.query || undefined,
    isHeld:
      request.grantedStatus === GrantedStatus.GRANTED ? true : request.grantedStatus === GrantedStatus.NOT_GRANTED ? false : undefined,
    includeDeleted: request.includeDeleted || undefined,
  };
}

/** The search over what profiles offer the caller. */
export const searchService = implement(RequestCatalogSearchService, {
  searchEntitlements: async (context, request, call) => {
    const userId = context.actor.userId;
    const found = await listOffers(context, userId, filterOf(request), call.page.after?.[0] ?? '', call.page.size + 1);
    const page = found.slice(0, call.page.size);
    const entitlements = await listEntitlementsByIds(
      context,
      page.map((ref) => ref.id),
    );
    const rows = page.flatMap((ref) => entitlements.get(ref.id) ?? []);
    const held = page.length === 0 ? [] : await listHeld(context, userId, page);
    const wanted = [
      { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
      { path: 'app_resource_type_id', type: 'c1.api.app.v1.AppResourceType', ids: rows.map((row) => row.resourceTypeId) },
      { path: 'app_resource_id', type: 'c1.api.app.v1.AppResource', ids: rows.map((row) => row.resourceId) },
    ];
    const { expanded, pathOf } = await call.expand(wanted, request.expandMask?.paths);
    const mayWrite = permissionsHeld(context.actor).includes('inventory.write');
    const sight = await loadSight(context);
    const list = rows.map((row) => ({
      entitlement: shapeEntitlementView(sight, row, pathOf, mayWrite),
      appEntitlementUserBindings: held.filter((one) => one.entitlementId === row.id).map(shapeHeld),
    }));
    const last = page.at(-1);
    return { expanded, list, nextPageToken: call.nextPageToken(found.length > page.length && last ? [last.id] : undefined) };
  },
});
