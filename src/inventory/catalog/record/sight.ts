/** The sight of a caller on the inventory, with the apps they own. */
import type { Context } from '../../../context.ts';
import { type Sight, seesInventory } from '../../../foundation/authority/index.ts';
import { listOwnedAppIds } from './store-owned-apps.ts';

/** Loads the caller's sight of apps and their parts: one query for a reply, none for whoever reads the whole inventory. */
export async function loadSight(context: Context): Promise<Sight> {
  const { actor } = context;
  return { actor, ownedAppIds: new Set(seesInventory(actor) ? [] : await listOwnedAppIds(context)) };
}
