/**
 * Making, changing, enabling, disabling and deleting monitors. What changes what a monitor looks for resolves its alerts; an enabled one is looked at
 * anew then (detect.ts).
 */
import { inTransaction, type Context } from '../../context.ts';
import { AppError, type FieldViolation } from '../../errors.ts';
import {
  type ConflictMonitorJson,
  ConflictMonitorSchema,
  type NotificationConfigJson,
} from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { requireUsers } from '../../inventory/catalog/index.ts';
import { recordAlerts } from './record.ts';
import { requireLockedMonitor, requireMonitor } from './require.ts';
import type { Resolution } from './states.ts';
import { updateResolved } from './store-alerts.ts';
import { countBindings } from './store-entitlements.ts';
import { insertMonitor, type MonitorContent, type MonitorRow, removeMonitor, updateEnabled, updateMonitor } from './store-monitors.ts';

const maxNameLength = 1000;
const maxDescriptionLength = 10_000;
const maxPeople = 100;

/** The people that the settings of a monitor's mails name. */
function mailedPeople(config: NotificationConfigJson | null): string[] {
  return config?.emailNotifications?.identityUserIds ?? [];
}

/** Reads a monitor as sent, in one form; INVALID_ARGUMENT with all that is wrong. */
function contentOf(sent: ConflictMonitorJson): MonitorContent {
  const { displayName = '', description = '', negateGroupB = false, notificationConfig = null } = canonicalise(ConflictMonitorSchema, sent);
  const name = displayName.trim();
  const violations: FieldViolation[] = [];
  if (name === '' || name.length > maxNameLength) {
    violations.push({ field: 'displayName', description: `must have 1 to ${maxNameLength} characters` });
  }
  if (description.length > maxDescriptionLength) {
    violations.push({ field: 'description', description: `must not be longer than ${maxDescriptionLength} characters` });
  }
  if (mailedPeople(notificationConfig).length > maxPeople) {
    violations.push({
      field: 'notificationConfig.emailNotifications.identityUserIds',
      description: `must name at most ${maxPeople} people`,
    });
  }
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'The monitor is not valid.', { violations });
  }
  return { displayName: name, description, negateGroupB, notificationConfig };
}

/** Returns a monitor as sent, without what the server owns. */
function contentAsSent({ displayName, description, negateGroupB, notificationConfig }: MonitorContent) {
  return { displayName, description, negateGroupB, ...(notificationConfig === null ? {} : { notificationConfig }) };
}

function requireMailed(context: Context, config: NotificationConfigJson | null): Promise<void> {
  return requireUsers(context, mailedPeople(config), 'notificationConfig.emailNotifications.identityUserIds');
}

/** Makes a monitor that looks for nothing yet and is disabled. Names may repeat, as in the public API. */
export function createMonitor(context: Context, sent: ConflictMonitorJson): Promise<MonitorRow> {
  const content = contentOf(sent);
  return inTransaction(context, async (inside) => {
    await requireMailed(inside, content.notificationConfig);
    const id = newId(inside.now);
    await insertMonitor(inside, { id, setAId: newId(inside.now), setBId: newId(inside.now) }, content);
    await recordEvent(inside, {
      kind: 'conflict_monitor.created',
      targetId: id,
      data: contentAsSent(content),
    });
    return requireMonitor(inside, id);
  });
}

/** Resolves all alerts of a monitor, with an event for each. The caller has locked the monitor. */
export async function resolveAlerts(context: Context, monitorId: string, resolution: Exclude<Resolution, ''>): Promise<number> {
  const changeId = newId(context.now);
  const resolved = await updateResolved(context, monitorId, changeId, resolution);
  if (resolved > 0) {
    await recordAlerts(context, 'conflict_alert.resolved', changeId, 'RESOLVED');
  }
  return resolved;
}

/** Changes the members that were sent. NOT_FOUND for none, INVALID_ARGUMENT with all that is wrong. Other names keep the alerts; another rule does not. */
export function changeMonitor(context: Context, id: string, sent: ConflictMonitorJson): Promise<MonitorRow> {
  const { id: _id, ...members } = sent;
  return inTransaction(context, async (inside) => {
    const monitor = await requireLockedMonitor(inside, id);
    const before = contentAsSent(monitor);
    const content = contentOf(applyUpdate(ConflictMonitorSchema, before, members, undefined));
    const { fields, from, to } = compareDocuments(before, contentAsSent(content));
    if (fields.includes('notificationConfig')) {
      await requireMailed(inside, content.notificationConfig);
    }
    if (fields.length > 0) {
      await refuseStale(inside, { targetId: id, kinds: ['conflict_monitor.updated'], before, fields });
      await updateMonitor(inside, id, content);
      const resolved = fields.includes('negateGroupB') ? await resolveAlerts(inside, id, 'MONITOR_CHANGED') : 0;
      await recordEvent(inside, {
        kind: 'conflict_monitor.updated',
        targetId: id,
        data: { fields, from, to, resolved },
      });
    }
    return requireMonitor(inside, id);
  });
}

/** Lists groups by which a monitor finds nothing. */
function listEmptyGroups(groups: Readonly<Record<'A' | 'B', number>>, negateGroupB: boolean): FieldViolation[] {
  return [
    ...(groups.A === 0 ? [{ field: 'entitlementSetAId', description: 'group A is empty: add an entitlement to it' }] : []),
    ...(groups.B === 0 && !negateGroupB
      ? [{ field: 'entitlementSetBId', description: 'group B is empty: add an entitlement to it, or set negateGroupB' }]
      : []),
  ];
}

/** Enables a monitor; a job looks at everybody then. FAILED_PRECONDITION where a group is empty, but for a negated B. Already enabled is allowed. */
export function enableMonitor(context: Context, id: string): Promise<MonitorRow> {
  return inTransaction(context, async (inside) => {
    const monitor = await requireLockedMonitor(inside, id);
    if (monitor.enabled) {
      return monitor;
    }
    const violations = listEmptyGroups(await countBindings(inside, id), monitor.negateGroupB);
    if (violations.length > 0) {
      const reasons = violations.map(({ description }) => description).join('; ');
      throw new AppError('FAILED_PRECONDITION', `The monitor would find nothing: ${reasons}.`, { violations });
    }
    await updateEnabled(inside, id, true);
    await recordEvent(inside, {
      kind: 'conflict_monitor.enabled',
      targetId: id,
      data: { displayName: monitor.displayName },
    });
    return requireMonitor(inside, id);
  });
}

/** Disables a monitor and resolves its alerts. Already disabled is allowed. */
export function disableMonitor(context: Context, id: string): Promise<MonitorRow> {
  return inTransaction(context, async (inside) => {
    const monitor = await requireLockedMonitor(inside, id);
    if (!monitor.enabled) {
      return monitor;
    }
    await updateEnabled(inside, id, false);
    const resolved = await resolveAlerts(inside, id, 'MONITOR_DISABLED');
    await recordEvent(inside, {
      kind: 'conflict_monitor.disabled',
      targetId: id,
      data: { displayName: monitor.displayName, resolved },
    });
    return requireMonitor(inside, id);
  });
}

/** Deletes a monitor and resolves its alerts, which stay to be read. NOT_FOUND for none. */
export function deleteMonitor(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { displayName } = await requireLockedMonitor(inside, id);
    const resolved = await resolveAlerts(inside, id, 'MONITOR_DELETED');
    await removeMonitor(inside, id);
    await recordEvent(inside, {
      kind: 'conflict_monitor.deleted',
      targetId: id,
      data: { displayName, resolved },
    });
  });
}
