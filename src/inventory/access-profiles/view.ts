/** Access profiles for clients: rows of the contract's messages. */
import type { AppEntitlementUserBinding } from '../../gen/c1/api/app/v1/binding_pb.js';
import {
  type RequestCatalog,
  RequestCatalogSchema,
  type RequestCatalogView,
} from '../../gen/c1/api/requestcatalog/v1/requestcatalog_pb.js';
import { joinPaths } from '../../wire/expand.ts';
import { keptRow, type Row, unset } from '../../wire/row.ts';
import type { Sight } from '../../foundation/authority/index.ts';
import { type EntitlementRow, type PathOf, shapeEntitlement } from '../catalog/index.ts';
import type { ProfileRow } from './store.ts';
import type { HeldRow } from './store-search.ts';

/** A profile as c1.api.requestcatalog.v1.RequestCatalog; `access` are the entitlements whose holders see it. */
function shapeProfile(sight: Sight, row: ProfileRow, access: readonly EntitlementRow[]): Row<RequestCatalog> {
  return {
    ...keptRow(RequestCatalogSchema, row.document),
    ...row,
    createdByUserId: row.createdById,
    accessEntitlements: access.map((one) => shapeEntitlement(sight, one)),
    ...unset('deletedAt'),
  };
}

/** A profile with the places of who made it and of the entitlements whose holders see it. */
export function shapeProfileView(
  sight: Sight,
  row: ProfileRow,
  access: readonly EntitlementRow[],
  memberCount: number,
  pathOf: PathOf,
): Row<RequestCatalogView> {
  return {
    requestCatalog: shapeProfile(sight, row, access),
    memberCount,
    createdByUserPath: pathOf('created_by_user_id', row.createdById),
    accessEntitlementsPath: joinPaths(access.map((one) => pathOf('access_entitlements', one.id))),
  };
}

/** Shapes a holding of the caller's, as c1.api.app.v1.AppEntitlementUserBinding. */
export function shapeHeld(row: HeldRow): Row<AppEntitlementUserBinding> {
  const sources = [...new Set((row.paths ?? []).flatMap((path) => path.at(-1) ?? []))];
  return {
    ...row,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    grantSources: sources.map((id) => ({ appId: row.appId, id })),
    ...unset('deletedAt'),
  };
}
