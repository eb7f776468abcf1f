/** Making resource types, resources and entitlements of one app one, of which the oldest stays. The ledger gives on what is held of entitlements. */
import type { Context } from '../../../context.ts';
import { type Merge, mergeGrants } from '../../ledger/index.ts';
import { copyOwners, moveOwningEntitlements } from './store-merge-owners.ts';
import {
  moveEntitlements,
  moveResources,
  renameInEntitlements,
  updateMergedEntitlements,
  updateMergedResources,
  updateMergedTypes,
} from './store-merge-rows.ts';
import { type MergedKind, updateMergedTwins } from './store-twins.ts';

/** A change of one app, and its revision. */
export interface CatalogChange {
  readonly appId: string;
  readonly revision: number;
}

/** What each that stays gained, by its id: grants of an entitlement, entitlements of a resource, resources of a type. */
export type Gained = ReadonlyMap<string, number>;

/**
 * Lets some of a kind go on as others: what is theirs is those' from then on, and they are gone. All are there and of this app, which is locked; none that
 * goes on is another's end. What stands in resource types and resources may fall together by it, and is merged after.
 */
export async function mergeCatalog(context: Context, kind: MergedKind, change: CatalogChange, merges: readonly Merge[]): Promise<Gained> {
  const gained = await moveContents(context, kind, change, merges);
  await updateMergedTwins(context, kind, change.appId, merges);
  await updateRest(context, kind, change.appId, merges);
  return gained;
}

async function moveContents(context: Context, kind: MergedKind, change: CatalogChange, merges: readonly Merge[]): Promise<Gained> {
  switch (kind) {
    case 'RESOURCE_TYPE':
      return moveResources(context, change.appId, merges);
    case 'RESOURCE':
      return moveEntitlements(context, change, merges);
    case 'ENTITLEMENT':
      return mergeGrants(context, change, merges);
  }
}

/** Behind the end of those that went: an alias is one entitlement's. */
async function updateRest(context: Context, kind: MergedKind, appId: string, merges: readonly Merge[]): Promise<void> {
  switch (kind) {
    case 'RESOURCE_TYPE':
      await updateMergedTypes(context, appId, merges);
      break;
    case 'RESOURCE':
      await updateMergedResources(context, appId, merges);
      await copyOwners(context, 'resource', appId, merges);
      break;
    case 'ENTITLEMENT':
      await updateMergedEntitlements(context, appId, merges);
      await copyOwners(context, 'entitlement', appId, merges);
      await moveOwningEntitlements(context, appId, merges);
      await renameInEntitlements(context, merges);
  }
}
