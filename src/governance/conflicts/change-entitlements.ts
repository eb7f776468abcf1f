/**
 * Entitlements a monitor looks for: adding one to a group, taking it out. Either resolves the monitor's alerts, since they were found by another
 * rule.
 */
import { inTransaction, type Context } from '../../context.ts';
import { AppError, invalidField } from '../../errors.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireEntitlement } from '../../inventory/catalog/index.ts';
import { resolveAlerts } from './change-monitor.ts';
import { requireLockedMonitor, requireMonitor } from './require.ts';
import {
  type BindingRow,
  countBindings,
  type EntitlementRef,
  findBinding,
  insertBinding,
  removeBinding,
  type Side,
} from './store-entitlements.ts';

/** Most entitlements of one group. */
const maxEntitlements = 32;

/** An entitlement in a group of a monitor, as a request names it. */
export interface BindingKey extends EntitlementRef {
  readonly monitorId: string;
  readonly side: Side | undefined;
}

function requireSide({ side }: BindingKey): Side {
  if (side === undefined) {
    throw invalidField('entitlementGroup', 'must be ENTITLEMENT_GROUP_A or ENTITLEMENT_GROUP_B');
  }
  return side;
}

const noSuchBinding = 'This group of the monitor does not have the entitlement.';

/** The entitlement in that group of that monitor; NOT_FOUND for none, INVALID_ARGUMENT without a group. */
export async function requireBinding(context: Context, key: BindingKey): Promise<BindingRow> {
  const side = requireSide(key);
  await requireMonitor(context, key.monitorId);
  const found = await findBinding(context, key.monitorId, key);
  if (found?.side !== side) {
    throw new AppError('NOT_FOUND', noSuchBinding);
  }
  return found;
}

async function recordChange(
  context: Context,
  key: EntitlementRef & { monitorId: string; side: Side },
  kind: 'conflict_monitor.entitlement_added' | 'conflict_monitor.entitlement_removed',
): Promise<void> {
  const resolved = await resolveAlerts(context, key.monitorId, 'MONITOR_CHANGED');
  await recordEvent(context, {
    kind,
    targetId: key.monitorId,
    data: { appId: key.appId, appEntitlementId: key.entitlementId, group: key.side, resolved },
  });
}

/**
 * Adds an entitlement to a group. NOT_FOUND for no such monitor, app or entitlement; CONFLICT where the group has it; FAILED_PRECONDITION where the
 * other group does, since whoever holds it would be in conflict with themselves, and where the group is full.
 */
export function addBinding(context: Context, key: BindingKey): Promise<BindingRow> {
  const side = requireSide(key);
  return inTransaction(context, async (inside) => {
    await requireLockedMonitor(inside, key.monitorId);
    await requireEntitlement(inside, key.appId, key.entitlementId);
    const present = await findBinding(inside, key.monitorId, key);
    if (present !== undefined) {
      throw present.side === side
        ? new AppError('CONFLICT', `Group ${side} of the monitor has the entitlement already.`)
        : new AppError('FAILED_PRECONDITION', `Group ${present.side} of the monitor has the entitlement: remove it there first.`, {
            violations: [{ field: 'appEntitlementId', description: `is in group ${present.side}: an entitlement is in one group at most` }],
          });
    }
    if ((await countBindings(inside, key.monitorId))[side] >= maxEntitlements) {
      throw new AppError('FAILED_PRECONDITION', `Group ${side} of the monitor is full: it has ${maxEntitlements} entitlements.`, {
        violations: [{ field: 'entitlementGroup', description: `group ${side} has ${maxEntitlements} entitlements, which is the most` }],
      });
    }
    await insertBinding(inside, key.monitorId, side, key);
    await recordChange(inside, { ...key, side }, 'conflict_monitor.entitlement_added');
    return requireBinding(inside, key);
  });
}

/** Takes an entitlement out of a group. NOT_FOUND where it is not in it. */
export function dropBinding(context: Context, key: BindingKey): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedMonitor(inside, key.monitorId);
    const { side } = await requireBinding(inside, key);
    await removeBinding(inside, key.monitorId, key);
    await recordChange(inside, { ...key, side }, 'conflict_monitor.entitlement_removed');
  });
}
