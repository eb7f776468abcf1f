/**
 * Making a policy.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { inTransaction, type Context } from '../../context.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent, withoutFractions } from '../audit/index.ts';
import { insertPolicy, type PolicyRow } from './store.ts';
import { requireValidPolicy } from './validate.ts';

/** The document of a policy as a client sent it: in canonical form, its name trimmed. */
export function documentOf(sent: JsonObject): JsonObject {
  const document = canonicalise(PolicySchema, sent);
  return { ...document, displayName: String(document.displayName ?? '').trim() };
}

/** Makes a policy of what was sent and returns it; INVALID_ARGUMENT with all that is wrong with it. */
export async function createPolicy(context: Context, sent: JsonObject): Promise<PolicyRow> {
  const document = documentOf(sent);
  requireValidPolicy(document, '', false);
  const displayName = String(document.displayName);
  const policyType = String(document.policyType);
  const policy = { id: newId(context.now), displayName, policyType, systemBuiltin: false, document };
  await inTransaction(context, async (inside) => {
    await insertPolicy(inside, policy);
    await recordEvent(inside, {
      kind: 'policy.created',
      targetType: 'policy',
      targetId: policy.id,
      data: { displayName, policyType, policy: withoutFractions(document) },
    });
  });
  return { ...policy, createdAt: context.now, updatedAt: context.now, deletedAt: null };
}
