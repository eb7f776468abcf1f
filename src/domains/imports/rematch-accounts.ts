/**
 * After the people changed: accounts whose owner is known only now, is another now or is not to be told any more.
 */
import type { Scope } from '../../scope.ts';
import { takeRevision } from '../catalog/index.ts';
import { findRematches, insertRematchChanges, listRematchedApps, lockRematchedApps, updateRematched } from './store-rematch.ts';

/**
 * Gives every account, except those whose owner was set by hand, the owner it matches now, each app under a revision of its own; returns how many
 * accounts changed. Reads all accounts and all people once, and writes what changed.
 */
export async function rematchAccounts(scope: Scope, importId: string): Promise<number> {
  // Looked at twice: who changes accounts meanwhile is waited for, and then looked at as they left it.
  if ((await findRematches(scope)) === 0) {
    return 0;
  }
  await lockRematchedApps(scope);
  const found = await findRematches(scope);
  for (const appId of found === 0 ? [] : await listRematchedApps(scope)) {
    const revision = await takeRevision(scope, appId, 'IMPORT', importId);
    await insertRematchChanges(scope, appId, revision);
    await updateRematched(scope, appId);
  }
  return found;
}
