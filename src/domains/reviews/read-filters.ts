/**
 * Reading which people, accounts and grants a review's document keeps, filter by filter. Pure: what contradicts itself is check-scope.ts, what a
 * filter means in SQL is in the stores of the snapshot.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject, asTexts, isJsonObject } from '../../lib/json.ts';
import { textOf } from './document.ts';

/** An attribute of a person, and the values of which it must have one; the empty text is that of one who has none. */
export interface AttributeFilter {
  readonly key: string;
  readonly values: readonly string[];
}

/** An entitlement of an app. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/** Which people; what is undefined filters nothing. */
export interface PeopleFilter {
  readonly userIds: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly managerIds: readonly string[] | undefined;
  readonly attributes: readonly AttributeFilter[] | undefined;
  /** Who holds one of these is left out. */
  readonly notHolding: readonly EntitlementRef[] | undefined;
}

/** Which accounts by their own facts; what is undefined filters nothing. */
export interface AccountFilter {
  readonly types: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly unowned: true | undefined;
  /** Whether the domain of its address is one of a person's. */
  readonly domain: 'EXTERNAL' | 'TRUSTED' | undefined;
}

/** Access profiles by which grants are kept or left out; `all` is every profile there is. */
export interface ProfileFilter {
  readonly included: readonly string[] | undefined;
  readonly excluded: readonly string[] | 'all' | undefined;
}

/** Which grants, by their own facts. Seconds count back from the moment of the snapshot. */
export interface GrantFilter {
  readonly addedAtLeastSecondsAgo: number | undefined;
  readonly unusedForSeconds: number | undefined;
  readonly unreviewedForSeconds: number | undefined;
  /** Start inclusive, end exclusive; either may be open. */
  readonly addedFrom: Date | undefined;
  readonly addedBefore: Date | undefined;
  /** Held by itself, or passed on by other entitlements; a grant may be both. */
  readonly heldHow: 'DIRECT' | 'INHERITED' | undefined;
  /** Without an end, or with one. */
  readonly lasts: 'PERMANENT' | 'TEMPORARY' | undefined;
}

/** Whose grants are asked about: those of accounts, the links of resources, or both. */
export type Principals = 'ACCOUNTS' | 'RESOURCES' | 'BOTH';

/** Every filter of a document, in the order in which they are asked. */
export interface Filters {
  readonly exclusion: { readonly types: readonly string[] | undefined; readonly statuses: readonly string[] | undefined };
  readonly legacy: { readonly accounts: readonly AccountFilter[]; readonly people: PeopleFilter };
  readonly accounts: AccountFilter;
  readonly people: PeopleFilter;
  /** Expressions as they were written; empty for none. */
  readonly accountExpression: string;
  readonly userExpression: string;
  /** Whether any filter looks at people, so that unowned accounts are out. */
  readonly filtersPeople: boolean;
  readonly grants: GrantFilter;
  readonly principals: Principals;
  readonly profiles: ProfileFilter;
}

/** The entries, or undefined where there are none: an empty list filters nothing. */
const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** The texts of a list, each once; undefined where there are none. */
const textsAt = (holder: JsonObject, member: string) => some([...new Set(asTexts(holder[member]))]);

/** Enum names without their prefix; a name that says nothing (UNSPECIFIED, UNKNOWN) filters nothing. */
function namesAt(holder: JsonObject, member: string): readonly string[] | undefined {
  const names = asTexts(holder[member])
    .map((name) => name.replace(/^(APP_USER_STATUS_|APP_USER_TYPE_|USER_(?!$))/, ''))
    .filter((name) => name !== 'UNSPECIFIED' && name !== 'UNKNOWN');
  return some([...new Set(names)]);
}

/** The attributes that a message filters by, those without a value too. */
export function attributesAt(holder: JsonObject): AttributeFilter[] {
  return Object.entries(asObject(holder.multiUserProfileAttributes)).map(([key, entry]) => ({
    key,
    values: asList(asObject(entry).values).map((one) => textOf(asObject(one), 'value')),
  }));
}

/** The entitlements that a message refers to. */
function refsAt(holder: JsonObject, member: string): EntitlementRef[] {
  return asList(holder[member]).map((one) => ({ appId: textOf(asObject(one), 'appId'), id: textOf(asObject(one), 'id') }));
}

/** Seconds of "7776000s", or of "90" days; undefined for nothing. Anything else was refused when it was written. */
function readSpan(text: string): number | undefined {
  const match = /^(\d+)(?:\.\d+)?(s?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (match[2] === 's' ? 1 : 86_400);
}

/** What each value of an enum means; a value that is not there filters nothing. */
function meaningAt<T>(holder: JsonObject, member: string, meanings: Readonly<Record<string, T>>): T | undefined {
  return meanings[textOf(holder, member)];
}

const noPeople: PeopleFilter = {
  userIds: undefined,
  statuses: undefined,
  managerIds: undefined,
  attributes: undefined,
  notHolding: undefined,
};

/** Whether a filter of people filters at all. */
function filtersPeople(filter: PeopleFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function readPeople(v2: JsonObject): PeopleFilter {
  const criteria = asObject(v2.userCriteria);
  return {
    userIds: isJsonObject(v2.selectedUsers) ? asTexts(v2.selectedUsers.userIds) : undefined,
    statuses: namesAt(criteria, 'userStatus'),
    managerIds: textsAt(criteria, 'managerUserIds'),
    attributes: some(attributesAt(criteria)),
    notHolding: some(refsAt(criteria, 'groupAppEntitlementsRef')),
  };
}

/** The people of the inclusion scope, in which a key without values filters nothing. */
export function readIncludedPeople(inclusion: JsonObject): PeopleFilter {
  return {
    ...noPeople,
    userIds: textsAt(inclusion, 'userIds'),
    statuses: namesAt(inclusion, 'userStatuses'),
    managerIds: textsAt(inclusion, 'managerIds'),
    attributes: some(attributesAt(inclusion).filter(({ values }) => values.length > 0)),
  };
}

function readGrants(criteria: JsonObject): GrantFilter {
  const between = asObject(criteria.grantsAddedBetween);
  const at = (member: string) => {
    const text = textOf(between, member);
    return text === '' ? undefined : new Date(text);
  };
  return {
    addedAtLeastSecondsAgo: readSpan(textOf(criteria, 'daysSinceAdded')),
    unusedForSeconds: readSpan(textOf(criteria, 'daysSinceLastUsed')),
    unreviewedForSeconds: readSpan(textOf(criteria, 'daysSinceReviewed')),
    addedFrom: at('startDate'),
    addedBefore: at('endDate'),
    heldHow: meaningAt(criteria, 'sourceFilter', {
      GRANT_SOURCE_FILTER_DIRECT: 'DIRECT',
      GRANT_SOURCE_FILTER_INHERITED: 'INHERITED',
    }),
    lasts: meaningAt(criteria, 'typeFilter', {
      GRANT_FILTER_TYPE_PERMANENT: 'PERMANENT',
      GRANT_FILTER_TYPE_TEMPORARY: 'TEMPORARY',
    }),
  };
}

function readProfiles(criteria: JsonObject): ProfileFilter {
  const filter = asObject(criteria.accessProfileFilter);
  const isExcludeAll = textOf(filter, 'filterType') === 'ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_ALL';
  return {
    included: textsAt(filter, 'includedAccessProfileIds'),
    excluded: isExcludeAll ? 'all' : textsAt(filter, 'excludedAccessProfileIds'),
  };
}

/** The filters of a document. */
export function readFilters(document: JsonObject): Filters {
  const v2 = asObject(document.scopeV2);
  const inclusion = asObject(document.inclusionScope);
  const exclusion = asObject(document.exclusionScope);
  const legacy = asObject(document.scope);
  const accounts = asObject(v2.accountCriteria);
  const criteria = asObject(v2.grantsByCriteria);
  const people = readPeople(v2);
  const included = readIncludedPeople(inclusion);
  const userExpression = textOf(asObject(v2.celExpression), 'expression');
  const byTypes = (holder: JsonObject, statuses: string, types: string) => ({
    types: namesAt(holder, types),
    statuses: namesAt(holder, statuses),
  });
  const ofLegacy = (holder: JsonObject, unowned: true | undefined): AccountFilter => ({
    ...byTypes(holder, 'appUserStatuses', 'appUserTypes'),
    unowned,
    domain: undefined,
  });
  return {
    exclusion: byTypes(exclusion, 'appUserStatuses', 'appUserTypes'),
    legacy: {
      accounts: [ofLegacy(legacy, undefined), ofLegacy(inclusion, inclusion.noAccountOwners === true || undefined)],
      people: included,
    },
    accounts: {
      ...byTypes(accounts, 'appUserStatuses', 'accountTypes'),
      unowned: accounts.noAccountOwner === true || undefined,
      domain: meaningAt(accounts, 'accountDomain', { APP_USER_DOMAIN_EXTERNAL: 'EXTERNAL', APP_USER_DOMAIN_TRUSTED: 'TRUSTED' }),
    },
    people,
    accountExpression: textOf(asObject(v2.accountCelExpression), 'expression'),
    userExpression,
    filtersPeople: filtersPeople(people) || filtersPeople(included) || userExpression !== '',
    grants: readGrants(criteria),
    principals:
      meaningAt<Principals>(v2, 'principalTypeFilter', {
        PRINCIPAL_TYPE_FILTER_RESOURCES: 'RESOURCES',
        PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES: 'BOTH',
      }) ?? 'ACCOUNTS',
    profiles: readProfiles(criteria),
  };
}
