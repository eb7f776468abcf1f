/**
 * References of a policy to others: by a rule, as its baseline, or by an escalation. They form paths that may not close and not become long, so
 * that who decides can be read from a policy.
 */
import type { FieldViolation } from '../../errors.ts';
import type { PolicyJson, PolicyStepJson, PolicyTypeJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { Context } from '../../context.ts';
import { listPoliciesByIds, type PolicyRow } from './store.ts';
import { findReach, lockReferences } from './store-references.ts';

/** The most policies on a path of references, the first included. */
export const maxPath = 5;

/** One place of a document that names another policy. */
export interface Reference {
  readonly field: string;
  readonly policyId: string;
}

/** The policy that the escalation of a step names instead; empty where it names none, or does not escalate. */
export function escalationPolicyOf({ approval }: PolicyStepJson): string {
  return (approval?.escalationEnabled === true ? approval.escalation?.replacePolicy?.policyId : undefined) ?? '';
}

/** Every reference of a document, in the order of its members. */
export function listReferences({ baselinePolicyId = '', policySteps = {}, rules = [] }: PolicyJson): Reference[] {
  const found: Reference[] = [];
  const add = (field: string, policyId: string): void => {
    if (policyId !== '') {
      found.push({ field, policyId });
    }
  };
  add('baselinePolicyId', baselinePolicyId);
  for (const [key, { steps = [] }] of Object.entries(policySteps)) {
    steps.forEach((step, index) => {
      add(`policySteps.${key}.steps[${index}].approval.escalation.replacePolicy.policyId`, escalationPolicyOf(step));
    });
  }
  rules.forEach(({ policyId = '' }, index) => {
    add(`rules[${index}].policyId`, policyId);
  });
  return found;
}

function judge(row: PolicyRow | undefined, policyType: PolicyTypeJson | undefined): string | undefined {
  if (row === undefined || row.deletedAt !== null) {
    return 'there is no policy with this id';
  }
  return row.policyType === policyType ? undefined : `this policy is of type ${row.policyType}; it must be of the same type`;
}

/**
 * Checks the references of a document that policy `id` (empty: a new one) is to have. The tenant's references are locked until the transaction
 * ends, so that two changes cannot close a circle together.
 */
export async function checkReferences(context: Context, id: string, document: PolicyJson, prefix: string): Promise<FieldViolation[]> {
  const references = listReferences(document);
  if (references.length === 0) {
    return [];
  }
  await lockReferences(context);
  const ids = [...new Set(references.map(({ policyId }) => policyId))];
  const policies = await listPoliciesByIds(context, ids);
  const { above, below } = await findReach(context, id, ids, maxPath);
  const found: FieldViolation[] = [];
  for (const { field, policyId } of references) {
    const reach = below.get(policyId) ?? { longest: 1, loops: false };
    const wrong =
      policyId === id || reach.loops
        ? 'the policy would refer back to this one: references must not form a circle'
        : (judge(policies.get(policyId), document.policyType) ??
          (above + 1 + reach.longest > maxPath
            ? `a path of references would have more than ${maxPath} policies: ${above + 1 + reach.longest}`
            : undefined));
    if (wrong !== undefined) {
      found.push({ field: `${prefix}${field}`, description: wrong });
    }
  }
  return found;
}
