/** Objects to expand in other modules' replies: policies by id, deleted ones too, since old reviews name them. */
import type { Policy } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { Loader } from '../../wire/expand.ts';
import { listPoliciesByIds } from './store.ts';
import { seesPoliciesWhole } from '../../foundation/authority/index.ts';
import { shapePolicy } from './view.ts';

/** Policies by id, for c1.api.policy.v1.Policy. */
export const policyLoader: Loader<Policy> = async (context, ids) => {
  const policies = await listPoliciesByIds(context, ids);
  return new Map([...policies].map(([id, row]) => [id, shapePolicy(row, seesPoliciesWhole(context.actor))]));
};
