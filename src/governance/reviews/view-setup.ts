/**
 * Chosen entitlements as clients see them, of reviews and of templates alike: their fields, what is expanded beside them, their pages. The messages
 * around them differ by name.
 */
import type { AccessReviewSetupEntitlementView } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { type Row, unset } from '../../wire/row.ts';
import type { Call } from '../../wire/service.ts';
import type { SetupEntitlementRow } from '../snapshots/index.ts';
import type { PathOf } from './life/index.ts';

/** The fields of a chosen entitlement, but those that say whose it is. */
export function shapeSetupFields(row: SetupEntitlementRow) {
  return {
    appEntitlementId: row.entitlementId,
    appId: row.appId,
    appResourceId: row.resourceId,
    appResourceTypeId: row.resourceTypeId,
    createdAt: row.createdAt,
    customPolicyId: row.customPolicyId,
    policyId: row.policyId,
    updatedAt: row.updatedAt,
    ...unset('deletedAt'),
  };
}

/** Shapes the places of a chosen entitlement's objects among those expanded. */
export function shapeSetupPaths(row: SetupEntitlementRow, pathOf: PathOf) {
  return {
    appPath: pathOf('app_id', row.appId),
    entitlementPath: pathOf('app_entitlement_id', row.entitlementId),
    policyPath: pathOf('policy_id', row.policyId),
  };
}

/** A chosen entitlement of a review. */
export function shapeSetupEntitlement(
  tenantId: string,
  reviewId: string,
  row: SetupEntitlementRow,
  pathOf: PathOf,
): Row<AccessReviewSetupEntitlementView> {
  return { accessReviewEntitlement: { ...shapeSetupFields(row), accessReviewId: reviewId, tenantId }, ...shapeSetupPaths(row, pathOf) };
}

/** Expands what was asked for beside chosen entitlements: paths app_id, app_entitlement_id, policy_id. */
export function expandSetup(call: Call, list: readonly SetupEntitlementRow[], paths: readonly string[] | undefined) {
  const wanted = [
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: list.map((row) => row.appId) },
    { path: 'app_entitlement_id', type: 'c1.api.app.v1.AppEntitlement', ids: list.map((row) => row.entitlementId) },
    { path: 'policy_id', type: 'c1.api.policy.v1.Policy', ids: list.map((row) => row.policyId) },
  ];
  return call.expand(wanted, paths);
}

/** A page of a list of chosen entitlements by app and entitlement; the whole list where neither size nor token was sent. */
export async function pageSetup<Setup extends { readonly list: SetupEntitlementRow[] }>(
  call: Call,
  read: (after: readonly [string, string], limit: number | undefined) => Promise<Setup>,
): Promise<{ readonly setup: Setup; readonly nextPageToken: string }> {
  const isPaged = call.sent.pageSize !== undefined || (call.sent.pageToken ?? '') !== '';
  const [appId = '', entitlementId = ''] = call.page.after ?? [];
  const found = await read([appId, entitlementId], isPaged ? call.page.size + 1 : undefined);
  const list = isPaged ? found.list.slice(0, call.page.size) : found.list;
  const last = list.at(-1);
  const nextPageToken = call.nextPageToken(found.list.length > list.length && last ? [last.appId, last.entitlementId] : undefined);
  return { setup: { ...found, list }, nextPageToken };
}
