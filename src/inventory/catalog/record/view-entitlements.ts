/** Entitlements for clients: rows of the contract's messages. */
import { type AppEntitlement, AppEntitlementSchema, type AppEntitlementView } from '../../../gen/c1/api/app/v1/app_pb.js';
import { keptRow, type Row } from '../../../wire/row.ts';
import { asSeen, seesAppWhole, type Sight } from '../../../foundation/authority/index.ts';
import type { EntitlementRow } from './store-entitlements.ts';
import type { PathOf } from './view.ts';

/** The short name of what it gives: the one set here, else the one its source knows it by; '' where there is none. */
export function shownSlug(row: Pick<EntitlementRow, 'slug' | 'isManual' | 'externalId'>): string {
  return row.slug !== '' || row.isManual ? row.slug : row.externalId;
}

/** An entitlement as c1.api.app.v1.AppEntitlement, as far as it is seen. */
export function shapeEntitlement(sight: Sight, row: EntitlementRow): Row<AppEntitlement> {
  // One that was made manually has no source, and its own id in place of a name there.
  const externalId = row.isManual ? '' : row.externalId;
  const whole: Row<AppEntitlement> = {
    ...keptRow(AppEntitlementSchema, row.document),
    ...row,
    appResourceTypeId: row.resourceTypeId,
    appResourceId: row.resourceId,
    externalId,
    slug: shownSlug(row),
    systemBuiltin: row.isAppAccess,
    isManuallyManaged: row.isManual,
    sourceConnectorIds: row.sourceId === null ? {} : { [row.sourceId]: externalId },
    // An app has no defaults for requests, and nothing is granted by itself: there is nothing of that kind yet.
    defaultValuesApplied: false,
    isAutomationEnabled: false,
  };
  return asSeen('entitlement', seesAppWhole(sight, row.appId), whole);
}

/**
 * An entitlement with the places of its app, resource type and resource. `mayWrite` says whether the caller may change the inventory: then
 * any may be edited, and manual ones be deleted.
 */
export function shapeEntitlementView(sight: Sight, row: EntitlementRow, pathOf: PathOf, mayWrite: boolean): Row<AppEntitlementView> {
  const edit = mayWrite && row.deletedAt === null;
  return {
    appEntitlement: shapeEntitlement(sight, row),
    appPath: pathOf('app_id', row.appId),
    appResourceTypePath: pathOf('app_resource_type_id', row.resourceTypeId),
    appResourcePath: pathOf('app_resource_id', row.resourceId),
    objectPermissions: { read: true, edit, delete: edit && row.isManual, extra: {} },
  };
}
