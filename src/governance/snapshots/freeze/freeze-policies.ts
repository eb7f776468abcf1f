/**
 * Freezing the policies that decide a snapshot, so that later changes of a policy do not touch it, and reading what they come to.
 */
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { certifyType, flattenPolicies, listPlanProblems, type Plans } from '../../policies/index.ts';
import { refuseSnapshot } from '../scope/index.ts';
import { insertSnapshotPolicies, listFrozenPolicies, listSnapshotPolicies } from './store-freeze.ts';

/** Reads what the policies that prepare froze come to; the same for every reading. */
export async function readPlans(context: Context, reviewId: string): Promise<Plans> {
  const policies = await listFrozenPolicies(context, reviewId);
  const documents = new Map(policies.map(({ id, document }) => [id, document]));
  return flattenPolicies(
    documents,
    policies.filter(({ isRoot }) => isRoot).map(({ id }) => id),
  );
}

/** Freezes the policies that the frozen entitlements name and returns what they come to; FAILED_PRECONDITION where one cannot be carried out. */
export async function freezePolicies(context: Context, snapshotId: string): Promise<Plans> {
  await insertSnapshotPolicies(context, snapshotId);
  const violations: FieldViolation[] = [];
  const say = (description: string) => violations.push({ field: 'accessReview.policyId', description });
  for (const policy of await listSnapshotPolicies(context, snapshotId)) {
    if (policy.deleted) {
      say(`there is no policy ${policy.id}`);
    } else if (policy.policyType !== certifyType) {
      say(`policy ${policy.id} is of type ${policy.policyType}, and a review needs ${certifyType}`);
    }
  }
  refuseSnapshot(violations);
  const plans = await readPlans(context, snapshotId);
  for (const what of listPlanProblems(plans)) {
    say(what);
  }
  refuseSnapshot(violations);
  return plans;
}
