/**
 * The inventory's revisions: each change of who has what is one revision of the tenant, and of one app.
 */
import type { Context } from '../../context.ts';
import { findLastNumber, holdNumber, takeNumbers } from '../../foundation/tenants/index.ts';
import { insertRevision, type RevisionCause } from './store-revisions.ts';

/**
 * Takes the tenant's next revision for a change of this app's grants or accounts and returns its number. Whoever else wants one waits until
 * this transaction ends, so take it late. `syncId` is that of the sync that makes the change, '' where no file does.
 */
export async function takeRevision(context: Context, appId: string, cause: RevisionCause, syncId = ''): Promise<number> {
  const revision = await takeNumbers(context, 'inventory_revision', 1);
  await insertRevision(context, revision, { appId, cause, syncId });
  return revision;
}

/** The tenant's inventory revision as last committed, 0 before the first change. */
export function findRevision(context: Context): Promise<number> {
  return findLastNumber(context, 'inventory_revision');
}

/**
 * The tenant's inventory revision, held still until the transaction ends: whoever changes who has what waits. Undefined, at once, where somebody is
 * changing it: an import may take minutes, so nobody waits for it who holds anything.
 */
export function holdRevision(context: Context): Promise<number | undefined> {
  return holdNumber(context, 'inventory_revision');
}
