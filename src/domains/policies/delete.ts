/**
 * Deleting a policy.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { noSuchPolicy } from './read.ts';
import { listPolicyUses, lockPolicy, removePolicy } from './store.ts';

const namedUses = 5;

/**
 * Deletes a policy; its row stays, since reviews and events name it. FAILED_PRECONDITION for the one the tenant started with, and where a
 * draft, an app or an entitlement still chooses it (the message names them). Prepared and running reviews hold a copy and do not mind.
 */
export function deletePolicy(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const policy = await lockPolicy(inside, id);
    if (policy === undefined || policy.deletedAt !== null) {
      throw noSuchPolicy();
    }
    if (policy.systemBuiltin) {
      throw new AppError('FAILED_PRECONDITION', 'The tenant started with this policy. It can be changed, but not deleted.');
    }
    const uses = await listPolicyUses(inside, id, namedUses + 1);
    if (uses.length > 0) {
      const names = uses
        .slice(0, namedUses)
        .map((use) => `${use.kind} ${JSON.stringify(use.displayName)} (${use.id})`)
        .join(', ');
      throw new AppError(
        'FAILED_PRECONDITION',
        `The policy is still chosen by ${names}${uses.length > namedUses ? ' and others' : ''}. Choose another policy there first.`,
      );
    }
    await removePolicy(inside, id);
    await recordEvent(inside, { kind: 'policy.deleted', targetType: 'policy', targetId: id, data: { displayName: policy.displayName } });
  });
}
