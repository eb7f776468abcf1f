/**
 * Reading which people, accounts and grants a review's document keeps, filter by filter. Pure: what contradicts itself is check-scope.ts, what a
 * filter means in SQL is in the stores of the snapshot.
 */
import type {
  AccessReviewExclusionScopeJson,
  AccessReviewInclusionScopeJson,
  AccessReviewScopeJson,
  AccessReviewScopeV2Json,
  AccountCriteriaScopeJson,
  AppUserDomainJson,
  GrantAccessProfileFilterJson,
  GrantFilterTypeJson,
  GrantsByCriteriaScopeJson,
  GrantSourceFilterJson,
  PrincipalTypeFilterJson,
  UserCriteriaScopeJson,
} from '../../../gen/c1/api/accessreview/v1/scope_pb.js';
import { asTexts } from '../../../lib/json.ts';
import type { ReviewSettings } from '../record/index.ts';
import type {
  AccountFilter,
  AttributeFilter,
  EntitlementRef,
  Filters,
  GrantFilter,
  PeopleFilter,
  Principals,
  ProfileFilter,
} from '../../snapshots/index.ts';

/** The rest of a message whose members are all read: one that the contract gains does not compile until it is read, too. */
type AllRead = Readonly<Record<string, never>>;

/** The entries, or undefined where there are none: an empty list filters nothing. */
const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** The texts of a list, each once; undefined where there are none. */
const textsOf = (texts: readonly string[] | undefined) => some([...new Set(texts)]);

/** Enum names without their prefix; a name that says nothing (UNSPECIFIED, UNKNOWN) filters nothing. */
function namesOf(values: readonly string[] | undefined): readonly string[] | undefined {
  const names = asTexts(values)
    .map((name) => name.replace(/^(APP_USER_STATUS_|APP_USER_TYPE_|USER_(?!$))/, ''))
    .filter((name) => name !== 'UNSPECIFIED' && name !== 'UNKNOWN');
  return some([...new Set(names)]);
}

/** The attributes that a message filters by, those without a value too. */
export function attributesIn(holder: Pick<UserCriteriaScopeJson, 'multiUserProfileAttributes'>): AttributeFilter[] {
  return Object.entries(holder.multiUserProfileAttributes ?? {}).map(([key, { values }]) => ({
    key,
    values: (values ?? []).map(({ value }) => value ?? ''),
  }));
}

/** Seconds of "7776000s", or of "90" days; undefined for nothing. Anything else was refused when it was written. */
function readSpan(text = ''): number | undefined {
  const match = /^(\d+)(?:\.\d+)?(s?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (match[2] === 's' ? 1 : 86_400);
}

const noPeople: PeopleFilter = {
  userIds: undefined,
  statuses: undefined,
  managerIds: undefined,
  attributes: undefined,
  notHolding: undefined,
};

/** True if a filter of people filters at all. */
function filtersPeople(filter: PeopleFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function readPeople({ userCriteria = {}, selectedUsers }: AccessReviewScopeV2Json): PeopleFilter {
  const { groupAppEntitlementsRef = [], managerUserIds, multiUserProfileAttributes, userStatus, ...unread } = userCriteria;
  unread satisfies AllRead;
  return {
    userIds: selectedUsers && (selectedUsers.userIds ?? []),
    statuses: namesOf(userStatus),
    managerIds: textsOf(managerUserIds),
    attributes: some(attributesIn({ multiUserProfileAttributes })),
    notHolding: some(groupAppEntitlementsRef.map(({ appId = '', id = '' }): EntitlementRef => ({ appId, id }))),
  };
}

/** The people of the inclusion scope, in which a key without values filters nothing. */
export function readIncludedPeople(inclusion: AccessReviewInclusionScopeJson): PeopleFilter {
  const { userIds, userStatuses, managerIds, multiUserProfileAttributes, ...others } = inclusion;
  const { appUserTypes: _types, appUserStatuses: _statuses, noAccountOwners: _unowned, ...unread } = others;
  unread satisfies AllRead;
  return {
    ...noPeople,
    userIds: textsOf(userIds),
    statuses: namesOf(userStatuses),
    managerIds: textsOf(managerIds),
    attributes: some(attributesIn({ multiUserProfileAttributes }).filter(({ values }) => values.length > 0)),
  };
}

/** Reads the meaning of an enum's value. */
const howHeld: Readonly<Record<GrantSourceFilterJson, GrantFilter['heldHow']>> = {
  GRANT_SOURCE_FILTER_UNSPECIFIED: undefined,
  GRANT_SOURCE_FILTER_DIRECT: 'DIRECT',
  GRANT_SOURCE_FILTER_INHERITED: 'INHERITED',
};
const howLong: Readonly<Record<GrantFilterTypeJson, GrantFilter['lasts']>> = {
  GRANT_FILTER_TYPE_UNSPECIFIED: undefined,
  GRANT_FILTER_TYPE_PERMANENT: 'PERMANENT',
  GRANT_FILTER_TYPE_TEMPORARY: 'TEMPORARY',
};
const domains: Readonly<Record<AppUserDomainJson, AccountFilter['domain']>> = {
  APP_USER_DOMAIN_UNSPECIFIED: undefined,
  APP_USER_DOMAIN_EXTERNAL: 'EXTERNAL',
  APP_USER_DOMAIN_TRUSTED: 'TRUSTED',
};
const principals: Readonly<Record<PrincipalTypeFilterJson, Principals>> = {
  PRINCIPAL_TYPE_FILTER_UNSPECIFIED: 'ACCOUNTS',
  PRINCIPAL_TYPE_FILTER_USERS: 'ACCOUNTS',
  PRINCIPAL_TYPE_FILTER_RESOURCES: 'RESOURCES',
  PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES: 'BOTH',
};

function readGrants({ accessProfileFilter: _profiles, ...criteria }: GrantsByCriteriaScopeJson): GrantFilter {
  const { daysSinceAdded: added, daysSinceLastUsed: used, daysSinceReviewed: reviewed, ...others } = criteria;
  const { grantsAddedBetween: { startDate, endDate } = {}, sourceFilter, typeFilter, ...unread } = others;
  unread satisfies AllRead;
  return {
    addedAtLeastSecondsAgo: readSpan(added),
    unusedForSeconds: readSpan(used),
    unreviewedForSeconds: readSpan(reviewed),
    addedFrom: startDate ? new Date(startDate) : undefined,
    addedBefore: endDate ? new Date(endDate) : undefined,
    heldHow: sourceFilter && howHeld[sourceFilter],
    lasts: typeFilter && howLong[typeFilter],
  };
}

function readProfiles(filter: GrantAccessProfileFilterJson): ProfileFilter {
  const { includedAccessProfileIds, excludedAccessProfileIds, filterType, ...unread } = filter;
  unread satisfies AllRead;
  return {
    included: textsOf(includedAccessProfileIds),
    excluded: filterType === 'ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_ALL' ? 'all' : textsOf(excludedAccessProfileIds),
  };
}

function readAccounts(criteria: AccountCriteriaScopeJson): AccountFilter {
  const { accountTypes, appUserStatuses, noAccountOwner, accountDomain, ...unread } = criteria;
  unread satisfies AllRead;
  return {
    types: namesOf(accountTypes),
    statuses: namesOf(appUserStatuses),
    unowned: noAccountOwner || undefined,
    domain: accountDomain && domains[accountDomain],
  };
}

/** The accounts of an older scope. */
function readOlder(older: AccessReviewScopeJson & AccessReviewExclusionScopeJson = {}): Pick<AccountFilter, 'types' | 'statuses'> {
  const { appUserTypes, appUserStatuses, ...unread } = older;
  unread satisfies AllRead;
  return { types: namesOf(appUserTypes), statuses: namesOf(appUserStatuses) };
}

/** The filters of a document. */
export function readFilters({ scope, inclusionScope, exclusionScope, scopeV2: v2 = {} }: ReviewSettings): Filters {
  const people = readPeople(v2);
  const included = readIncludedPeople(inclusionScope ?? {});
  const userExpression = v2.celExpression?.expression ?? '';
  const unowned = inclusionScope?.noAccountOwners || undefined;
  return {
    exclusion: readOlder(exclusionScope),
    legacy: {
      accounts: [
        { ...readOlder(scope), unowned: undefined, domain: undefined },
        { ...readOlder(inclusionScope), unowned, domain: undefined },
      ],
      people: included,
    },
    accounts: readAccounts(v2.accountCriteria ?? {}),
    people,
    accountExpression: v2.accountCelExpression?.expression ?? '',
    userExpression,
    filtersPeople: filtersPeople(people) || filtersPeople(included) || userExpression !== '',
    grants: readGrants(v2.grantsByCriteria ?? {}),
    principals: principals[v2.principalTypeFilter ?? 'PRINCIPAL_TYPE_FILTER_UNSPECIFIED'],
    profiles: readProfiles(v2.grantsByCriteria?.accessProfileFilter ?? {}),
  };
}
