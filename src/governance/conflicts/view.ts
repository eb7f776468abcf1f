/** Monitors, their entitlements and alerts for clients. */
import {
  type AppEntitlementMonitorBinding,
  type ConflictMonitor,
  EntitlementGroup,
} from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import type { ConflictAlert, ConflictGrant } from '../../gen/countersign/v1/conflicts_pb.js';
import { type Row, unset } from '../../wire/row.ts';
import type { AlertRow, ConflictGrantRow } from './store-alerts.ts';
import type { BindingRow, Side } from './store-entitlements.ts';
import type { MonitorRow } from './store-monitors.ts';

/** The group that a request names; undefined for none. */
export function readSide(group: EntitlementGroup): Side | undefined {
  return group === EntitlementGroup.A ? 'A' : group === EntitlementGroup.B ? 'B' : undefined;
}

const groupNames = { A: 'ENTITLEMENT_GROUP_A', B: 'ENTITLEMENT_GROUP_B' } as const;

/** A monitor as c1.api.accessconflict.v1.ConflictMonitor. */
export function shapeMonitor(row: MonitorRow): Row<ConflictMonitor> {
  return {
    ...row,
    entitlementSetAId: row.setAId,
    entitlementSetBId: row.setBId,
    notificationConfig: row.notificationConfig as Row<ConflictMonitor>['notificationConfig'],
    ...unset('deletedAt'),
  };
}

/** An entitlement of a monitor as c1.api.accessconflict.v1.AppEntitlementMonitorBinding. */
export function shapeBinding(row: BindingRow): Row<AppEntitlementMonitorBinding> {
  return {
    ...row,
    appEntitlementId: row.entitlementId,
    entitlementGroup: groupNames[row.side],
    updatedAt: row.createdAt,
    ...unset('deletedAt'),
  };
}

/** An alert as countersign.v1.ConflictAlert. */
export function shapeAlert(row: AlertRow): Row<ConflictAlert> {
  return {
    ...row,
    monitorDisplayName: row.monitorName,
    appUserId: row.accountId,
    principalDisplayName: row.principalName,
    entitlements: row.entitlements.map(({ appId, appEntitlementId, group }) => ({
      appId,
      appEntitlementId,
      entitlementGroup: groupNames[group],
    })),
    resolution: row.resolution === '' ? 'UNSPECIFIED' : row.resolution,
    exemption:
      row.state === 'EXEMPTED'
        ? {
            reason: row.exemptReason,
            userId: row.exemptedById,
            accessReviewId: row.exemptedByReviewId,
            exemptedAt: row.exemptedAt,
            until: row.exemptUntil,
          }
        : undefined,
  };
}

/** A grant that makes an alert as countersign.v1.ConflictGrant. */
export function shapeGrant(row: ConflictGrantRow): Row<ConflictGrant> {
  return { appId: row.appId, appUserId: row.accountId, appEntitlementId: row.entitlementId, entitlementGroup: groupNames[row.group] };
}
