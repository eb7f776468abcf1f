/**
 * The contract's service about policies: each method calls one rule and shapes the reply.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  CreatePolicyResponseSchema,
  DeletePolicyResponseSchema,
  EditorValidateResponseSchema,
  GetPolicyResponseSchema,
  ListPolicyResponseSchema,
  PolicyService,
  SearchPoliciesResponseSchema,
  UpdatePolicyResponseSchema,
} from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import type { Context } from '../../context.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { createPolicy } from './create.ts';
import { deletePolicy } from './delete.ts';
import { compileForPolicy, markersOf } from './expressions.ts';
import { filterOfSearch, getPolicy } from './read.ts';
import { listPolicies, type PolicyFilter } from './store.ts';
import { expressionService } from './service-expressions.ts';
import { updatePolicy } from './update.ts';
import { shapePolicy } from './view.ts';

async function pageOfPolicies(context: Context, call: Call, filter: PolicyFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listPolicies(context, filter, after, limit),
    (row) => row.id,
  );
  return { list: rows.map(shapePolicy), nextPageToken };
}

const policyService = implement(PolicyService, {
  create: async (context, _request, call) =>
    shape(CreatePolicyResponseSchema, { policy: shapePolicy(await createPolicy(context, call.sent)) }),
  get: async (context, request) => shape(GetPolicyResponseSchema, { policy: shapePolicy(await getPolicy(context, request.id)) }),
  list: async (context, _request, call) => shape(ListPolicyResponseSchema, await pageOfPolicies(context, call, {})),
  search: async (context, request, call) =>
    shape(SearchPoliciesResponseSchema, await pageOfPolicies(context, call, filterOfSearch(request))),
  update: async (context, request, call) => {
    const policy = await updatePolicy(context, request.id, (call.sent.policy ?? {}) as JsonObject, call.mask);
    return shape(UpdatePolicyResponseSchema, { policy: shapePolicy(policy) });
  },
  validateCEL: async (_context, { text }) => {
    const compiled = compileForPolicy(text);
    return shape(EditorValidateResponseSchema, { markers: 'errors' in compiled ? markersOf(compiled.errors) : [] });
  },
  delete: async (context, request) => {
    await deletePolicy(context, request.id);
    return shape(DeletePolicyResponseSchema, {});
  },
});

/** What the module policies serves. */
export const services = [policyService, expressionService];
