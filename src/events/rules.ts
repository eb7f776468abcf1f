/** Events of policies and of access that nobody should hold together. */
import type { EventType } from './event-type.ts';
import { flag, groups, json, maybe, orNull, record, text, texts, whole } from './members.ts';

const binding = { appId: text, appEntitlementId: text, group: text, resolved: whole };
/** An alert is written by one statement for very many, as it is then. */
const alert = {
  monitorId: text,
  monitor: text,
  userId: text,
  appId: text,
  accountId: text,
  generation: whole,
  entitlements: json,
  resolution: orNull(text),
  reason: orNull(text),
  accessReviewId: orNull(text),
};

export const rulesEvents = {
  'policy.created': {
    target: 'policy',
    activity: 'create',
    data: { displayName: text, policyType: text, policy: maybe(record), systemBuiltin: maybe(flag) },
  },
  'policy.updated': { target: 'policy', activity: 'update', data: { displayName: text, fields: texts, from: record, to: record } },
  'policy.deleted': { target: 'policy', activity: 'delete', data: { displayName: text, apps: record, entitlements: record } },
  'conflict_monitor.created': {
    target: 'conflict_monitor',
    activity: 'create',
    data: { displayName: text, description: text, negateGroupB: flag, notificationConfig: maybe(record) },
  },
  'conflict_monitor.updated': {
    target: 'conflict_monitor',
    activity: 'update',
    data: { fields: texts, from: record, to: record, resolved: whole },
  },
  'conflict_monitor.enabled': { target: 'conflict_monitor', activity: 'other', data: { displayName: text } },
  'conflict_monitor.disabled': { target: 'conflict_monitor', activity: 'other', data: { displayName: text, resolved: whole } },
  'conflict_monitor.entitlement_added': { target: 'conflict_monitor', activity: 'other', data: binding },
  'conflict_monitor.entitlement_removed': { target: 'conflict_monitor', activity: 'other', data: binding },
  'conflict_monitor.deleted': { target: 'conflict_monitor', activity: 'delete', data: { displayName: text, resolved: whole } },
  'conflict_alert.activated': { target: 'conflict_alert', activity: 'other', data: alert },
  'conflict_alert.resolved': { target: 'conflict_alert', activity: 'other', data: alert },
  'conflict_alert.exempted': { target: 'conflict_alert', activity: 'other', data: alert },
  'conflict_alert.exemption_ended': { target: 'conflict_alert', activity: 'other', data: alert },
  'conflict_alert.exemption_withdrawn': { target: 'conflict_alert', activity: 'other', data: alert },
  'conflicts.detected': {
    target: 'conflict_detection',
    activity: 'other',
    data: { revision: whole, active: whole, resolved: whole, monitors: groups({ monitorId: text, count: whole }) },
  },
} as const satisfies Readonly<Record<string, EventType>>;
