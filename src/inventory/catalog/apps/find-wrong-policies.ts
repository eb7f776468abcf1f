/** Policies an app or an entitlement may choose: those that are there, and for reviews one that reviews can be led by. */
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { catalogSlot } from '../record/index.ts';

/** The members of apps and entitlements that name a policy. */
const members = ['certifyPolicyId', 'emergencyGrantPolicyId', 'grantPolicyId', 'revokePolicyId'] as const;
type Member = (typeof members)[number];
const certifyType = 'POLICY_TYPE_CERTIFY';

/**
 * Finds faults in the policies that the members named in `fields` choose; '' chooses none. `prefix` is put before the name of each field. A policy
 * that was found is not deleted before the transaction ends.
 */
export async function findWrongPolicies(
  context: Context,
  json: Readonly<Partial<Record<Member, string>>>,
  fields: ReadonlySet<string>,
  prefix: string,
): Promise<FieldViolation[]> {
  const chosen = members.flatMap((member) => {
    const id = fields.has(member) ? (json[member] ?? '') : '';
    return id === '' ? [] : [{ member, id }];
  });
  if (chosen.length === 0) {
    return [];
  }
  const types = await catalogSlot.get().lockPolicyTypes(
    context,
    chosen.map(({ id }) => id),
  );
  return chosen.flatMap(({ member, id }) => {
    const description = describe(member, id, types.get(id));
    return description === undefined ? [] : [{ field: `${prefix}${member}`, description }];
  });
}

function describe(member: Member, id: string, type: string | undefined): string | undefined {
  if (type === undefined) {
    return `no policy has the id ${JSON.stringify(id.slice(0, 64))}`;
  }
  return member === 'certifyPolicyId' && type !== certifyType
    ? `is a policy of type ${type}; a review needs one of type ${certifyType}`
    : undefined;
}
