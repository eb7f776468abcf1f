/**
 * How access profiles look outside: plain objects of the contract's JSON types.
 */
import { AppEntitlementUserBindingSchema, type AppEntitlementUserBindingJson } from '../../gen/c1/api/app/v1/binding_pb.js';
import {
  type RequestCatalogJson,
  RequestCatalogSchema,
  type RequestCatalogViewJson,
  RequestCatalogViewSchema,
} from '../../gen/c1/api/requestcatalog/v1/requestcatalog_pb.js';
import { joinPaths } from '../../wire/expand.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type EntitlementRow, type PathOf, shapeEntitlement } from '../catalog/index.ts';
import type { ProfileRow } from './store.ts';
import type { HeldRow } from './store-search.ts';

/** A profile as c1.api.requestcatalog.v1.RequestCatalog; `access` are the entitlements whose holders see it. */
function shapeProfile(row: ProfileRow, access: readonly EntitlementRow[]): RequestCatalogJson {
  return shape(RequestCatalogSchema, {
    ...(row.document as RequestCatalogJson),
    id: row.id,
    displayName: row.displayName,
    published: row.published,
    visibleToEveryone: row.visibleToEveryone,
    createdByUserId: row.createdById,
    accessEntitlements: access.map(shapeEntitlement),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** A profile with the places of who made it and of the entitlements whose holders see it. */
export function shapeProfileView(
  row: ProfileRow,
  access: readonly EntitlementRow[],
  memberCount: number,
  pathOf: PathOf,
): RequestCatalogViewJson {
  return shape(RequestCatalogViewSchema, {
    requestCatalog: shapeProfile(row, access),
    memberCount: String(memberCount),
    createdByUserPath: pathOf('created_by_user_id', row.createdById),
    accessEntitlementsPath: joinPaths(access.map((one) => pathOf('access_entitlements', one.id))),
  });
}

/** What an account of the caller's holds, as c1.api.app.v1.AppEntitlementUserBinding. */
export function shapeHeld(row: HeldRow): AppEntitlementUserBindingJson {
  const sources = [...new Set((row.paths ?? []).flatMap((path) => path.at(-1) ?? []))];
  return shape(AppEntitlementUserBindingSchema, {
    appId: row.appId,
    appEntitlementId: row.entitlementId,
    appUserId: row.accountId,
    grantSources: sources.map((id) => ({ appId: row.appId, id })),
    createdAt: timestamp(row.createdAt),
    deprovisionAt: timestamp(row.deprovisionAt),
  });
}
