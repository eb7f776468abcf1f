/**
 * Meaning of members of the searches for resources and resource types. Empty lists and texts filter nothing.
 *
 * No source reports secrets, agents, identities of machines or findings: a search for some kind of them finds nothing, which is said by
 * `undefined`, rather than everything; and to sort by the times of secrets, which are all alike unknown, is to sort by id. What is
 * deleted is never found, so `excludeDeletedApps` and `excludeDeletedResourceBindings` hold whether they are set or not.
 */
import type { SearchAppResourcesRequest, SearchAppResourceTypesRequest } from '../../../gen/c1/api/app/v1/app_resource_service_pb.js';
import { some, wantedText } from '../../../lib/where.ts';
import type { ResourceFilter, ResourceTypeFilter } from '../record/index.ts';

/** The filter of a search for resource types. */
export function filterOfResourceTypeSearch(request: SearchAppResourceTypesRequest): ResourceTypeFilter {
  return {
    appIds: some(request.appIds),
    ids: some(request.resourceTypeIds),
    excludeIds: some(request.excludeResourceTypeIds),
    traitIds: some(request.resourceTypeTraitIds),
    excludeTraitIds: some(request.excludeResourceTypeTraitIds),
    accountIds: some(request.appUserIds),
    displayName: wantedText(request.displayName),
    query: wantedText(request.query),
  };
}

/** The filter of a search for resources; undefined where it asks for what no resource has. */
export function filterOfResourceSearch(request: SearchAppResourcesRequest): ResourceFilter | undefined {
  if (asksForNoResource(request)) {
    return undefined;
  }
  return {
    appId: request.appId === '' ? undefined : request.appId,
    appIds: some(request.appIds),
    ids: some(request.resourceIds),
    excludeIds: some(request.excludeResourceIds),
    refs: some(request.refs.map((ref) => `${ref.appId}/${ref.appResourceTypeId}/${ref.id}`)),
    resourceTypeIds: some(request.resourceTypeIds),
    traitIds: some(request.resourceTypeTraitIds),
    excludeTraitIds: some(request.excludeResourceTypeTraitIds),
    accountIds: some(request.appUserIds),
    ownerIds: some(request.ownerUserIds),
    isUnowned: request.unownedOnly ? true : undefined,
    query: wantedText(request.query),
  };
}

function asksForNoResource(request: SearchAppResourcesRequest): boolean {
  const { $typeName: _type, $unknown: _unknown, ...times } = request.secretAging ?? { $typeName: '' };
  return (
    asksForSome(request.agentStatuses) ||
    asksForSome(request.nhiTypes) ||
    asksForSome(request.credentialTypes) ||
    Object.values(times).some((time) => time !== undefined) ||
    request.withOpenFindings
  );
}

/** True if kinds are named and "unspecified", which every resource is, is not one of them. */
function asksForSome(kinds: readonly number[]): boolean {
  return kinds.length > 0 && !kinds.includes(0);
}
