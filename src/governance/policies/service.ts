/**
 * The contract's service about policies: each method calls one rule and shapes the reply.
 */
import { PolicyService } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import type { Context } from '../../context.ts';
import { asObject } from '../../lib/json.ts';
import { readPage } from '../../wire/page.ts';
import { type Call, implement } from '../../wire/service.ts';
import { createPolicy } from './create.ts';
import { deletePolicy } from './delete.ts';
import { compileForPolicy, errorMarkers } from './expressions.ts';
import { filterOfSearch, getPolicy } from './read.ts';
import { listPolicies, type PolicyFilter } from './store.ts';
import { expressionService } from './service-expressions.ts';
import { updatePolicy } from './update.ts';
import { shapePolicy } from './view.ts';

async function pageOfPolicies(context: Context, call: Call, filter: PolicyFilter) {
  const { rows, nextPageToken } = await readPage(call, (after, limit) => listPolicies(context, filter, after, limit));
  return { list: rows.map((row) => shapePolicy(row)), nextPageToken };
}

const policyService = implement(PolicyService, {
  create: async (context, _request, call) => ({ policy: shapePolicy(await createPolicy(context, call.sent)) }),
  get: async (context, request) => ({ policy: shapePolicy(await getPolicy(context, request.id)) }),
  list: async (context, _request, call) => pageOfPolicies(context, call, {}),
  search: async (context, request, call) => pageOfPolicies(context, call, filterOfSearch(request)),
  update: async (context, request, call) => {
    const policy = await updatePolicy(context, request.id, asObject(call.sent.policy), call.mask);
    return { policy: shapePolicy(policy) };
  },
  validateCEL: async (_context, { text }) => {
    const compiled = compileForPolicy(text);
    return { markers: 'errors' in compiled ? errorMarkers(compiled.errors) : [] };
  },
  delete: async (context, request) => {
    await deletePolicy(context, request.id);
    return {};
  },
});

/** Services of the module policies. */
export const services = [policyService, expressionService];
