/** Letting the connector of a source carry out removals, and letting go what was over its limits. */
import { AppError, invalidField } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import type { SourceRemovals } from '../../../gen/countersign/v1/source_removals_pb.js';
import type { Row } from '../../../wire/row.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { isBehind } from '../../../foundation/authority/index.ts';
import { findProvisions, releaseTasks } from '../../../inventory/connector-tasks/index.ts';
import { findRemovalSettings, requireLockedSource, requireSource, updateRemovals } from '../../../inventory/sources/index.ts';
import { recordReleased } from './record-left.ts';
import { moveSending } from './store.ts';
import { countSendings, listAskers, listLimited } from './store-limits.ts';

const maxHourly = 1000;
/** Removals of one release; those over it wait for another. */
const perRelease = 1000;

/** Shows what the connector of a source does about removals. */
export async function getRemovals(context: Context, id: string): Promise<Row<SourceRemovals>> {
  const { id: sourceId } = await requireSource(context, id);
  const settings = await findRemovalSettings(context, sourceId);
  const provisions = [...(await findProvisions(context, sourceId))];
  const can = (capability: string) => provisions.filter(([, names]) => names.has(capability)).map(([type]) => type);
  return {
    enabled: settings?.isEnabled ?? false,
    hourly: settings?.hourly ?? 0,
    resourceTypes: can('CAPABILITY_PROVISION').sort(),
    deletesAccounts: can('CAPABILITY_RESOURCE_DELETE').length > 0,
    ...(await countSendings(context, sourceId)),
  };
}

/** Sets both; FAILED_PRECONDITION where the connector did not say that it can remove anything, or where the source has none. */
export function setRemovals(
  context: Context,
  id: string,
  asked: { readonly enabled: boolean; readonly hourly: number },
): Promise<Row<SourceRemovals>> {
  if (asked.hourly < 0 || asked.hourly > maxHourly) {
    throw invalidField('hourly', `must be a number from 1 to ${maxHourly}`);
  }
  return inTransaction(context, async (inside) => {
    const { kind, appId, displayName } = await requireLockedSource(inside, id);
    const before = await findRemovalSettings(inside, id);
    if (kind !== 'BATON' || before === undefined) {
      throw new AppError('FAILED_PRECONDITION', 'This source has no connector that speaks to us, so nothing can be removed through it.');
    }
    const { resourceTypes } = await getRemovals(inside, id);
    if (asked.enabled && (resourceTypes ?? []).length === 0) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'The connector did not say that it can remove anything. Start it with what it needs for that, such as --provisioning, and look at its hosts.',
      );
    }
    const hourly = asked.hourly === 0 ? before.hourly : asked.hourly;
    if (before.isEnabled !== asked.enabled || before.hourly !== hourly) {
      const stands = { enabled: before.isEnabled, hourly: before.hourly };
      await refuseStale(inside, { targetId: id, kinds: ['connector.removals_changed'], before: stands });
      await updateRemovals(inside, id, asked.enabled, hourly);
      const from = { enabled: before.isEnabled, hourly: before.hourly };
      await recordEvent(inside, {
        kind: 'connector.removals_changed',
        targetId: id,
        data: { appId, displayName, enabled: asked.enabled, hourly, from },
      });
    }
    return getRemovals(inside, id);
  });
}

/** Sends what was over the limits; PERMISSION_DENIED where the caller denied one of them, or asked for it. Returns how many. */
export function releaseRemovals(context: Context, id: string): Promise<number> {
  return inTransaction(context, async (inside) => {
    const { appId, displayName } = await requireLockedSource(inside, id);
    const limited = await listLimited(inside, id, perRelease);
    if (
      (
        await listAskers(
          inside,
          limited.map((one) => one.id),
        )
      ).some((askerId) => isBehind(inside.actor, askerId))
    ) {
      throw new AppError('PERMISSION_DENIED', 'You denied one of these removals, or asked for it: somebody else has to let them go.');
    }
    await releaseTasks(
      inside,
      limited.map(({ taskId }) => taskId),
    );
    const released: string[] = [];
    for (const one of limited) {
      if (await moveSending(inside, one.id, 'RELEASE')) {
        released.push(one.id);
      }
    }
    await recordReleased(inside, { id, appId, displayName }, released);
    return released.length;
  });
}
