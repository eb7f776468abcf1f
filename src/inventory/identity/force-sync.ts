/**
 * Asking a source for a sync now. Files and pushes come from outside, so what can be done at once is done, and the wish is written down.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedSourceOf, requireSourceRunner } from '../sources/index.ts';
import { matchAccounts } from './match-accounts.ts';

/**
 * Matches the accounts of the source's app to people again and leaves an event that asks for the next file; whoever feeds the source can
 * wait for it. NOT_FOUND for no such source, PERMISSION_DENIED for whoever reads it and does not run it,
 * FAILED_PRECONDITION for one that is paused.
 */
export function forceSync(context: Context, appId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireSourceRunner(inside, id);
    const { displayName, pausedAt } = await requireLockedSourceOf(inside, appId, id);
    if (pausedAt !== null) {
      throw new AppError('FAILED_PRECONDITION', `The source ${JSON.stringify(displayName)} is paused. Resume it first.`);
    }
    const rematch = await matchAccounts(inside, appId, 'MANUAL');
    await recordEvent(inside, {
      kind: 'connector.sync_requested',
      targetId: id,
      data: { appId, displayName, revisions: rematch.revisions, changedAccounts: rematch.changed, accounts: rematch.first },
    });
  });
}
