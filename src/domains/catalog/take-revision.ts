/**
 * The inventory's revisions: each change of who has what is one revision of the tenant, and of one app.
 */
import type { Context } from '../../context.ts';
import { insertRevision, type RevisionCause } from './store-revisions.ts';

/**
 * Takes the tenant's next revision for a change of this app's grants or accounts and returns its number. Whoever else wants one waits until
 * this transaction ends, so take it late. `importId` is that of the sync that makes the change, '' where no file does.
 */
export function takeRevision(context: Context, appId: string, cause: RevisionCause, syncId = ''): Promise<number> {
  return insertRevision(context, appId, cause, syncId);
}
