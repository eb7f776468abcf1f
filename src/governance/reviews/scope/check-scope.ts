/**
 * Faults of a scope by itself: members that exclude each other, are chosen but empty, or do not belong to its type. Everything at once, and nothing
 * is looked up: ids of nothing are found in choose-scope.ts.
 */
import type { FieldViolation } from '../../../errors.ts';
import type {
  AccessReviewInclusionScopeJson,
  AccessReviewScopeV2Json,
  GrantAccessProfileFilterJson,
} from '../../../gen/c1/api/accessreview/v1/scope_pb.js';
import type { ReviewSettings } from '../record/index.ts';
import { attributesIn, readFilters, readIncludedPeople } from './read-filters.ts';
import { readWhat, wantedScopeType } from './read-what.ts';
import type { ReviewScope, ScopeType } from '../../snapshots/index.ts';

/** Number of choices in the lists beside the document. */
export interface ListCounts {
  readonly entitlements: number;
  readonly resourceTypes: number;
  readonly resources: number;
  readonly scopeRoles: number;
  readonly monitors: number;
  /** Exclusions of entitlements or resources, and of resource types. */
  readonly excludedResources: number;
  readonly excludedResourceTypes: number;
}

/** A member of the scope by its newest message. */
type ScopeMember = keyof AccessReviewScopeV2Json;

type Say = (field: string, description: string) => void;

const groups = ['what', 'people', 'accounts', 'grants', 'conflicts', 'excluded'] as const;

/** Every member of scopeV2 and its group, of which at most one may be set; `alone` excludes no other. What it means is read in read-what.ts or read-filters.ts. */
const groupOf: Readonly<Record<ScopeMember, (typeof groups)[number] | 'alone'>> = {
  accountCelExpression: 'accounts',
  accountCriteria: 'accounts',
  allAccessConflicts: 'conflicts',
  allAccounts: 'accounts',
  allGrants: 'grants',
  allUsers: 'people',
  appAccess: 'what',
  appSelectionCriteria: 'what',
  celExpression: 'people',
  excludedResourceTypeSelections: 'excluded',
  excludedSpecificResources: 'excluded',
  grantsByCriteria: 'grants',
  principalTypeFilter: 'alone',
  resourceSelection: 'alone',
  resourceTypeSelections: 'what',
  scopeRoleSelection: 'alone',
  selectedUsers: 'people',
  specificAccessConflicts: 'conflicts',
  specificResources: 'what',
  userCriteria: 'people',
};

const scopeMembers = Object.keys(groupOf) as ScopeMember[];
const membersOf = (group: (typeof groups)[number]) => scopeMembers.filter((member) => groupOf[member] === group);

/** Members that choose people, and members that choose accounts. */
const peopleMembers: readonly ScopeMember[] = ['selectedUsers', 'userCriteria', 'celExpression'];
const accountMembers: readonly ScopeMember[] = ['accountCriteria', 'accountCelExpression'];
const conflictMembers = membersOf('conflicts');
const whatMembers = membersOf('what');

const isSet = <T extends object>(holder: T, member: keyof T): boolean => holder[member] !== undefined && holder[member] !== null;

/** Refuses two set members of a group, both named. */
function checkGroups<T extends object>(holder: T, groups: readonly (readonly (keyof T & string)[])[], prefix: string, say: Say): void {
  for (const group of groups) {
    const set = group.filter((member) => isSet(holder, member) && holder[member] !== '').map((member) => `${prefix}${member}`);
    if (set[1] !== undefined) {
      say(set[1], `${set.join(' and ')} exclude each other: choose one`);
    }
  }
}

function checkPeople({ selectedUsers: selected, userCriteria: criteria }: AccessReviewScopeV2Json, say: Say): void {
  if (selected !== undefined && (selected.userIds ?? []).length === 0) {
    say('scopeV2.selectedUsers.userIds', 'is chosen but empty: name people, or use allUsers');
  }
  if (criteria === undefined) {
    return;
  }
  const filters = readFilters({ scopeV2: { userCriteria: criteria } });
  if (!filters.filtersPeople) {
    say('scopeV2.userCriteria', 'is chosen but empty: set a criterion, or use allUsers');
  }
  for (const { key, values } of attributesIn(criteria)) {
    if (values.length === 0) {
      say(`scopeV2.userCriteria.multiUserProfileAttributes.${key}`, 'has no values: give some, "" for people without this attribute');
    }
  }
}

function checkAccounts({ accountCriteria: criteria }: AccessReviewScopeV2Json, say: Say): void {
  if (criteria === undefined) {
    return;
  }
  const { types, statuses, unowned, domain } = readFilters({ scopeV2: { accountCriteria: criteria } }).accounts;
  if (types === undefined && statuses === undefined && unowned === undefined && domain === undefined) {
    say('scopeV2.accountCriteria', 'is chosen but empty: set a criterion, or use allAccounts');
  }
}

/** Most access profiles that a scope can name in one list. */
const maxProfiles = 32;

function checkProfiles(filter: GrantAccessProfileFilterJson, say: Say): void {
  const path = 'scopeV2.grantsByCriteria.accessProfileFilter';
  const included = (filter.includedAccessProfileIds ?? []).length;
  const excluded = (filter.excludedAccessProfileIds ?? []).length;
  for (const [count, member] of [
    [included, 'includedAccessProfileIds'],
    [excluded, 'excludedAccessProfileIds'],
  ] as const) {
    if (count > maxProfiles) {
      say(`${path}.${member}`, `has ${count} access profiles: name at most ${maxProfiles}`);
    }
  }
  const type = (filter.filterType ?? '').replace('ACCESS_PROFILE_FILTER_TYPE_', '');
  const [wants, wantsNot] =
    type === 'INCLUDE_SPECIFIC' ? [included, excluded] : type === 'EXCLUDE_SPECIFIC' ? [excluded, included] : [1, included + excluded];
  if (type !== '' && type !== 'UNSPECIFIED' && (wants === 0 || wantsNot > 0)) {
    say(
      `${path}.filterType`,
      type.endsWith('_SPECIFIC')
        ? `${type} goes with the list of ${type.startsWith('INCLUDE') ? 'included' : 'excluded'} access profiles, and with that alone`
        : `${type} goes with no list: clear includedAccessProfileIds and excludedAccessProfileIds`,
    );
  }
}

function checkGrants({ grantsByCriteria: criteria }: AccessReviewScopeV2Json, say: Say): void {
  if (criteria === undefined) {
    return;
  }
  checkGroups(criteria, [['daysSinceAdded', 'daysSinceReviewed', 'grantsAddedBetween']], 'scopeV2.grantsByCriteria.', say);
  const { grants, profiles } = readFilters({ scopeV2: { grantsByCriteria: criteria } });
  const filter = criteria.accessProfileFilter ?? {};
  checkProfiles(filter, say);
  const saysProfiles = filter.filterType === 'ACCESS_PROFILE_FILTER_TYPE_INCLUDE_ALL';
  if (![...Object.values(grants), ...Object.values(profiles)].some((value) => value !== undefined) && !saysProfiles) {
    say('scopeV2.grantsByCriteria', 'is chosen but empty: set a criterion, or use allGrants');
  }
}

/** Markers stand for lists beside the document. */
function checkMarkers(v2: AccessReviewScopeV2Json, lists: ListCounts, say: Say): void {
  const markers: readonly [ScopeMember, number, string][] = [
    ['resourceTypeSelections', lists.resourceTypes, 'set the resource types with scope_by_resource_type'],
    ['specificResources', lists.entitlements, 'set the entitlements with scope_and_entitlements'],
    ['specificAccessConflicts', lists.monitors, 'set monitorIds with scope_lists'],
    ['resourceSelection', lists.resources, 'set resources with scope_lists'],
    ['scopeRoleSelection', lists.scopeRoles, 'set scopeRoles with scope_lists'],
    ['excludedSpecificResources', lists.excludedResources, 'set exclusions of kind ENTITLEMENT or RESOURCE with scope_lists'],
    ['excludedResourceTypeSelections', lists.excludedResourceTypes, 'set exclusions of kind RESOURCE_TYPE with scope_lists'],
  ];
  for (const [member, count, wayOut] of markers) {
    if (isSet(v2, member) && count === 0) {
      say(`scopeV2.${member}`, `is chosen but empty: ${wayOut}`);
    }
  }
  const criteria = v2.appSelectionCriteria;
  if (
    criteria !== undefined &&
    (criteria.riskLevelAttributeValueIds ?? []).length + (criteria.complianceFrameworkAttributeValueIds ?? []).length === 0
  ) {
    say('scopeV2.appSelectionCriteria', 'is chosen but empty: name risk levels or compliance frameworks');
  }
}

/** Lists where entitlements are named, by paths as in a message. */
function listWhat(document: ReviewSettings, lists: ListCounts): string[] {
  const v2 = document.scopeV2 ?? {};
  return [
    ...(['singleApp', 'multiApp'] as const).filter((member) => isSet(document, member)),
    ...(lists.entitlements > 0 ? ['scope_and_entitlements'] : []),
    ...(lists.resourceTypes > 0 ? ['scope_by_resource_type'] : []),
    ...whatMembers.filter((member) => isSet(v2, member)).map((member) => `scopeV2.${member}`),
  ];
}

/** Checks what a type of scope needs one of, what it forbids, and what is chosen by entitlement beside it. */
function checkType(scopeType: ScopeType, document: ReviewSettings, lists: ListCounts, say: Say): void {
  const v2 = document.scopeV2 ?? {};
  const forbid = (paths: readonly string[]) => {
    for (const path of paths) {
      say(path, `does not belong to a scope ${scopeType}: remove it, or make a review of another scopeType`);
    }
  };
  const setOf = (members: readonly ScopeMember[]) => members.filter((member) => isSet(v2, member)).map((member) => `scopeV2.${member}`);
  const needs = (members: readonly ScopeMember[]) => {
    if (setOf(members).length === 0) {
      const names = members.map((member) => `scopeV2.${member}`).join(' or ');
      say('scopeType', `${scopeType} needs ${names}`);
    }
  };
  switch (scopeType) {
    case 'BY_ENTITLEMENTS':
      forbid(setOf([...conflictMembers, 'resourceSelection', 'scopeRoleSelection']));
      break;
    case 'BY_USERS':
      needs(peopleMembers);
      forbid(setOf([...conflictMembers, 'resourceSelection', 'scopeRoleSelection']));
      break;
    case 'BY_ACCESS_CONFLICTS':
      needs(conflictMembers);
      forbid([...listWhat(document, lists), ...setOf(['resourceSelection', 'scopeRoleSelection'])]);
      break;
    case 'BY_RESOURCE':
      needs(['resourceSelection']);
      forbid([...listWhat(document, lists), ...setOf([...conflictMembers, 'scopeRoleSelection'])]);
      break;
    case 'BY_INHERITANCE':
      needs(['resourceSelection', 'scopeRoleSelection']);
      forbid([...listWhat(document, lists), ...setOf(conflictMembers)]);
      break;
  }
}

/** Unowned accounts have nobody whom a filter of people could keep. */
function checkOwners(v2: AccessReviewScopeV2Json, inclusion: AccessReviewInclusionScopeJson, say: Say): void {
  const unownedBy = [
    ...(v2.accountCriteria?.noAccountOwner === true ? ['scopeV2.accountCriteria.noAccountOwner'] : []),
    ...(inclusion.noAccountOwners === true ? ['inclusionScope.noAccountOwners'] : []),
  ];
  const included = readIncludedPeople(inclusion);
  const names: readonly [string, unknown][] = [
    ['userIds', included.userIds],
    ['userStatuses', included.statuses],
    ['managerIds', included.managerIds],
    ['multiUserProfileAttributes', included.attributes],
  ];
  const filters = [
    ...peopleMembers.filter((member) => isSet(v2, member)).map((member) => `scopeV2.${member}`),
    ...names.filter(([, value]) => value !== undefined).map(([member]) => `inclusionScope.${member}`),
  ];
  for (const field of filters.length === 0 ? [] : unownedBy) {
    say(field, `${field} keeps unowned accounts, ${filters.join(' and ')} keeps accounts of people: choose one`);
  }
}

/** The members of a scope that filter people or accounts, by the paths a message calls them. */
function listPeopleAndAccountFilters(document: ReviewSettings): string[] {
  const v2 = document.scopeV2 ?? {};
  const { legacy, exclusion } = readFilters(document);
  const older = ['scope', 'inclusionScope', 'exclusionScope'] as const;
  const filters = (one: object): boolean => Object.values(one).some((value) => value !== undefined);
  const isFiltering = {
    scope: filters(legacy.accounts[0] ?? {}),
    inclusionScope: filters(legacy.accounts[1] ?? {}) || filters(legacy.people),
    exclusionScope: filters(exclusion),
  };
  return [
    ...[...peopleMembers, ...accountMembers].filter((member) => isSet(v2, member)).map((member) => `scopeV2.${member}`),
    ...older.filter((member) => isFiltering[member]),
  ];
}

/** Links of resources have no person and no account that a filter could keep. */
function checkPrincipals(document: ReviewSettings, say: Say): void {
  const filters = readFilters(document).principals === 'RESOURCES' ? listPeopleAndAccountFilters(document) : [];
  if (filters.length > 0) {
    say(
      'scopeV2.principalTypeFilter',
      `PRINCIPAL_TYPE_FILTER_RESOURCES keeps links of resources, ${filters.join(' and ')} keeps accounts: remove it, or use PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES`,
    );
  }
}

/** The choice of a document and of the lists beside it, and why no snapshot can be taken by it: all reasons at once. */
export function readScope(document: ReviewSettings, lists: ListCounts): { scope: ReviewScope; violations: FieldViolation[] } {
  const violations: FieldViolation[] = [];
  const say: Say = (field, description) => violations.push({ field, description });
  const v2 = document.scopeV2 ?? {};
  const scopeType = wantedScopeType(document);
  checkGroups(v2, groups.map(membersOf), 'scopeV2.', say);
  checkPrincipals(document, say);
  checkPeople(v2, say);
  checkAccounts(v2, say);
  checkGrants(v2, say);
  checkMarkers(v2, lists, say);
  checkOwners(v2, document.inclusionScope ?? {}, say);
  checkType(scopeType, document, lists, say);

  const choosesEntitlements = listWhat(document, lists).some((path) => path !== 'scopeV2.appAccess');
  const choosesOthers = [...peopleMembers, ...accountMembers].some((member) => isSet(v2, member));
  const isOfEntitlements = scopeType === 'BY_ENTITLEMENTS' || scopeType === 'BY_USERS';
  const everything = isOfEntitlements && !choosesEntitlements && choosesOthers;
  if (isOfEntitlements && !choosesEntitlements && !choosesOthers && violations.length === 0) {
    say(
      'accessReview',
      'nothing is chosen: name an app (singleApp, multiApp), entitlements (scope_and_entitlements), resource types (scope_by_resource_type), risk levels or frameworks (scopeV2.appSelectionCriteria), people (scopeV2.selectedUsers, scopeV2.userCriteria) or accounts (scopeV2.accountCriteria)',
    );
  }
  return { violations, scope: { what: readWhat(document, everything), filters: readFilters(document) } };
}
