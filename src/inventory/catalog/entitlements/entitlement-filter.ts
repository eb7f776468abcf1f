/**
 * Meaning of the members of entitlement searches. Empty lists and texts filter nothing; asking for what nothing here is finds nothing, which is
 * said by `undefined`, rather than everything.
 */
import {
  AppEntitlementMembershipType,
  type AppEntitlementSearchServiceSearchRequest,
} from '../../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { some, wantedText } from '../../../lib/where.ts';
import type { EntitlementFilter } from '../record/index.ts';

/** The filter of a search for entitlements; undefined where it asks for what no entitlement is. */
export function filterOfEntitlementSearch(request: AppEntitlementSearchServiceSearchRequest): EntitlementFilter | undefined {
  const purposes = purposesOf(request.membershipType);
  // Nothing is granted by a rule yet, so there is nothing automated. Neither is there anything that cannot be changed, so that
  // excludeImmutable leaves out nothing.
  if (request.isAutomated || purposes?.length === 0) {
    return undefined;
  }
  return {
    appIds: some(request.appIds),
    excludeAppIds: some(request.excludeAppIds),
    refs: some(request.refs.map((ref) => `${ref.appId}/${ref.id}`)),
    excludeRefs: some(request.excludedEntitlementRefs.map((ref) => `${ref.appId}/${ref.id}`)),
    resourceTypeIds: some(request.resourceTypeIds),
    excludeResourceTypeIds: some(request.excludeResourceTypeIds),
    resourceIds: some(request.resourceIds),
    traitIds: some(request.resourceTraitIds),
    accountIds: some(request.appUserIds),
    excludeAccountIds: some(request.excludeAppUserIds),
    isExpiring: request.onlyGetExpiring && request.appUserIds.length === 0 ? true : undefined,
    expiringFor: request.onlyGetExpiring ? some(request.appUserIds) : undefined,
    riskLevelIds: some(request.riskLevelIds),
    frameworkIds: some(request.complianceFrameworkIds),
    requestSchemaIds: some(request.requestSchemaIds),
    purposes,
    alias: wantedText(request.alias),
    sourceId: request.sourceConnectorId === '' ? undefined : request.sourceConnectorId,
    displayName: wantedText(request.displayName),
    query: wantedText(request.query),
    policyIds: some(request.policyRefs.map((ref) => ref.id)),
    reviewId: request.accessReviewId === '' ? undefined : request.accessReviewId,
    includeDeleted: request.includeDeleted ? true : undefined,
  };
}

/** Returns the purposes that give these memberships; exclusions and administration are no purposes of ours. */
function purposesOf(types: readonly AppEntitlementMembershipType[]): string[] | undefined {
  const asked = types.filter((type) => type !== AppEntitlementMembershipType.UNSPECIFIED);
  if (asked.length === 0) {
    return undefined;
  }
  return [
    ...(asked.includes(AppEntitlementMembershipType.MEMBER) ? ['ASSIGNMENT', 'PERMISSION'] : []),
    ...(asked.includes(AppEntitlementMembershipType.OWNER) ? ['OWNERSHIP'] : []),
  ];
}
