/**
 * Reading which people, accounts and grants a review's document keeps, filter by filter. Pure: what contradicts itself is check-scope.ts, what a
 * filter means in SQL is in the stores of the snapshot.
 */
import type {
  AccessReviewInclusionScopeJson,
  AccessReviewScopeJson,
  AccessReviewScopeV2Json,
  GrantsByCriteriaScopeJson,
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

function readPeople({ userCriteria: criteria, selectedUsers }: AccessReviewScopeV2Json): PeopleFilter {
  const notHolding = (criteria?.groupAppEntitlementsRef ?? []).map(({ appId = '', id = '' }): EntitlementRef => ({ appId, id }));
  return {
    userIds: selectedUsers && (selectedUsers.userIds ?? []),
    statuses: namesOf(criteria?.userStatus),
    managerIds: textsOf(criteria?.managerUserIds),
    attributes: some(attributesIn(criteria ?? {})),
    notHolding: some(notHolding),
  };
}

/** The people of the inclusion scope, in which a key without values filters nothing. */
export function readIncludedPeople(inclusion: AccessReviewInclusionScopeJson): PeopleFilter {
  return {
    ...noPeople,
    userIds: textsOf(inclusion.userIds),
    statuses: namesOf(inclusion.userStatuses),
    managerIds: textsOf(inclusion.managerIds),
    attributes: some(attributesIn(inclusion).filter(({ values }) => values.length > 0)),
  };
}

/** Reads the meaning of an enum's value; a value that is not there filters nothing. */
const howHeld: Readonly<Record<string, GrantFilter['heldHow']>> = {
  GRANT_SOURCE_FILTER_DIRECT: 'DIRECT',
  GRANT_SOURCE_FILTER_INHERITED: 'INHERITED',
};
const howLong: Readonly<Record<string, GrantFilter['lasts']>> = {
  GRANT_FILTER_TYPE_PERMANENT: 'PERMANENT',
  GRANT_FILTER_TYPE_TEMPORARY: 'TEMPORARY',
};
const domains: Readonly<Record<string, AccountFilter['domain']>> = {
  APP_USER_DOMAIN_EXTERNAL: 'EXTERNAL',
  APP_USER_DOMAIN_TRUSTED: 'TRUSTED',
};
const principals: Readonly<Record<string, Principals>> = {
  PRINCIPAL_TYPE_FILTER_RESOURCES: 'RESOURCES',
  PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES: 'BOTH',
};

function readGrants(criteria: GrantsByCriteriaScopeJson): GrantFilter {
  const { startDate, endDate } = criteria.grantsAddedBetween ?? {};
  return {
    addedAtLeastSecondsAgo: readSpan(criteria.daysSinceAdded),
    unusedForSeconds: readSpan(criteria.daysSinceLastUsed),
    unreviewedForSeconds: readSpan(criteria.daysSinceReviewed),
    addedFrom: startDate ? new Date(startDate) : undefined,
    addedBefore: endDate ? new Date(endDate) : undefined,
    heldHow: howHeld[criteria.sourceFilter ?? ''],
    lasts: howLong[criteria.typeFilter ?? ''],
  };
}

function readProfiles({ accessProfileFilter: filter }: GrantsByCriteriaScopeJson): ProfileFilter {
  return {
    included: textsOf(filter?.includedAccessProfileIds),
    excluded: filter?.filterType === 'ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_ALL' ? 'all' : textsOf(filter?.excludedAccessProfileIds),
  };
}

/** The filters of a document. */
export function readFilters({ scope, inclusionScope, exclusionScope, scopeV2: v2 = {} }: ReviewSettings): Filters {
  const people = readPeople(v2);
  const included = readIncludedPeople(inclusionScope ?? {});
  const userExpression = v2.celExpression?.expression ?? '';
  const ofLegacy = (holder: AccessReviewScopeJson | undefined, unowned: true | undefined): AccountFilter => ({
    types: namesOf(holder?.appUserTypes),
    statuses: namesOf(holder?.appUserStatuses),
    unowned,
    domain: undefined,
  });
  return {
    exclusion: { types: namesOf(exclusionScope?.appUserTypes), statuses: namesOf(exclusionScope?.appUserStatuses) },
    legacy: {
      accounts: [ofLegacy(scope, undefined), ofLegacy(inclusionScope, inclusionScope?.noAccountOwners || undefined)],
      people: included,
    },
    accounts: {
      types: namesOf(v2.accountCriteria?.accountTypes),
      statuses: namesOf(v2.accountCriteria?.appUserStatuses),
      unowned: v2.accountCriteria?.noAccountOwner || undefined,
      domain: domains[v2.accountCriteria?.accountDomain ?? ''],
    },
    people,
    accountExpression: v2.accountCelExpression?.expression ?? '',
    userExpression,
    filtersPeople: filtersPeople(people) || filtersPeople(included) || userExpression !== '',
    grants: readGrants(v2.grantsByCriteria ?? {}),
    principals: principals[v2.principalTypeFilter ?? ''] ?? 'ACCOUNTS',
    profiles: readProfiles(v2.grantsByCriteria ?? {}),
  };
}
