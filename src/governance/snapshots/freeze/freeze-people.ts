/**
 * Freezing whose access a review asks about: every account of the apps in scope with the filter that leaves it out, and the owners.
 */
import type { Context } from '../../../context.ts';
import { timeBefore } from '../../../lib/time-before.ts';
import type { TranslatedCondition } from '../conditions/index.ts';
import { explainFailures, findVerdicts } from './freeze-verdicts.ts';
import { type ChosenScope, type ReviewToFreeze, listSnapshotApps } from '../scope/index.ts';
import { insertSnapshotReviewed } from './store-freeze.ts';
import { type AccountsInScope, getHoldersNow, insertSnapshotAccounts, insertSnapshotPeople } from './store-holders.ts';
import { type Holders, insertSnapshotResources } from '../items/index.ts';

/** The accounts of the apps whose entitlements were frozen, with what leaves them out. */
async function findAccountsInScope(context: Context, snapshotId: string, { filters, entries }: ChosenScope): Promise<AccountsInScope> {
  const appIds = await listSnapshotApps(context, snapshotId);
  return {
    appIds,
    filters,
    verdicts: await findVerdicts(context, appIds, filters),
    excluded: {
      accountIds: entries.filter((entry) => entry.kind === 'ACCOUNT').map((entry) => entry.accountId),
      userIds: entries.filter((entry) => entry.kind === 'USER').map((entry) => entry.objectId),
    },
  };
}

/** Freezes what was decided lately, where the filters of grants ask. */
export async function freezeReviewed(
  context: Context,
  snapshotId: string,
  { getDecidedSince }: Pick<ReviewToFreeze, 'getDecidedSince'>,
  { filters }: ChosenScope,
): Promise<void> {
  const { unreviewedForSeconds } = filters.grants;
  if (unreviewedForSeconds !== undefined) {
    const appIds = await listSnapshotApps(context, snapshotId);
    await insertSnapshotReviewed(context, snapshotId, getDecidedSince(appIds, timeBefore(context.now, unreviewedForSeconds * 1000)));
  }
}

async function freezeAccounts(context: Context, snapshotId: string, of: AccountsInScope, which: 'all' | 'sample'): Promise<void> {
  if (which === 'all') {
    await insertSnapshotPeople(context, snapshotId, of.appIds, of.filters, of.verdicts);
  }
  await insertSnapshotAccounts(context, snapshotId, { ...of, which });
  if (of.filters.principals !== 'ACCOUNTS') {
    await insertSnapshotResources(context, snapshotId);
  }
  if (which === 'all') {
    await explainFailures(context, snapshotId, of.filters);
  }
}

/** Freezes accounts and people of the apps whose entitlements were frozen; of a sample, only some accounts that nothing leaves out. */
export async function freezePeople(context: Context, snapshotId: string, chosen: ChosenScope, which: 'all' | 'sample'): Promise<void> {
  await freezeAccounts(context, snapshotId, await findAccountsInScope(context, snapshotId, chosen), which);
}

/** Accounts and people of a scope that are not frozen. */
export interface PeopleNow {
  /** Returns them as the inventory has them, with these conditions of policies worked out. */
  readonly getHolders: (conditions: readonly TranslatedCondition[]) => Holders;
  /** Freezes them after all. */
  readonly freeze: () => Promise<void>;
}

/** Finds accounts and people of the apps whose entitlements were frozen, and freezes none of them. */
export async function readPeople(context: Context, snapshotId: string, chosen: ChosenScope): Promise<PeopleNow> {
  const of = await findAccountsInScope(context, snapshotId, chosen);
  return {
    getHolders: (conditions) => getHoldersNow(context, snapshotId, of, conditions),
    freeze: () => freezeAccounts(context, snapshotId, of, 'all'),
  };
}
