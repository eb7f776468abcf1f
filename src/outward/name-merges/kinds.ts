/** The kinds of what is merged, in the order in which they are: how each is found and merged, what follows it, and the event that says so. */
import { quoteName } from '../../lib/names/visible-text.ts';
import type { Context } from '../../context.ts';
import { moveEntries } from '../../inventory/access-profiles/index.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import {
  listAccountsByIds,
  listSourceNames,
  listTwins,
  mergeCatalog,
  type MergedKind,
  moveAccountOwners,
  updateTwinKeys,
} from '../../inventory/catalog/index.ts';
import { moveAlerts, moveMonitored } from '../../governance/conflicts/index.ts';
import { listAccountTwins, type Merge, mergeAccounts, type TwinRow, updateAccountKeys } from '../../inventory/ledger/index.ts';
import { renameInPolicies } from '../../governance/policies/index.ts';
import { renameInReviews } from '../../governance/reviews/index.ts';
import { moveEntitlementRemovals, moveRemovals, moveResourceRemovals } from '../../governance/revocations/index.ts';
import { movePushedAccounts, movePushedGroups } from '../../inventory/scim/index.ts';
import { moveScopeAccounts, moveScopeEntitlements, moveScopeResources, moveScopeTypes } from '../../governance/snapshots/index.ts';
import { moveChosenEntitlements, moveChosenTypes, renameInTemplates } from '../../governance/templates/index.ts';

export const kinds = ['RESOURCE_TYPE', 'RESOURCE', 'ENTITLEMENT', 'ACCOUNT'] as const satisfies readonly (MergedKind | 'ACCOUNT')[];

/** Kind of what is merged. */
export type Kind = (typeof kinds)[number];

/** A change of one app, and its revision. */
interface Change {
  readonly appId: string;
  readonly revision: number;
}

/** The next twins of a kind behind a place, by app and id. */
export function listTwinsOf(
  context: Context,
  kind: Kind,
  after: { readonly appId: string; readonly id: string },
  limit: number,
): Promise<TwinRow[]> {
  return kind === 'ACCOUNT' ? listAccountTwins(context, after, limit) : listTwins(context, kind, after, limit);
}

/** Gives those that stay the keys of their names. */
export function updateKeysOf(context: Context, kind: Kind, appId: string, twins: readonly TwinRow[]): Promise<void> {
  return kind === 'ACCOUNT' ? updateAccountKeys(context, appId, twins) : updateTwinKeys(context, kind, appId, twins);
}

/** Merges some of a kind; all that is not over follows, and an event of each says so. */
export async function mergeKind(
  context: Context,
  kind: Kind,
  change: Change,
  merges: readonly Merge[],
  twins: readonly TwinRow[],
): Promise<void> {
  const { appId, revision } = change;
  const names = await listNames(context, kind, [...new Set(merges.flatMap((one) => [one.fromId, one.intoId]))]);
  const gained = kind === 'ACCOUNT' ? await mergeAccounts(context, change, merges) : await mergeCatalog(context, kind, change, merges);
  await updateKeysOf(context, kind, appId, twins);
  await follow(context, kind, appId, merges);
  const nameOf = (id: string): string => quoteName(names.get(id) ?? '');
  for (const { fromId, intoId } of merges) {
    const data = { appId, revision, fromId, fromName: nameOf(fromId), name: nameOf(intoId) };
    await recordMerged(context, kind, intoId, data, gained.get(intoId) ?? 0);
  }
}

async function listNames(context: Context, kind: Kind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (kind !== 'ACCOUNT') {
    return listSourceNames(context, kind, ids);
  }
  return new Map([...(await listAccountsByIds(context, ids))].map(([id, { externalId }]) => [id, externalId]));
}

/** Lets all that names those that went, and is not over, name those that stay. */
async function follow(context: Context, kind: Kind, appId: string, merges: readonly Merge[]): Promise<void> {
  switch (kind) {
    case 'RESOURCE_TYPE':
      await moveScopeTypes(context, appId, merges);
      await moveChosenTypes(context, appId, merges);
      break;
    case 'RESOURCE':
      await moveScopeResources(context, appId, merges);
      await moveResourceRemovals(context, appId, merges);
      break;
    case 'ENTITLEMENT':
      await moveEntries(context, appId, merges);
      await movePushedGroups(context, appId, merges);
      await moveMonitored(context, appId, merges);
      await moveScopeEntitlements(context, appId, merges);
      await moveChosenEntitlements(context, appId, merges);
      await moveEntitlementRemovals(context, appId, merges);
      break;
    case 'ACCOUNT':
      await moveAccountOwners(context, appId, merges);
      await movePushedAccounts(context, appId, merges);
      await moveAlerts(context, appId, merges);
      await moveScopeAccounts(context, appId, merges);
      await moveRemovals(context, appId, merges);
      return;
  }
  await renameInPolicies(context, merges);
  await renameInReviews(context, merges);
  await renameInTemplates(context, merges);
}

type Merged = { appId: string; revision: number; fromId: string; fromName: string; name: string };

async function recordMerged(context: Context, kind: Kind, targetId: string, data: Merged, gained: number): Promise<void> {
  switch (kind) {
    case 'RESOURCE_TYPE':
      await recordEvent(context, { kind: 'resource_type.merged', targetId, data: { ...data, resourcesGained: gained } });
      break;
    case 'RESOURCE':
      await recordEvent(context, { kind: 'resource.merged', targetId, data: { ...data, entitlementsGained: gained } });
      break;
    case 'ENTITLEMENT':
      await recordEvent(context, { kind: 'entitlement.merged', targetId, data: { ...data, grantsGained: gained } });
      break;
    case 'ACCOUNT':
      await recordEvent(context, { kind: 'account.merged', targetId, data: { ...data, grantsGained: gained } });
  }
}
