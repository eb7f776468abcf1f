/**
 * How entitlements look outside: plain objects of the contract's JSON types.
 */
import {
  type AppEntitlementJson,
  AppEntitlementSchema,
  type AppEntitlementViewJson,
  AppEntitlementViewSchema,
} from '../../gen/c1/api/app/v1/app_pb.js';
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { EntitlementRow } from './store-entitlements.ts';
import type { PathOf } from './view.ts';

/** The short name of what it gives: the one set here, else the one its source knows it by; '' where there is none. */
export function slugOf(row: Pick<EntitlementRow, 'slug' | 'isManual' | 'externalId'>): string {
  return row.slug !== '' || row.isManual ? row.slug : row.externalId;
}

/** An entitlement as c1.api.app.v1.AppEntitlement. */
export function shapeEntitlement(row: EntitlementRow): AppEntitlementJson {
  // One that was made manually has no source, and its own id in place of a name there.
  const externalId = row.isManual ? '' : row.externalId;
  return shape(AppEntitlementSchema, {
    ...(row.document as AppEntitlementJson),
    id: row.id,
    appId: row.appId,
    appResourceTypeId: row.resourceTypeId,
    appResourceId: row.resourceId,
    displayName: row.displayName,
    description: row.description,
    externalId,
    slug: slugOf(row),
    alias: row.alias,
    certifyPolicyId: row.certifyPolicyId,
    riskLevelValueId: row.riskLevelValueId,
    complianceFrameworkValueIds: [...row.complianceFrameworkValueIds],
    grantCount: String(row.grantCount),
    purpose: `APP_ENTITLEMENT_PURPOSE_VALUE_${row.purpose}`,
    systemBuiltin: row.isAppAccess,
    isManuallyManaged: row.isManual,
    sourceConnectorIds: row.sourceId === null ? {} : { [row.sourceId]: externalId },
    // An app has no defaults for requests, and nothing is granted by itself: there is nothing of that kind yet.
    defaultValuesApplied: false,
    isAutomationEnabled: false,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/**
 * An entitlement with the places of its app, resource type and resource. `mayWrite` says whether the caller may change the inventory: then
 * any may be edited, and manual ones be deleted.
 */
export function shapeEntitlementView(row: EntitlementRow, pathOf: PathOf, mayWrite: boolean): AppEntitlementViewJson {
  const edit = mayWrite && row.deletedAt === null;
  return shape(AppEntitlementViewSchema, {
    appEntitlement: shapeEntitlement(row),
    appPath: pathOf('app_id', row.appId),
    appResourceTypePath: pathOf('app_resource_type_id', row.resourceTypeId),
    appResourcePath: pathOf('app_resource_id', row.resourceId),
    objectPermissions: shape(ActorObjectPermissionsSchema, { read: true, edit, delete: edit && row.isManual }),
  });
}
