/**
 * Meaning of members of the catalog's searches. Empty lists and texts filter nothing; a search for something no inventory holds yet (sources, risk
 * levels, agents, ...) finds nothing, which is said by `undefined`, rather than everything.
 */
import { AppUserAgentStatus, AppUserNhiType, AppUserType, Status } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { SearchAppsRequest } from '../../../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserDomain, type AppUserServiceSearchRequest } from '../../../gen/c1/api/app/v1/app_user_service_pb.js';
import { some, wantedText } from '../../../lib/where.ts';
import type { AccountFilter, AppFilter } from '../record/index.ts';

/** The filter of a search for apps. */
export function filterOfAppSearch(request: SearchAppsRequest): AppFilter {
  return {
    ids: some(request.appIds),
    excludeIds: some(request.excludeAppIds),
    displayName: wantedText(request.displayName),
    query: wantedText(request.query),
    policyIds: some(request.policyRefs.map((ref) => ref.id)),
    isDirectory: request.onlyDirectories ? true : undefined,
  };
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
    isExternal: externalOf(request.appUserDomains),
    query: wantedText(request.query),
  };
}

/** Accounts have neither agents, nor kinds of non-human identity, nor details of their status, nor findings: only "none" of them is found. */
function asksForNoAccount(request: AppUserServiceSearchRequest): boolean {
  const lacks = <T>(wanted: readonly T[], none: T): boolean => wanted.length > 0 && !wanted.includes(none);
  return (
    lacks(request.agentStatuses, AppUserAgentStatus.UNSPECIFIED) ||
    lacks(request.nhiTypes, AppUserNhiType.UNSPECIFIED) ||
    lacks(request.appUserStatusDetails, '') ||
    request.withOpenFindings
  );
}

/** External: the domain of the account's address is none of the people's. All others are trusted, those without an address too. */
function externalOf(domains: readonly AppUserDomain[]): boolean | undefined {
  const external = domains.includes(AppUserDomain.EXTERNAL);
  const trusted = domains.includes(AppUserDomain.TRUSTED);
  return external === trusted ? undefined : external;
}
