/** Events about removals that their connector does not carry out: they are left to people, or wait for an administrator. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import type { LeftReason } from '../record/index.ts';

/** The source of such removals. */
interface Of {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
}

/** Ids that an event names. */
const perEvent = 100;
const digestOf = (ids: readonly string[]): string =>
  createHash('sha256')
    .update([...ids].sort().join(','))
    .digest('hex');

/** Says that removals are left to people. */
export async function recordLeft(
  context: Context,
  { id, appId, displayName }: Of,
  reason: LeftReason,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += perEvent) {
    const some = ids.slice(at, at + perEvent);
    await recordEvent(context, {
      kind: 'revocations.left_to_people',
      targetId: id,
      data: { appId, displayName, reason, count: some.length, digest: digestOf(some), ids: some },
    });
  }
}

/** Says that removals wait for a release. */
export async function recordLimited(context: Context, { id, appId, displayName }: Of, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await recordEvent(context, {
      kind: 'revocations.limited',
      targetId: id,
      data: { appId, displayName, count: ids.length, digest: digestOf(ids), ids: ids.slice(0, perEvent) },
    });
  }
}

/** Says that somebody let removals go that were over the limits. */
export async function recordReleased(context: Context, { id, appId, displayName }: Of, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await recordEvent(context, {
      kind: 'revocations.released',
      targetId: id,
      data: { appId, displayName, count: ids.length, digest: digestOf(ids), ids: ids.slice(0, perEvent) },
    });
  }
}
