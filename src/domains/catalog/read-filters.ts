/**
 * What the members of the catalog's searches mean. Empty lists and texts filter nothing; a search for something no inventory holds
 * yet (connectors, risk levels, agents, ...) finds nothing, which is said by `undefined`, rather than everything.
 */
import type { AppEntitlementSearchServiceSearchRequest } from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppEntitlementMembershipType } from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppUserType, Status } from '../../gen/c1/api/app/v1/app_pb.js';
import type { SearchAppsRequest } from '../../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserDomain, type AppUserServiceSearchRequest } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import type { AccountFilter } from './store-accounts.ts';
import type { AppFilter } from './store-apps.ts';
import type { EntitlementFilter } from './store-entitlements.ts';

/** The filter of a search for apps; undefined where only directories are wanted, of which there are none. */
export function filterOfAppSearch(request: SearchAppsRequest): AppFilter | undefined {
  if (request.onlyDirectories) {
    return undefined;
  }
  return {
    ids: some(request.appIds),
    excludeIds: some(request.excludeAppIds),
    displayName: textOf(request.displayName),
    query: textOf(request.query),
    policyIds: some(request.policyRefs.map((ref) => ref.id)),
  };
}

/** The filter of a search for entitlements; undefined where it asks for what no entitlement has. */
export function filterOfEntitlementSearch(request: AppEntitlementSearchServiceSearchRequest): EntitlementFilter | undefined {
  if (asksForNoEntitlement(request)) {
    return undefined;
  }
  return {
    appIds: some(request.appIds),
    excludeAppIds: some(request.excludeAppIds),
    ids: some(request.refs.map((ref) => ref.id)),
    refs: some(request.refs.map((ref) => `${ref.appId}/${ref.id}`)),
    excludeRefs: some(request.excludedEntitlementRefs.map((ref) => `${ref.appId}/${ref.id}`)),
    resourceTypeIds: some(request.resourceTypeIds),
    excludeResourceTypeIds: some(request.excludeResourceTypeIds),
    resourceIds: some(request.resourceIds),
    accountIds: some(request.appUserIds),
    excludeAccountIds: some(request.excludeAppUserIds),
    displayName: textOf(request.displayName),
    query: textOf(request.query),
    policyIds: some(request.policyRefs.map((ref) => ref.id)),
    reviewId: request.accessReviewId === '' ? undefined : request.accessReviewId,
    includeDeleted: request.includeDeleted,
  };
}

function asksForNoEntitlement(request: AppEntitlementSearchServiceSearchRequest): boolean {
  const { membershipType } = request;
  return (
    request.alias !== '' ||
    request.isAutomated ||
    request.onlyGetExpiring ||
    request.sourceConnectorId !== '' ||
    request.complianceFrameworkIds.length > 0 ||
    request.riskLevelIds.length > 0 ||
    request.requestSchemaIds.length > 0 ||
    request.resourceTraitIds.length > 0 ||
    // Whoever holds an entitlement here is a member of it.
    (membershipType.length > 0 && !membershipType.includes(AppEntitlementMembershipType.MEMBER))
  );
}

const types: Partial<Record<AppUserType, string>> = {
  [AppUserType.USER]: 'USER',
  [AppUserType.SERVICE_ACCOUNT]: 'SERVICE_ACCOUNT',
  [AppUserType.SYSTEM_ACCOUNT]: 'SYSTEM_ACCOUNT',
};
const statuses: Partial<Record<Status, string>> = {
  [Status.ENABLED]: 'ENABLED',
  [Status.DISABLED]: 'DISABLED',
  [Status.DELETED]: 'DELETED',
};

/** The filter of a search for accounts; undefined where it asks for what no account has. */
export function filterOfAccountSearch(request: AppUserServiceSearchRequest): AccountFilter | undefined {
  if (asksForNoAccount(request)) {
    return undefined;
  }
  return {
    appId: request.appId === '' ? undefined : request.appId,
    appIds: some(request.appIds),
    ids: some([...request.appUserIds]),
    excludeIds: some(request.excludeAppUserIds),
    refs: some(request.refs.map((ref) => `${ref.appId}/${ref.id}`)),
    userIds: some(request.userIds),
    types: some(request.appUserTypes.map((type) => types[type] ?? '')),
    statuses: some(request.appUserStatuses.map((status) => statuses[status] ?? '')),
    isUnowned: request.withoutResponsibleParty ? true : undefined,
    query: textOf(request.query),
  };
}

function asksForNoAccount(request: AppUserServiceSearchRequest): boolean {
  const { appUserDomains } = request;
  return (
    request.agentStatuses.length > 0 ||
    request.nhiTypes.length > 0 ||
    request.appUserStatusDetails.length > 0 ||
    request.withOpenFindings ||
    (appUserDomains.length > 0 && !appUserDomains.includes(AppUserDomain.TRUSTED))
  );
}

/** The list, or undefined where it is empty: an empty list filters nothing. */
function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** The text without the spaces around it, or undefined where nothing is left. */
function textOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
