/** Freezing the entitlements that a review chooses, and which grants are in conflict. */
import type { Context } from '../../../context.ts';
import { getActiveConflictGrantsSql, getDetectedGrantsSql, listEnabledMonitors } from '../../conflicts/index.ts';
import { ensureBuiltinPolicy } from '../../policies/index.ts';
import { insertSnapshotConflicts, insertSnapshotEntitlements } from './store-freeze.ts';
import type { ChosenScope, ReviewToFreeze } from '../scope/index.ts';

/** The monitors whose conflicts a review is about: those listed, or all that are enabled now. */
export async function listMonitors(context: Context, { what, entries }: ChosenScope): Promise<string[]> {
  const listed = entries.filter(({ list }) => list === 'MONITOR').map(({ objectId }) => objectId);
  return listEnabledMonitors(context, what.allMonitors ? undefined : listed);
}

/** Freezes which grants are in conflict: of a review about conflicts as they are found now, of others as alerts say. */
export async function freezeConflicts(context: Context, snapshotId: string, chosen: ChosenScope): Promise<void> {
  const isDetected = chosen.what.scopeType === 'BY_ACCESS_CONFLICTS';
  const rows = isDetected
    ? getDetectedGrantsSql(context, await listMonitors(context, chosen))
    : getActiveConflictGrantsSql(context.tenantId);
  await insertSnapshotConflicts(context, snapshotId, rows, isDetected);
}

/** Freezes the entitlements that a review chooses, each with the policy that decides it; with a revision only those that somebody got after it. */
export async function freezeEntitlements(
  context: Context,
  snapshotId: string,
  review: ReviewToFreeze,
  chosen: ChosenScope,
  after?: number,
): Promise<void> {
  const policy = { policyId: review.policyId || (await ensureBuiltinPolicy(context)).id, usePolicyOverride: review.usePolicyOverride };
  await insertSnapshotEntitlements(context, snapshotId, review.id, chosen, policy, after);
}
