/**
 * The scope of a review in words, for reports and whoever checks them: what it asks about, whose access, through which accounts, which grants, and
 * what it leaves out. Each filter is said; lists that are long are counted.
 */
import type { Context } from '../../../context.ts';
import type { ScopeEntry } from './store-scope-lists.ts';
import { listScopeNames, type NamedKind, type NamedRef } from './store-scope-names.ts';
import { countSetup, listSetupEntitlements, listSetupResourceTypes } from './store-setup.ts';
import type { AccountFilter, ChosenScope, Filters, GrantFilter, PeopleFilter } from './types-scope.ts';

/** The scope in words; a part that filters nothing is empty. */
export interface ScopeWords {
  readonly asked: string;
  readonly people: string;
  readonly accounts: string;
  readonly grants: string;
  readonly leftOut: string;
}

/** Names of one list that are said; the rest is counted. */
const maxNames = 20;
const daySeconds = 86_400;

/** Lists beside a review's document: the first of each, and how many there are. */
export interface SetupLists {
  readonly entitlements: readonly { readonly appId: string; readonly entitlementId: string }[];
  readonly entitlementCount: number;
  readonly resourceTypes: readonly { readonly appId: string; readonly resourceTypeId: string }[];
}

/** Returns in words what a review chose; people are named as they were when it was frozen, at `at`. */
export async function describeChosen(context: Context, reviewId: string, chosen: ChosenScope, at: Date | null): Promise<ScopeWords> {
  const { entitlements: entitlementCount } = await countSetup(context, reviewId);
  const setup = {
    entitlements: await listSetupEntitlements(context, reviewId, { policyId: '', usePolicyOverride: false }, ['', ''], maxNames),
    entitlementCount,
    resourceTypes: await listSetupResourceTypes(context, reviewId),
  };
  // Said twice: the first time to learn what it names.
  const refs: NamedRef[] = [];
  sayScope(chosen, setup, (ref) => {
    refs.push(ref);
    return ref.id;
  });
  return sayScope(chosen, setup, await listScopeNames(context, refs, at));
}

type NameOf = (ref: NamedRef) => string;

/** Says a scope; `nameOf` is asked for each thing that is named. @internal */
export function sayScope(chosen: ChosenScope, setup: SetupLists, nameOf: NameOf): ScopeWords {
  const { filters, entries } = chosen;
  const accounts = [...filters.legacy.accounts, filters.accounts].flatMap(sayAccounts);
  return {
    asked: sayAsked(chosen, setup, nameOf),
    people: all([
      ...[filters.legacy.people, filters.people].flatMap((filter) => sayPeople(filter, nameOf)),
      ...(filters.userExpression === '' ? [] : [`people for whom the expression holds: ${filters.userExpression}`]),
      ...(filters.filtersPeople ? ['no account without an owner'] : []),
    ]),
    accounts: all([
      ...accounts,
      ...(filters.accountExpression === '' ? [] : [`accounts for which the expression holds: ${filters.accountExpression}`]),
      ...(filters.principals === 'RESOURCES' ? ['groups and other resources that pass access on, in place of accounts'] : []),
      ...(filters.principals === 'BOTH' ? ['accounts, and groups and other resources that pass access on'] : []),
    ]),
    grants: all([
      ...sayGrants(filters.grants),
      ...sayProfiles(filters.profiles, nameOf),
      ...(entries.some((entry) => entry.list === 'GRANT')
        ? [`only ${counted(entries.filter((entry) => entry.list === 'GRANT').length, 'grant')} named one by one`]
        : []),
      ...(entries.some((entry) => entry.list === 'CHANGES_ONLY')
        ? ['only what is new or changed since the review before; the rest of what was certified there is carried over']
        : []),
    ]),
    leftOut: sentence([
      ...(filters.exclusion.types === undefined ? [] : [`accounts of type ${lower(filters.exclusion.types)}`]),
      ...(filters.exclusion.statuses === undefined ? [] : [`accounts that are ${lower(filters.exclusion.statuses)}`]),
      ...few(
        entries.filter((entry) => entry.list === 'EXCLUSION'),
        (entry) => sayExclusion(entry, nameOf),
      ),
    ]),
  };
}

/** The first of a list, and how many more there are. */
function few<T>(items: readonly T[], say: (one: T) => string, count: number = items.length): string[] {
  const said = items.slice(0, maxNames).map(say);
  return count > said.length ? [...said, `${count - said.length} more`] : said;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const list = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en', { type }).format(items);

/** A sentence of conditions that all have to be met. */
const all = (parts: readonly string[]): string => sentence(parts, '; and ');

/** Parts of a sentence, the first letter of which is a capital one; '' for none. */
function sentence(parts: readonly string[], between = '; '): string {
  const text = parts.join(between);
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const lower = (names: readonly string[]): string =>
  list(
    names.map((name) => name.toLowerCase().replaceAll('_', ' ')),
    'disjunction',
  );

function sayAsked({ what, entries }: ChosenScope, setup: SetupLists, nameOf: NameOf): string {
  const name = (kind: NamedKind, id: string, appId = ''): string => nameOf({ kind, appId, id });
  const app = (id: string): string => name('app', id);
  const of = (kind: NamedKind, { appId, id }: { appId: string; id: string }): string => `${name(kind, id, appId)} of ${app(appId)}`;
  const entriesOf = (wanted: ScopeEntry['list']): readonly ScopeEntry[] => entries.filter((entry) => entry.list === wanted);
  if (what.scopeType === 'BY_ACCESS_CONFLICTS') {
    return what.allMonitors
      ? 'Access that breaks one of the conflict rules that are on.'
      : `Access that breaks these conflict rules: ${few(entriesOf('MONITOR'), ({ objectId }) => name('monitor', objectId)).join('; ')}.`;
  }
  const resources = few(entriesOf('RESOURCE'), ({ appId, objectId }) => of('resource', { appId, id: objectId }));
  if (what.scopeType === 'BY_RESOURCE') {
    return `Every entitlement on these resources: ${resources.join('; ')}.`;
  }
  if (what.scopeType === 'BY_INHERITANCE') {
    const roles = few(
      entriesOf('SCOPE_ROLE'),
      ({ appId, objectId, roleResourceId }) =>
        `${name('resource', roleResourceId, appId)} within ${of('resource', { appId, id: objectId })}`,
    );
    return sentence([
      ...(resources.length === 0 ? [] : [`access to these resources and to those above them: ${resources.join('; ')}`]),
      ...(roles.length === 0 ? [] : [`these roles: ${roles.join('; ')}`]),
      'and what each is inherited through',
    ]);
  }
  if (what.appAccess) {
    const apps = [
      ...new Set([...what.namedAppIds, ...setup.entitlements.map(({ appId }) => appId), ...setup.resourceTypes.map(({ appId }) => appId)]),
    ];
    return apps.length === 0
      ? 'Whether somebody should have an account, in every app.'
      : `Whether somebody should have an account in ${list(few(apps, app))}.`;
  }
  if (what.everything) {
    return 'Every entitlement in every app.';
  }
  const byApp = Map.groupBy([...what.entitlements, ...setup.entitlements], ({ appId }) => appId);
  const { riskLevelIds = [], frameworkIds = [] } = what.criteria ?? {};
  const values = (ids: readonly string[]): string =>
    list(
      few(ids, (id) => name('classification', id)),
      'disjunction',
    );
  return sentence([
    ...(what.wholeAppIds.length === 0 ? [] : [`every entitlement of ${list(few(what.wholeAppIds, app))} but having an account`]),
    ...[...byApp].map(([appId, ones]) => {
      const isListed = ones.length >= maxNames && setup.entitlementCount > setup.entitlements.length;
      return `of ${app(appId)}: ${list(few(ones, ({ entitlementId }) => name('entitlement', entitlementId, appId)))}${isListed ? ' and others' : ''}`;
    }),
    ...(setup.entitlementCount > setup.entitlements.length
      ? [`${counted(setup.entitlementCount, 'entitlement')} in all, named one by one`]
      : []),
    ...few(
      setup.resourceTypes,
      ({ appId, resourceTypeId }) => `everything on resources of the type ${of('resource type', { appId, id: resourceTypeId })}`,
    ),
    ...(what.criteria === undefined
      ? []
      : [
          `every entitlement ${[
            ...(riskLevelIds.length === 0 ? [] : [`with the risk level ${values(riskLevelIds)}`]),
            ...(frameworkIds.length === 0 ? [] : [`under ${values(frameworkIds)}`]),
          ].join(' and ')}`,
        ]),
  ]);
}

function sayPeople({ userIds, statuses, managerIds, attributes, notHolding }: PeopleFilter, nameOf: NameOf): string[] {
  const person = (id: string): string => nameOf({ kind: 'person', appId: '', id });
  return [
    ...(userIds === undefined ? [] : [`these people: ${list(few(userIds, person))}`]),
    ...(statuses === undefined ? [] : [`people who are ${lower(statuses)}`]),
    ...(managerIds === undefined ? [] : [`direct reports of ${list(few(managerIds, person), 'disjunction')}`]),
    ...(attributes ?? []).map(
      ({ key, values }) =>
        `people whose ${key} is ${list(
          few(values, (value) => (value === '' ? 'empty' : value)),
          'disjunction',
        )}`,
    ),
    ...(notHolding === undefined
      ? []
      : [`people who hold none of these: ${few(notHolding, (ref) => nameOf({ kind: 'entitlement', ...ref })).join('; ')}`]),
  ];
}

function sayAccounts({ types, statuses, unowned, domain }: AccountFilter): string[] {
  return [
    ...(types === undefined ? [] : [`accounts of type ${lower(types)}`]),
    ...(statuses === undefined ? [] : [`accounts that are ${lower(statuses)}`]),
    ...(unowned === undefined ? [] : ['accounts without an owner']),
    ...(domain === undefined
      ? []
      : [
          `accounts whose address is of a domain that ${domain === 'TRUSTED' ? 'people of the directory have' : 'nobody of the directory has'}`,
        ]),
  ];
}

function sayGrants(filter: GrantFilter): string[] {
  const days = (seconds: number): string =>
    seconds % daySeconds === 0 ? counted(seconds / daySeconds, 'day') : counted(seconds, 'second');
  const { addedAtLeastSecondsAgo: added, unusedForSeconds: unused, unreviewedForSeconds: unreviewed, addedFrom, addedBefore } = filter;
  return [
    ...(added === undefined ? [] : [`granted at least ${days(added)} before`]),
    ...(unused === undefined ? [] : [`not used for ${days(unused)}, or never known to be`]),
    ...(unreviewed === undefined ? [] : [`not reviewed for ${days(unreviewed)}`]),
    ...(addedFrom === undefined ? [] : [`granted from ${addedFrom.toISOString()} on`]),
    ...(addedBefore === undefined ? [] : [`granted before ${addedBefore.toISOString()}`]),
    ...(filter.heldHow === undefined ? [] : [filter.heldHow === 'DIRECT' ? 'held directly' : 'inherited from other access']),
    ...(filter.lasts === undefined ? [] : [filter.lasts === 'PERMANENT' ? 'without an end' : 'with an end']),
  ];
}

function sayProfiles({ included, excluded }: Filters['profiles'], nameOf: NameOf): string[] {
  const names = (ids: readonly string[]): string =>
    list(
      few(ids, (id) => nameOf({ kind: 'profile', appId: '', id })),
      'disjunction',
    );
  return [
    ...(included === undefined ? [] : [`covered by the access profile ${names(included)}`]),
    ...(excluded === undefined
      ? []
      : [excluded === 'all' ? 'covered by no access profile' : `not covered by the access profile ${names(excluded)}`]),
  ];
}

function sayExclusion({ kind, appId, objectId, entitlementId, accountId, reason }: ScopeEntry, nameOf: NameOf): string {
  const name = (what: NamedKind, id: string): string => nameOf({ kind: what, appId: what === 'person' || what === 'app' ? '' : appId, id });
  const said = (): string => {
    switch (kind) {
      case 'USER':
        return name('person', objectId);
      case 'ACCOUNT':
        return `account ${name('account', accountId)} of ${name('app', appId)}`;
      case 'ENTITLEMENT':
        return `${name('entitlement', entitlementId)} of ${name('app', appId)}`;
      case 'GRANT':
        return `${name('entitlement', entitlementId)} of account ${name('account', accountId)}`;
      case 'RESOURCE':
        return `resource ${name('resource', objectId)} of ${name('app', appId)}`;
      default:
        return `resources of the type ${name('resource type', objectId)} of ${name('app', appId)}`;
    }
  };
  return `${said()}${reason === '' ? '' : ` (${reason})`}`;
}
