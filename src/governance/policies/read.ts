/**
 * Reading policies: one, a page, a search. The permission to read policies is the only one they take.
 */
import { AppError } from '../../errors.ts';
import { PolicyScopeSlot, PolicyType } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { SearchPoliciesRequest } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import { PolicyScopeObjectType, PolicyScopeView } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import { some, wantedText } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { findPolicy, type PolicyFilter, type PolicyRow } from './store.ts';

/** Makes the error for an unknown id, and a deleted policy's. */
export function noSuchPolicy(): AppError {
  return new AppError('NOT_FOUND', 'There is no such policy.');
}

/** The policy with this id; NOT_FOUND for nothing and for deleted ones (a search with includeDeleted shows those). */
export async function getPolicy(context: Context, id: string): Promise<PolicyRow> {
  const policy = await findPolicy(context, id);
  if (policy === undefined || policy.deletedAt !== null) {
    throw noSuchPolicy();
  }
  return policy;
}

/**
 * Reads the filter of a search request. Empty texts and lists filter nothing. `scopeView`: policies for everything (GLOBAL), those made for an app
 * or entitlement (SCOPED), or both; the object is named by scopeAppId and scopeAppEntitlementId.
 */
export function filterOfSearch(request: SearchPoliciesRequest): PolicyFilter {
  const view = request.scopeView;
  const byObject = view !== PolicyScopeView.GLOBAL && view !== PolicyScopeView.GLOBAL_AND_OBJECT;
  const wantsEntitlement = request.scopeObjectType !== PolicyScopeObjectType.APP;
  return {
    ids: some(request.refs.map((ref) => ref.id)),
    excludeIds: some(request.excludePolicyIds),
    displayName: wantedText(request.displayName),
    query: wantedText(request.query),
    policyTypes: some(request.policyTypes.map((type) => `POLICY_TYPE_${PolicyType[type] as keyof typeof PolicyType}` as const)),
    scoped: view === PolicyScopeView.GLOBAL ? false : view === PolicyScopeView.SCOPED ? true : undefined,
    scopeAppId: byObject ? wantedText(request.scopeAppId) : undefined,
    scopeAppEntitlementId: byObject && wantsEntitlement ? wantedText(request.scopeAppEntitlementId) : undefined,
    objectAppId: view === PolicyScopeView.GLOBAL_AND_OBJECT ? request.scopeAppId : undefined,
    scopeSlot: request.scopeSlot === PolicyScopeSlot.EMERGENCY ? 'POLICY_SCOPE_SLOT_EMERGENCY' : undefined,
    includeDeleted: request.includeDeleted,
  };
}
