/** How monitors, their entitlements and alerts look outside. */
import {
  type AppEntitlementMonitorBindingJson,
  AppEntitlementMonitorBindingSchema,
  type ConflictMonitorJson,
  ConflictMonitorSchema,
  EntitlementGroup,
} from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import {
  type ConflictAlertJson,
  ConflictAlertSchema,
  type ConflictGrantJson,
  ConflictGrantSchema,
} from '../../gen/countersign/v1/conflicts_pb.js';
import { shape, shapeDeep, timestamp } from '../../wire/reply.ts';
import type { AlertRow, ConflictGrantRow } from './store-alerts.ts';
import type { BindingRow, Side } from './store-entitlements.ts';
import type { MonitorRow } from './store-monitors.ts';

/** The group that a request names; undefined for none. */
export function sideOf(group: EntitlementGroup): Side | undefined {
  return group === EntitlementGroup.A ? 'A' : group === EntitlementGroup.B ? 'B' : undefined;
}

const groupNames = { A: 'ENTITLEMENT_GROUP_A', B: 'ENTITLEMENT_GROUP_B' } as const;

/** A monitor as c1.api.accessconflict.v1.ConflictMonitor. */
export function shapeMonitor(row: MonitorRow): ConflictMonitorJson {
  return shapeDeep(ConflictMonitorSchema, {
    id: row.id,
    displayName: row.displayName,
    description: row.description,
    enabled: row.enabled,
    negateGroupB: row.negateGroupB,
    entitlementSetAId: row.setAId,
    entitlementSetBId: row.setBId,
    ...(row.notificationConfig === null ? {} : { notificationConfig: row.notificationConfig }),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** An entitlement of a monitor as c1.api.accessconflict.v1.AppEntitlementMonitorBinding. */
export function shapeBinding(row: BindingRow): AppEntitlementMonitorBindingJson {
  return shape(AppEntitlementMonitorBindingSchema, {
    monitorId: row.monitorId,
    appId: row.appId,
    appEntitlementId: row.entitlementId,
    entitlementGroup: groupNames[row.side],
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.createdAt),
  });
}

/** An alert as countersign.v1.ConflictAlert. */
export function shapeAlert(row: AlertRow): ConflictAlertJson {
  return shapeDeep(ConflictAlertSchema, {
    id: row.id,
    monitorId: row.monitorId,
    monitorDisplayName: row.monitorName,
    state: `CONFLICT_ALERT_STATE_${row.state}`,
    generation: row.generation,
    userId: row.userId,
    appId: row.appId,
    appUserId: row.accountId,
    principalDisplayName: row.principalName,
    entitlements: row.entitlements.map(({ appId, appEntitlementId, group }) => ({
      appId,
      appEntitlementId,
      entitlementGroup: groupNames[group],
    })),
    activatedAt: timestamp(row.activatedAt),
    resolvedAt: timestamp(row.resolvedAt),
    resolution: `CONFLICT_RESOLUTION_${row.resolution === '' ? 'UNSPECIFIED' : row.resolution}`,
    ...(row.state === 'EXEMPTED'
      ? {
          exemption: {
            reason: row.exemptReason,
            userId: row.exemptedById,
            accessReviewId: row.exemptedByReviewId,
            exemptedAt: timestamp(row.exemptedAt),
            until: timestamp(row.exemptUntil),
          },
        }
      : {}),
  });
}

/** A grant that makes an alert as countersign.v1.ConflictGrant. */
export function shapeGrant(row: ConflictGrantRow): ConflictGrantJson {
  return shape(ConflictGrantSchema, {
    appId: row.appId,
    appUserId: row.accountId,
    appEntitlementId: row.entitlementId,
    entitlementGroup: groupNames[row.group],
  });
}
