/**
 * Deleting a policy.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { forgetPolicy, setLockWait } from '../../inventory/catalog/index.ts';
import { noSuchPolicy } from './read.ts';
import { listReferringPolicies, lockReferences, updateReferences } from './store-references.ts';
import { policySlot } from './slots.ts';
import { lockPolicy, removePolicy } from './store.ts';

const namedUses = 5;

/** Refuses where another policy refers to this one; the tenant's references are locked until the transaction ends. */
async function refuseReferenced(context: Context, id: string): Promise<void> {
  await lockReferences(context);
  const referring = await listReferringPolicies(context, id, namedUses + 1);
  if (referring.length > 0) {
    const names = referring.slice(0, namedUses).map((one) => `${JSON.stringify(one.displayName)} (${one.id})`);
    const others = referring.length > namedUses ? ' and others' : '';
    throw new AppError(
      'FAILED_PRECONDITION',
      `Other policies refer to this policy: ${names.join(', ')}${others}. Take the reference out of their rules, baseline or escalations first.`,
    );
  }
}

/**
 * Deletes a policy; its row stays, since reviews and events name it. Apps and entitlements that chose it choose none from then on, and the
 * event names them. FAILED_PRECONDITION for the one the tenant started with, where another policy refers to it, and where a draft still chooses it (the message names them).
 * Prepared and running reviews hold a copy and do not mind.
 */
export function deletePolicy(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    // Whoever changes an app holds it before the policy, and here it is the other way round: one of the two gives way and begins again.
    await setLockWait(inside);
    const policy = await lockPolicy(inside, id);
    if (policy === undefined || policy.deletedAt !== null) {
      throw noSuchPolicy();
    }
    if (policy.systemBuiltin) {
      throw new AppError('FAILED_PRECONDITION', 'The tenant started with this policy. It can be changed, but not deleted.');
    }
    await refuseReferenced(inside, id);
    const uses = await policySlot.get().listPolicyUses(inside, id, namedUses + 1);
    if (uses.length > 0) {
      const names = uses
        .slice(0, namedUses)
        .map((use) => `the review ${JSON.stringify(use.displayName)} (${use.id})`)
        .join(', ');
      throw new AppError(
        'FAILED_PRECONDITION',
        `The policy is still chosen by ${names}${uses.length > namedUses ? ' and others' : ''}. Choose another policy there first.`,
      );
    }
    await removePolicy(inside, id);
    await updateReferences(inside, id, []);
    const forgotten = await forgetPolicy(inside, id);
    await recordEvent(inside, {
      kind: 'policy.deleted',
      targetId: id,
      data: { displayName: policy.displayName, ...forgotten },
    });
  });
}
