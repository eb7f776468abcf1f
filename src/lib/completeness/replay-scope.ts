/**
 * The scope of a review in plain TypeScript: works the verdict on each grant out again from what a snapshot says of accounts, people, entitlements and
 * grants. It shares nothing with the SQL that froze them, so that each holds the other to what docs/completeness.md says. Nothing here reads anything.
 */
import { asList, asObject, asTexts, isJsonObject } from '../json.ts';
import type {
  JudgedAccount,
  JudgedEntitlement,
  JudgedPerson,
  ReplayedAccount,
  ReplayedEntitlement,
  ReplayedGrant,
  ReplayedPerson,
  ReplayedScope,
  ReplayedVerdict,
} from './replayed-types.ts';

type Message = Readonly<Record<string, unknown>>;

const message = (holder: Message | undefined, member: string): Message | undefined => {
  const value = holder?.[member];
  return isJsonObject(value) ? value : undefined;
};
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Names of an enum without their prefix; those that say nothing are left out. */
const namesOf = (names: unknown): readonly string[] =>
  asTexts(names)
    .map((name) => name.replace(/^(APP_USER_STATUS|APP_USER_TYPE|USER_STATUS|USER)_/, ''))
    .filter((name) => name !== 'UNSPECIFIED' && name !== 'UNKNOWN');

/** A name of an enum without its prefix. */
const wordOf = (name: unknown): string => textOf(name).replace(/^(PRINCIPAL_TYPE_FILTER|GRANT_SOURCE_FILTER|GRANT_FILTER_TYPE)_/, '');

/** Choice among values: what names none filters nothing. */
function isAmong(names: unknown, value: string): boolean {
  const wanted = namesOf(names);
  return wanted.length === 0 || wanted.includes(value);
}

const isSet = (list: unknown): boolean => asList(list).length > 0;

const named: Readonly<Record<string, keyof ReplayedPerson>> = {
  email: 'email',
  displayName: 'displayName',
  username: 'username',
  department: 'department',
  jobTitle: 'jobTitle',
  employmentStatus: 'employmentStatus',
  employmentType: 'employmentType',
  manager: 'managerEmail',
};

function attributeOf(person: ReplayedPerson, key: string): string {
  const member = Object.hasOwn(named, key) ? named[key] : undefined;
  const value = member === undefined ? (Object.hasOwn(person.profile, key) ? person.profile[key] : undefined) : person[member];
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Attributes by key, each with the values of which a person must have one. */
function readAttributes(holder: Message | undefined): readonly { readonly key: string; readonly values: readonly string[] }[] {
  return Object.entries(asObject(holder?.['multiUserProfileAttributes'])).map(([key, said]) => ({
    key,
    values: asList(asObject(said)['values']).map((one) => textOf(asObject(one)['value'])),
  }));
}

/** Seconds of a span: a number, or a text of as many, or of days without a unit. */
const days = (value: unknown): number | undefined => {
  if (typeof value === 'number') {
    return value;
  }
  const text = textOf(value);
  return text === '' ? undefined : text.endsWith('s') ? Number(text.slice(0, -1)) : Number(text) * 86_400;
};

/** Filters of a scope, read once. */
interface Filters {
  readonly account: Message | undefined;
  readonly user: Message | undefined;
  readonly included: Message | undefined;
  readonly selected: ReadonlySet<string> | undefined;
  readonly asksPeople: boolean;
  readonly asksIncluded: boolean;
  readonly onlyResources: boolean;
  readonly grants: Message | undefined;
}

function readFilters({ scopeV2, inclusionScope }: ReplayedScope): Filters {
  const user = message(scopeV2, 'userCriteria');
  const selected = message(scopeV2, 'selectedUsers');
  const asksPeople =
    selected !== undefined ||
    (user !== undefined &&
      (namesOf(user['userStatus']).length > 0 ||
        isSet(user['managerUserIds']) ||
        readAttributes(user).length > 0 ||
        isSet(user['groupAppEntitlementsRef'])));
  const included = inclusionScope;
  return {
    account: message(scopeV2, 'accountCriteria'),
    user,
    included,
    selected: selected === undefined ? undefined : new Set(asTexts(selected['userIds'])),
    asksPeople,
    asksIncluded:
      isSet(included?.['userIds']) ||
      namesOf(included?.['userStatuses']).length > 0 ||
      isSet(included?.['managerIds']) ||
      readAttributes(included).some(({ values }) => values.length > 0),
    onlyResources: wordOf(scopeV2?.['principalTypeFilter']) === 'RESOURCES',
    grants: message(scopeV2, 'grantsByCriteria'),
  };
}

function passesAccount(filters: Filters, account: ReplayedAccount): boolean | undefined {
  const { account: wanted } = filters;
  if (filters.onlyResources) {
    return false;
  }
  if (!isAmong(wanted?.['accountTypes'], account.type) || !isAmong(wanted?.['appUserStatuses'], account.status)) {
    return false;
  }
  if (wanted?.['noAccountOwner'] === true && account.ownerId !== null) {
    return false;
  }
  const domain = textOf(wanted?.['accountDomain']);
  if (domain.endsWith('EXTERNAL')) {
    return account.external;
  }
  if (domain.endsWith('TRUSTED')) {
    return account.email === undefined ? undefined : account.email.includes('@') && !account.email.endsWith('@') && !account.external;
  }
  return true;
}

function passesPeople(filters: Filters, account: ReplayedAccount): boolean | undefined {
  const { user, selected } = filters;
  if (account.ownerId === null) {
    return !filters.asksPeople;
  }
  if (selected !== undefined) {
    return selected.has(account.ownerId);
  }
  if (!filters.asksPeople) {
    return true;
  }
  if (isSet(user?.['groupAppEntitlementsRef']) && account.holdsExcluded) {
    return false;
  }
  return account.owner?.passesUsers;
}

/** Filters of people beside who they are. */
function judgePerson({ user, included }: Filters, person: ReplayedPerson): JudgedPerson {
  const isManaged = (ids: unknown): boolean => !isSet(ids) || asTexts(ids).includes(person.managerId);
  return {
    passesUsers:
      isAmong(user?.['userStatus'], person.status) &&
      isManaged(user?.['managerUserIds']) &&
      readAttributes(user).every(({ key, values }) => values.includes(attributeOf(person, key))),
    passesIncluded:
      isAmong(included?.['userStatuses'], person.status) &&
      isManaged(included?.['managerIds']) &&
      readAttributes(included).every(({ key, values }) => values.length === 0 || values.includes(attributeOf(person, key))),
  };
}

function passesIncluded(filters: Filters, account: ReplayedAccount): boolean | undefined {
  const { included } = filters;
  if (!isAmong(included?.['appUserTypes'], account.type) || !isAmong(included?.['appUserStatuses'], account.status)) {
    return false;
  }
  if (included?.['noAccountOwners'] === true && account.ownerId !== null) {
    return false;
  }
  if (!filters.asksIncluded) {
    return true;
  }
  if (account.ownerId === null) {
    return false;
  }
  if (isSet(included?.['userIds']) && !asTexts(included?.['userIds']).includes(account.ownerId)) {
    return false;
  }
  return account.owner?.passesIncluded;
}

function passesProfiles(filter: Message | undefined, account: JudgedAccount, entitlement: JudgedEntitlement): boolean {
  if (filter === undefined) {
    return true;
  }
  const type = textOf(filter['filterType']);
  const covers = (given: readonly string[]): boolean => given.some((id) => account.accessProfiles.includes(id));
  const asksIncluded = isSet(filter['includedAccessProfileIds']);
  const asksExcluded = type.endsWith('EXCLUDE_ALL') || isSet(filter['excludedAccessProfileIds']);
  return (!asksIncluded || covers(entitlement.givenByIncluded)) && (!asksExcluded || !covers(entitlement.givenByExcluded));
}

/** Conditions over grants, read once. */
type PassesGrant = (account: JudgedAccount, entitlement: JudgedEntitlement, grant: ReplayedGrant) => boolean;

function readGrantFilters({ grants }: Filters, takenAt: Date): PassesGrant {
  if (grants === undefined) {
    return () => true;
  }
  const ago = (member: string): number | undefined => {
    const seconds = days(grants[member]);
    return seconds === undefined ? undefined : takenAt.getTime() - seconds * 1000;
  };
  const [old, reviewed, used] = [ago('daysSinceAdded'), ago('daysSinceReviewed'), ago('daysSinceLastUsed')];
  const between = message(grants, 'grantsAddedBetween');
  const time = (value: unknown): number | undefined => (textOf(value) === '' ? undefined : Date.parse(textOf(value)));
  const [start, end] = [time(between?.['startDate']), time(between?.['endDate'])];
  const [how, lasts] = [wordOf(grants['sourceFilter']), wordOf(grants['typeFilter'])];
  const profiles = message(grants, 'accessProfileFilter');
  return (account, entitlement, grant) => {
    const added = grant.grantedAt ?? grant.firstSeenAt;
    return (
      (old === undefined || added <= old) &&
      (reviewed === undefined || !grant.reviewed) &&
      (used === undefined || grant.lastUsedAt === null || grant.lastUsedAt <= used) &&
      (start === undefined || added >= start) &&
      (end === undefined || added < end) &&
      (how !== 'DIRECT' || grant.held !== 'INHERITED') &&
      (how !== 'INHERITED' || grant.held !== 'DIRECT') &&
      (lasts !== 'PERMANENT' || grant.endsAt === null) &&
      (lasts !== 'TEMPORARY' || grant.endsAt !== null) &&
      passesProfiles(profiles, account, entitlement)
    );
  };
}

const keyOf = (...parts: readonly string[]): string => parts.join('\n');

/** Reads the list of what is left out one by one, and of what alone is asked about. */
function readLists({ lists }: ReplayedScope) {
  const excluded = new Set<string>();
  const listed = new Set<string>();
  for (const { list, kind, appId, objectId, entitlementId, accountId } of lists) {
    if (list === 'GRANT') {
      listed.add(keyOf(accountId, entitlementId));
    } else if (list === 'EXCLUSION') {
      const key = {
        USER: [objectId],
        ACCOUNT: [appId, accountId],
        GRANT: [accountId, entitlementId],
        ENTITLEMENT: [appId, entitlementId],
        RESOURCE: [appId, objectId],
        RESOURCE_TYPE: [appId, objectId],
      }[kind];
      excluded.add(keyOf(kind, ...(key ?? [])));
    }
  }
  return { excluded, listed };
}

/** A scope that judges: people first, then accounts and entitlements, then grants of both. */
export interface Replay {
  readonly judgePerson: (person: ReplayedPerson) => JudgedPerson;
  readonly judgeAccount: (account: ReplayedAccount) => JudgedAccount;
  readonly judgeEntitlement: (entitlement: ReplayedEntitlement) => JudgedEntitlement;
  /** True if verdicts rest on the times of grants. */
  readonly asksTimes: boolean;
  /** Returns the verdict on a grant: the first filter that drops it, in the order of docs/completeness.md. */
  readonly judgeGrant: (account: JudgedAccount, entitlement: JudgedEntitlement, grant: ReplayedGrant) => ReplayedVerdict;
}

/** Returns the first filter that does not pass, '' where all do, undefined from one on that cannot be asked. */
function firstOf(asked: readonly (readonly [verdict: string, passes: boolean | undefined])[]): ReplayedVerdict {
  const found = asked.find(([, passes]) => passes !== true);
  return found === undefined ? '' : found[1] === false ? found[0] : undefined;
}

/** Reads a scope once, and returns what judges by it. */
export function replayScope(scope: ReplayedScope): Replay {
  const filters = readFilters(scope);
  const { exclusionScope: out, ofConflicts } = scope;
  const { excluded, listed } = readLists(scope);
  const passesGrant = readGrantFilters(filters, scope.takenAt);
  const hasExcludedGrants = [...excluded].some((key) => key.startsWith('GRANT\n'));
  return {
    asksTimes: filters.grants !== undefined,
    judgePerson: (person) => judgePerson(filters, person),
    judgeAccount: (account) => {
      const isOut = namesOf(out?.['appUserTypes']).includes(account.type) || namesOf(out?.['appUserStatuses']).includes(account.status);
      const isListed = excluded.has(keyOf('USER', account.ownerId ?? '')) || excluded.has(keyOf('ACCOUNT', account.app, account.id));
      return {
        before: firstOf([
          ['ACCOUNT_FILTER', passesAccount(filters, account)],
          ['ACCOUNT_EXPRESSION', account.accountExpression ?? true],
          ['USER_FILTER', passesPeople(filters, account)],
          ['USER_EXPRESSION', account.personExpression ?? true],
        ]),
        behind: firstOf([
          ['SCOPE', isAmong(scope.scope?.['appUserTypes'], account.type) && isAmong(scope.scope?.['appUserStatuses'], account.status)],
          ['INCLUSION_SCOPE', passesIncluded(filters, account)],
          ['EXCLUSION_SCOPE', !isOut],
          ['EXCLUDED_SELECTION', !isListed],
        ]),
        accessProfiles: account.accessProfiles,
      };
    },
    judgeEntitlement: ({ id, app, chosen, resourceId, resourceTypeId, givenByIncluded, givenByExcluded }) => ({
      chosen,
      givenByIncluded,
      givenByExcluded,
      isExcluded:
        excluded.has(keyOf('ENTITLEMENT', app, id)) ||
        excluded.has(keyOf('RESOURCE', app, resourceId)) ||
        excluded.has(keyOf('RESOURCE_TYPE', app, resourceTypeId)),
    }),
    judgeGrant: (account, entitlement, grant) => {
      const isNamed = listed.size === 0 || listed.has(keyOf(grant.account, grant.entitlement));
      if (!entitlement.chosen || (!ofConflicts && !isNamed)) {
        return 'ENTITLEMENT_NOT_CHOSEN';
      }
      if (account.before !== '') {
        return account.before;
      }
      if (!passesGrant(account, entitlement, grant)) {
        return 'GRANT_FILTER';
      }
      if (ofConflicts && !(grant.inConflict && isNamed)) {
        return 'CONFLICT';
      }
      if (account.behind !== '') {
        return account.behind;
      }
      const isListed = hasExcludedGrants && excluded.has(keyOf('GRANT', grant.account, grant.entitlement));
      return entitlement.isExcluded || isListed ? 'EXCLUDED_SELECTION' : 'IN';
    },
  };
}
