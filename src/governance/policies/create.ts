/**
 * Making a policy.
 */
import { type PolicyJson, PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { inTransaction, type Context } from '../../context.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent, withoutFractions } from '../../foundation/audit/index.ts';
import { insertPolicy, type PolicyRow } from './store.ts';
import { checkReferences, listReferences } from './references.ts';
import { updateReferences } from './store-references.ts';
import { checkPolicy, refusePolicy } from './validate.ts';

/** The document of a policy as a client sent it: in canonical form, its name trimmed. */
export function policyDocument(sent: PolicyJson) {
  const document = canonicalise(PolicySchema, sent);
  return { ...document, displayName: (document.displayName ?? '').trim() };
}

/** Makes a policy of what was sent and returns it; INVALID_ARGUMENT with all that is wrong with it. */
export async function createPolicy(context: Context, sent: PolicyJson): Promise<PolicyRow> {
  const document = policyDocument(sent);
  const { displayName, policyType = 'POLICY_TYPE_UNSPECIFIED' } = document;
  const policy = { id: newId(context.now), displayName, policyType, systemBuiltin: false, document };
  await inTransaction(context, async (inside) => {
    refusePolicy([...checkPolicy(document, ''), ...(await checkReferences(inside, '', document, ''))]);
    await insertPolicy(inside, policy);
    await updateReferences(
      inside,
      policy.id,
      listReferences(document).map(({ policyId }) => policyId),
    );
    await recordEvent(inside, {
      kind: 'policy.created',
      targetId: policy.id,
      data: { displayName, policyType, policy: withoutFractions(document) },
    });
  });
  return { ...policy, createdAt: context.now, updatedAt: context.now, deletedAt: null };
}
