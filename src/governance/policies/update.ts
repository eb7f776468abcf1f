/**
 * Changing a policy. What was already prepared is not touched: reviews hold a copy from then on.
 */
import { invalidField } from '../../errors.ts';
import { type PolicyJson, PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../context.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent, refuseStale, withoutFractions } from '../../foundation/audit/index.ts';
import { policyDocument } from './create.ts';
import { noSuchPolicy } from './read.ts';
import { lockPolicy, type PolicyRow, updatePolicyDocument } from './store.ts';
import { checkReferences, listReferences } from './references.ts';
import { updateReferences } from './store-references.ts';
import { checkPolicy, hasSteps, refusePolicy } from './validate.ts';

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the policy. NOT_FOUND for nothing and for
 * deleted ones; INVALID_ARGUMENT for a result that is no policy, another type, and one that would lose its last step.
 */
export function updatePolicy(context: Context, id: string, sent: PolicyJson, mask: readonly string[] | undefined): Promise<PolicyRow> {
  return inTransaction(context, async (inside) => {
    const policy = await lockPolicy(inside, id);
    if (policy === undefined || policy.deletedAt !== null) {
      throw noSuchPolicy();
    }
    const document = policyDocument(applyUpdate(PolicySchema, policy.document, sent, mask));
    refusePolicy([
      ...checkPolicy(document, 'policy.', { builtin: policy.systemBuiltin, mayLackSteps: !hasSteps(policy.document) }),
      ...(await checkReferences(inside, id, document, 'policy.')),
    ]);
    if (document.policyType !== policy.policyType) {
      throw invalidField('policy.policyType', `is fixed at creation: this one is ${policy.policyType}`);
    }
    const { fields } = compareDocuments(policy.document, document);
    if (fields.length === 0) {
      return policy;
    }
    await refuseStale(inside, { member: 'policy', targetId: id, kinds: ['policy.updated'], before: policy.document, fields });
    const { displayName } = document;
    await updatePolicyDocument(inside, id, displayName, document);
    await updateReferences(
      inside,
      id,
      listReferences(document).map(({ policyId }) => policyId),
    );
    await recordEvent(inside, {
      kind: 'policy.updated',
      targetId: id,
      data: { displayName, fields, from: withoutFractions(policy.document), to: withoutFractions(document) },
    });
    return { ...policy, displayName, document, updatedAt: inside.now };
  });
}
