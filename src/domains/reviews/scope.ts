/**
 * Reading what a review's document chooses: which entitlements, whose accounts, which grants. Pure: nothing here reads the database, so
 * ids may still be of nothing (freeze.ts). The meaning of each member is the table in docs/scopes.md; source: specification 2.4 to 2.7.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../errors.ts';
import { asTexts, isJsonObject } from '../../lib/json.ts';
import { setupAppIds, textOf } from './document.ts';

/** An entitlement named one by one, with the policy that decides it where one was named. */
export interface NamedEntitlement {
  readonly appId: string;
  readonly entitlementId: string;
  readonly policyId: string;
}

/** An attribute of a person, and the values of which it must have one. */
export interface AttributeFilter {
  readonly key: string;
  readonly values: readonly string[];
}

/** A document's choice. A filter that is `undefined` filters nothing; a list filters to its members, an empty one to nothing. */
export interface ReviewScope {
  /** Apps chosen whole: all their entitlements but app access. */
  readonly appIds: readonly string[];
  readonly entitlements: readonly NamedEntitlement[];
  /** Exactly the built-in entitlement of the chosen apps, in place of their others. */
  readonly appAccess: boolean;
  /** Nothing was chosen but people: everything they hold. */
  readonly everything: boolean;
  readonly accountTypes: readonly string[] | undefined;
  readonly accountStatuses: readonly string[] | undefined;
  readonly excludedTypes: readonly string[];
  readonly excludedStatuses: readonly string[];
  readonly unownedOnly: boolean;
  /** Whether any filter looks at people, so that accounts nobody owns are out. */
  readonly filtersUsers: boolean;
  readonly userIds: readonly string[] | undefined;
  readonly userStatuses: readonly string[] | undefined;
  readonly managerIds: readonly string[] | undefined;
  readonly attributes: readonly AttributeFilter[];
  readonly groups: readonly { readonly appId: string; readonly id: string }[];
  readonly grants: GrantFilter;
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

/** What was chosen in the lists beside the document. */
export interface SetupCounts {
  readonly entitlements: number;
  readonly resourceTypes: number;
}

type Path = `scopeV2.${string}` | 'scopeV2' | string;

function objectAt(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function textsAt(holder: JsonObject | undefined, member: string): string[] {
  return asTexts(holder?.[member]);
}

/** Enum names without their prefix; a name that says nothing (UNSPECIFIED, UNKNOWN) filters nothing. */
function namesAt(holder: JsonObject | undefined, member: string): string[] {
  return textsAt(holder, member)
    .map((name) => name.replace(/^(APP_USER_STATUS_|APP_USER_TYPE_|USER_(?!$))/, ''))
    .filter((name) => name !== 'UNSPECIFIED' && name !== 'UNKNOWN');
}

function enumAt(holder: JsonObject | undefined, member: string): string {
  const value = holder?.[member];
  return typeof value === 'string' ? value : '';
}

function isTrue(holder: JsonObject | undefined, member: string): boolean {
  return holder?.[member] === true;
}

function attributesAt(holder: JsonObject | undefined): AttributeFilter[] {
  const byKey = objectAt(holder?.multiUserProfileAttributes) ?? {};
  return Object.entries(byKey).map(([key, entry]) => {
    const values = objectAt(entry)?.values;
    return { key, values: (Array.isArray(values) ? values : []).map((one) => textOf(objectAt(one) ?? {}, 'value')) };
  });
}

function intersect(...lists: readonly (readonly string[])[]): string[] | undefined {
  const given = lists.filter((list) => list.length > 0);
  const first = given[0];
  return first === undefined ? undefined : [...new Set(first)].filter((item) => given.every((list) => list.includes(item)));
}

/** The groups of scopeV2 of which at most one member may be set. */
const exclusiveGroups: readonly (readonly string[])[] = [
  ['appAccess', 'appSelectionCriteria', 'resourceTypeSelections', 'specificResources'],
  ['allUsers', 'celExpression', 'selectedUsers', 'userCriteria'],
  ['accountCelExpression', 'accountCriteria', 'allAccounts'],
  ['allGrants', 'grantsByCriteria'],
  ['allAccessConflicts', 'specificAccessConflicts'],
  ['excludedResourceTypeSelections', 'excludedSpecificResources'],
];

/** Members that are stored and answered, but that no snapshot can be taken by yet. */
const notCarriedOut: readonly string[] = [
  'accountCelExpression',
  'celExpression',
  'appSelectionCriteria',
  'allAccessConflicts',
  'specificAccessConflicts',
  'resourceSelection',
  'scopeRoleSelection',
  'excludedResourceTypeSelections',
  'excludedSpecificResources',
];

/** Seconds of "7776000s", or of "90" days; undefined for nothing. Anything else was refused when it was written. */
function readSpan(text: string): number | undefined {
  const match = /^(\d+)(?:\.\d+)?(s?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (match[2] === 's' ? 1 : 86_400);
}

function checkScopeV2(v2: JsonObject, setup: SetupCounts, say: (field: Path, description: string) => void): void {
  const isSet = (member: string) => v2[member] !== undefined && v2[member] !== null;
  for (const group of exclusiveGroups) {
    const set = group.filter(isSet);
    if (set.length > 1) {
      const names = set.map((member) => `scopeV2.${member}`).join(' and ');
      say(`scopeV2.${set[1]}`, `${names} exclude each other: choose one`);
    }
  }
  for (const member of notCarriedOut.filter(isSet)) {
    say(`scopeV2.${member}`, 'is stored but not supported yet: remove it to prepare the review');
  }
  if (['PRINCIPAL_TYPE_FILTER_RESOURCES', 'PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES'].includes(enumAt(v2, 'principalTypeFilter'))) {
    say('scopeV2.principalTypeFilter', 'the inventory holds only grants of accounts: use PRINCIPAL_TYPE_FILTER_USERS');
  }
  const selected = objectAt(v2.selectedUsers);
  if (selected !== undefined && textsAt(selected, 'userIds').length === 0) {
    say('scopeV2.selectedUsers.userIds', 'is chosen but empty: name people, or use allUsers');
  }
  const criteria = objectAt(v2.userCriteria);
  if (criteria !== undefined && userFiltersOf(criteria, 'userStatus', 'managerUserIds').length === 0) {
    say('scopeV2.userCriteria', 'is chosen but empty: set a criterion, or use allUsers');
  }
  const accounts = objectAt(v2.accountCriteria);
  if (accounts !== undefined) {
    const chosen = [...namesAt(accounts, 'accountTypes'), ...namesAt(accounts, 'appUserStatuses')];
    if (!['', 'APP_USER_DOMAIN_UNSPECIFIED'].includes(enumAt(accounts, 'accountDomain'))) {
      say('scopeV2.accountCriteria.accountDomain', 'is stored but not supported yet: remove it to prepare the review');
    } else if (chosen.length === 0 && !isTrue(accounts, 'noAccountOwner')) {
      say('scopeV2.accountCriteria', 'is chosen but empty: set a criterion, or use allAccounts');
    }
  }
  checkGrantCriteria(objectAt(v2.grantsByCriteria), say);
  if (isSet('resourceTypeSelections') && setup.resourceTypes === 0) {
    say('scopeV2.resourceTypeSelections', 'is chosen but empty: set the resource types with scope_by_resource_type');
  }
  if (isSet('specificResources') && setup.entitlements === 0) {
    say('scopeV2.specificResources', 'is chosen but empty: set the entitlements with scope_and_entitlements');
  }
}

function checkGrantCriteria(criteria: JsonObject | undefined, say: (field: Path, description: string) => void): void {
  if (criteria === undefined) {
    return;
  }
  const set = ['daysSinceAdded', 'daysSinceReviewed', 'grantsAddedBetween'].filter(
    (member) => criteria[member] !== undefined && criteria[member] !== '',
  );
  if (set.length > 1) {
    say(
      `scopeV2.grantsByCriteria.${set[1]}`,
      `${set.map((member) => `scopeV2.grantsByCriteria.${member}`).join(' and ')} exclude each other: choose one`,
    );
  }
  const profiles = objectAt(criteria.accessProfileFilter);
  const filters =
    profiles !== undefined &&
    (textsAt(profiles, 'includedAccessProfileIds').length > 0 ||
      textsAt(profiles, 'excludedAccessProfileIds').length > 0 ||
      !['', 'ACCESS_PROFILE_FILTER_TYPE_UNSPECIFIED'].includes(enumAt(profiles, 'filterType')));
  if (filters) {
    say('scopeV2.grantsByCriteria.accessProfileFilter', 'is stored but not supported yet: remove it to prepare the review');
  }
}

/** The names of the filters over people that are set in one of the two messages that hold such. */
function userFiltersOf(holder: JsonObject | undefined, statuses: string, managers: string): string[] {
  const filters: string[] = [];
  if (namesAt(holder, statuses).length > 0) {
    filters.push(statuses);
  }
  for (const member of [managers, 'userIds']) {
    if (textsAt(holder, member).length > 0) {
      filters.push(member);
    }
  }
  if (attributesAt(holder).length > 0) {
    filters.push('multiUserProfileAttributes');
  }
  const groups = holder?.groupAppEntitlementsRef;
  if (Array.isArray(groups) && groups.length > 0) {
    filters.push('groupAppEntitlementsRef');
  }
  return filters;
}

function readGrantFilter(criteria: JsonObject | undefined): GrantFilter {
  const between = objectAt(criteria?.grantsAddedBetween);
  const at = (member: string) => {
    const text = between === undefined ? '' : textOf(between, member);
    return text === '' ? undefined : new Date(text);
  };
  return {
    addedAtLeastSecondsAgo: readSpan(textOf(criteria ?? {}, 'daysSinceAdded')),
    unusedForSeconds: readSpan(textOf(criteria ?? {}, 'daysSinceLastUsed')),
    unreviewedForSeconds: readSpan(textOf(criteria ?? {}, 'daysSinceReviewed')),
    addedFrom: at('startDate'),
    addedBefore: at('endDate'),
    heldHow: heldHows[enumAt(criteria, 'sourceFilter')],
    lasts: lastings[enumAt(criteria, 'typeFilter')],
  };
}

const heldHows: Readonly<Record<string, GrantFilter['heldHow']>> = {
  GRANT_SOURCE_FILTER_DIRECT: 'DIRECT',
  GRANT_SOURCE_FILTER_INHERITED: 'INHERITED',
};
const lastings: Readonly<Record<string, GrantFilter['lasts']>> = {
  GRANT_FILTER_TYPE_PERMANENT: 'PERMANENT',
  GRANT_FILTER_TYPE_TEMPORARY: 'TEMPORARY',
};

function readNamedEntitlements(document: JsonObject): { entitlements: NamedEntitlement[]; wholeApps: string[] } {
  const multiApp = objectAt(document.multiApp) ?? {};
  const single = textOf(objectAt(document.singleApp) ?? {}, 'appId');
  const wholeApps = single === '' ? [] : [single];
  const entitlements: NamedEntitlement[] = [];
  for (const [key, entry] of Object.entries(objectAt(multiApp.appEntitlements) ?? {})) {
    const app = objectAt(entry) ?? {};
    const appId = textOf(app, 'appId') || key;
    const ids = textsAt(app, 'entitlementIds');
    if (ids.length === 0) {
      wholeApps.push(appId);
    }
    entitlements.push(...ids.map((entitlementId) => ({ appId, entitlementId, policyId: '' })));
  }
  for (const [key, entry] of Object.entries(objectAt(multiApp.appEntitlementDetails) ?? {})) {
    for (const [id, detail] of Object.entries(objectAt(objectAt(entry)?.entitlementDetails) ?? {})) {
      const fields = objectAt(detail) ?? {};
      entitlements.push({
        appId: textOf(fields, 'appId') || key,
        entitlementId: textOf(fields, 'entitlementId') || id,
        policyId: textOf(fields, 'policyId'),
      });
    }
  }
  return { entitlements, wholeApps };
}

/** The choice of a document and of the lists beside it, and why no snapshot can be taken by it: all reasons at once. */
export function readScope(document: JsonObject, setup: SetupCounts): { scope: ReviewScope; violations: FieldViolation[] } {
  const violations: FieldViolation[] = [];
  const say = (field: Path, description: string) => violations.push({ field, description });
  const v2 = objectAt(document.scopeV2) ?? {};
  const inclusion = objectAt(document.inclusionScope);
  const legacy = objectAt(document.scope);
  const exclusion = objectAt(document.exclusionScope);
  const criteria = objectAt(v2.userCriteria);
  const selected = objectAt(v2.selectedUsers);
  const accounts = objectAt(v2.accountCriteria);
  checkScopeV2(v2, setup, say);

  const v2Users = [...(selected === undefined ? [] : ['selectedUsers']), ...(criteria === undefined ? [] : ['userCriteria'])];
  const inclusionUsers = userFiltersOf(inclusion, 'userStatuses', 'managerIds');
  const filtersUsers = v2Users.length > 0 || inclusionUsers.length > 0;
  const unownedBy = isTrue(accounts, 'noAccountOwner')
    ? 'scopeV2.accountCriteria.noAccountOwner'
    : isTrue(inclusion, 'noAccountOwners')
      ? 'inclusionScope.noAccountOwners'
      : '';
  if (unownedBy !== '' && filtersUsers) {
    const other = v2Users.map((member) => `scopeV2.${member}`).concat(inclusionUsers.map((member) => `inclusionScope.${member}`))[0];
    say(unownedBy, `${unownedBy} keeps unowned accounts, ${other} keeps accounts of people: choose one`);
  }

  const { entitlements, wholeApps } = readNamedEntitlements(document);
  const appAccess = v2.appAccess !== undefined;
  const choosesWhat = wholeApps.length > 0 || entitlements.length > 0 || setup.entitlements > 0 || setup.resourceTypes > 0;
  if (!choosesWhat && v2Users.length === 0 && violations.length === 0) {
    say(
      'accessReview',
      'nothing is chosen: name an app (singleApp, multiApp), entitlements (scope_and_entitlements), resource types (scope_by_resource_type) or people (scopeV2.selectedUsers, scopeV2.userCriteria)',
    );
  }
  const groups = criteria?.groupAppEntitlementsRef;
  return {
    violations,
    scope: {
      appIds: appAccess ? setupAppIds(document) : wholeApps,
      entitlements: appAccess ? [] : entitlements,
      appAccess,
      everything: !choosesWhat,
      accountTypes: intersect(namesAt(accounts, 'accountTypes'), namesAt(legacy, 'appUserTypes'), namesAt(inclusion, 'appUserTypes')),
      accountStatuses: intersect(
        namesAt(accounts, 'appUserStatuses'),
        namesAt(legacy, 'appUserStatuses'),
        namesAt(inclusion, 'appUserStatuses'),
      ),
      excludedTypes: namesAt(exclusion, 'appUserTypes'),
      excludedStatuses: namesAt(exclusion, 'appUserStatuses'),
      unownedOnly: unownedBy !== '',
      filtersUsers,
      userIds: intersect(textsAt(selected, 'userIds'), textsAt(inclusion, 'userIds')),
      userStatuses: intersect(namesAt(criteria, 'userStatus'), namesAt(inclusion, 'userStatuses')),
      managerIds: intersect(textsAt(criteria, 'managerUserIds'), textsAt(inclusion, 'managerIds')),
      attributes: [...attributesAt(criteria), ...attributesAt(inclusion)],
      groups: (Array.isArray(groups) ? groups : []).map((one) => ({
        appId: textOf(objectAt(one) ?? {}, 'appId'),
        id: textOf(objectAt(one) ?? {}, 'id'),
      })),
      grants: readGrantFilter(objectAt(v2.grantsByCriteria)),
    },
  };
}
