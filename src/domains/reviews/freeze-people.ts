/**
 * Freezing whose access a review asks about: every account of the apps in scope with the filter that leaves it out, and the owners.
 */
import type { Context } from '../../context.ts';
import { timeBefore } from '../../lib/time-before.ts';
import type { ChosenScope } from './freeze-scope.ts';
import { explainFailures, findVerdicts } from './freeze-verdicts.ts';
import { listSnapshotApps } from './store-accuracy.ts';
import { insertSnapshotAccounts, insertSnapshotPeople, insertSnapshotReviewed } from './store-freeze.ts';
import { insertSnapshotResources } from './store-links.ts';

/** Freezes accounts and people of the apps whose entitlements were frozen; of a sample, only some accounts that nothing leaves out. */
export async function freezePeople(context: Context, snapshotId: string, chosen: ChosenScope, which: 'all' | 'sample'): Promise<void> {
  const { filters, entries } = chosen;
  const appIds = await listSnapshotApps(context, snapshotId);
  const verdicts = await findVerdicts(context, appIds, filters);
  const excluded = {
    accountIds: entries.filter((entry) => entry.kind === 'ACCOUNT').map((entry) => entry.accountId),
    userIds: entries.filter((entry) => entry.kind === 'USER').map((entry) => entry.objectId),
  };
  if (which === 'all') {
    await insertSnapshotPeople(context, snapshotId, appIds, filters, verdicts);
  }
  await insertSnapshotAccounts(context, snapshotId, { appIds, filters, excluded, verdicts, which });
  if (filters.principals !== 'ACCOUNTS') {
    await insertSnapshotResources(context, snapshotId);
  }
  if (which === 'all') {
    await explainFailures(context, snapshotId, filters);
  }
  const { unreviewedForSeconds } = filters.grants;
  if (unreviewedForSeconds !== undefined) {
    await insertSnapshotReviewed(context, snapshotId, appIds, timeBefore(context.now, unreviewedForSeconds * 1000));
  }
}
