/**
 * The contract's service about policies: each method calls one rule and shapes the reply.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  CreatePolicyResponseSchema,
  DeletePolicyResponseSchema,
  GetPolicyResponseSchema,
  ListPolicyResponseSchema,
  PolicyService,
  SearchPoliciesResponseSchema,
  UpdatePolicyResponseSchema,
} from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import type { Scope } from '../../scope.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { createPolicy } from './create.ts';
import { deletePolicy } from './delete.ts';
import { filterOfSearch, getPolicy } from './read.ts';
import { listPolicies, type PolicyFilter } from './store.ts';
import { updatePolicy } from './update.ts';
import { shapePolicy } from './view.ts';

async function pageOfPolicies(scope: Scope, call: Call, filter: PolicyFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listPolicies(scope, filter, after, limit),
    (row) => row.id,
  );
  return { list: rows.map(shapePolicy), nextPageToken };
}

const policyService = implement(PolicyService, {
  create: async (scope, _request, call) => shape(CreatePolicyResponseSchema, { policy: shapePolicy(await createPolicy(scope, call.sent)) }),
  get: async (scope, request) => shape(GetPolicyResponseSchema, { policy: shapePolicy(await getPolicy(scope, request.id)) }),
  list: async (scope, _request, call) => shape(ListPolicyResponseSchema, await pageOfPolicies(scope, call, {})),
  search: async (scope, request, call) => shape(SearchPoliciesResponseSchema, await pageOfPolicies(scope, call, filterOfSearch(request))),
  update: async (scope, request, call) => {
    const policy = await updatePolicy(scope, request.id, (call.sent.policy ?? {}) as JsonObject, call.mask);
    return shape(UpdatePolicyResponseSchema, { policy: shapePolicy(policy) });
  },
  delete: async (scope, request) => {
    await deletePolicy(scope, request.id);
    return shape(DeletePolicyResponseSchema, {});
  },
});

/** What the room of policies serves. */
export const services = [policyService];
