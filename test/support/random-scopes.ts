/** Random companies and random scopes over them: their arbitraries, how they are imported, and how a scope is written as a document and lists. */
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import type { ScopeEntry } from '../../src/governance/snapshots/scope/store-scope-lists.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import type { ReviewTest } from './review.ts';

const statuses = ['ENABLED', 'DISABLED'] as const;
const types = ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] as const;
const departments = ['Fin', 'Eng', ''] as const;
const addresses = ['', 'x@other.test', 'x@sub.corp.test', 'x@corp.test'] as const;
const entitlements = [0, 1, 2, 3] as const;

const people = fc.array(
  fc.record({
    status: fc.constantFrom(...statuses),
    department: fc.constantFrom(...departments),
    cc: fc.constantFrom('', '7', '8'),
    manager: fc.nat(3),
  }),
  { minLength: 4, maxLength: 4 },
);
const accounts = fc.array(
  fc.record({
    type: fc.constantFrom(...types),
    status: fc.constantFrom(...statuses),
    // A person, or an unowned account with one of the addresses.
    owner: fc.option(fc.nat(3), { nil: undefined, freq: 3 }),
    address: fc.constantFrom(...addresses),
    held: fc.array(
      fc.record({
        granted: fc.nat(20),
        used: fc.option(fc.nat(20), { nil: undefined }),
        isInherited: fc.boolean(),
        ends: fc.boolean(),
        entitlement: fc.nat(3),
      }),
      { maxLength: 5 },
    ),
  }),
  { minLength: 2, maxLength: 7 },
);
/** A company of four people, and what accounts of one app hold. */
export interface World {
  readonly people: readonly { status: string; department: string; cc: string; manager: number }[];
  readonly accounts: readonly {
    type: string;
    status: string;
    owner: number | undefined;
    address: string;
    held: readonly { granted: number; used: number | undefined; isInherited: boolean; ends: boolean; entitlement: number }[];
  }[];
}
/** Companies. */
export const worlds: fc.Arbitrary<World> = fc.record({ people, accounts });

/** Mostly nothing, so that what several filters leave is seldom nothing at all. */
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const some = <T>(of: readonly T[]) => rarely(fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 }));
const one = <T>(of: readonly T[]) => rarely(fc.constantFrom(...of));
/** Scopes, most of whose filters are absent. */
export const scopes = fc.record({
  entitlements: rarely(fc.uniqueArray(fc.constantFrom(...entitlements), { minLength: 1, maxLength: 3 })),
  appAccess: fc.constantFrom(false, false, false, true),
  people: some([0, 1, 2, 3]),
  userStatus: some(statuses),
  managers: some([0, 1, 2, 3]),
  department: some(departments),
  cc: some(['', '7', '8']),
  group: one(entitlements),
  accountTypes: some(types),
  accountStatuses: some(statuses),
  domain: one(['EXTERNAL', 'TRUSTED'] as const),
  noOwner: fc.constantFrom(false, false, true),
  added: one([50, 100, 150]),
  unused: one([50, 100, 150]),
  source: one(['DIRECT', 'INHERITED'] as const),
  lasts: one(['PERMANENT', 'TEMPORARY'] as const),
  legacyTypes: some(types),
  included: fc.record({ statuses: some(statuses), departments: some(departments), accountStatuses: some(statuses) }),
  excluded: fc.record({ types: some(types), statuses: one(statuses) }),
  listed: fc.record({ entitlement: one(entitlements), account: rarely(fc.nat(6)), person: one([0, 1, 2, 3]) }),
});
/** A scope that was drawn. */
export type Scope = typeof scopes extends fc.Arbitrary<infer T> ? T : never;

/** The filters of people apply only beside no wish for unowned accounts, which excludes them. */
export function usesPeople(scope: Scope) {
  const v2 = [scope.people, scope.userStatus, scope.managers, scope.department, scope.cc, scope.group].some((value) => value !== undefined);
  return { v2, any: v2 || scope.included.statuses !== undefined || scope.included.departments !== undefined };
}

/** One grant of each entitlement for each account, and one unowned account that holds all of them. */
export function tidy(world: World): World {
  const base = {
    type: 'SYSTEM_ACCOUNT',
    status: 'ENABLED',
    owner: undefined,
    address: '',
    held: entitlements.map((entitlement) => ({ granted: 12, used: undefined, isInherited: false, ends: false, entitlement })),
  };
  const accountsOf = world.accounts.map((account) => ({
    ...account,
    held: account.held.filter((held, at) => account.held.findIndex((other) => other.entitlement === held.entitlement) === at),
  }));
  // An account without grants is in no file.
  return { ...world, accounts: [base, ...accountsOf.filter((account) => account.held.length > 0)] };
}

let count = 0;

/** Imports a company into the tenant of a test, under addresses of its own; ids by the names that files use. */
export async function load(test: ReviewTest, world: World, now: number) {
  const run = ++count;
  const mail = (person: number) => `p${person}-${run}@corp.test`;
  const ago = (days: number) => new Date(now - (days * 10 + 5) * 86_400_000).toISOString();
  const peopleCsv = [
    'email,display_name,employment_status,department,job_title,manager_email,cc',
    // Person 3 manages nobody who manages them.
    ...world.people.map((one, index) =>
      [
        mail(index),
        `P${index}`,
        one.status === 'ENABLED' ? 'ACTIVE' : 'TERMINATED',
        one.department,
        '',
        one.manager < index ? mail(one.manager) : '',
        one.cc,
      ].join(','),
    ),
  ];
  const grantsCsv = [
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,granted_via,expires_at',
    ...world.accounts.flatMap((account, index) =>
      account.held.map((held) =>
        [
          `a${index}`,
          account.owner === undefined ? account.address : mail(account.owner),
          account.type,
          account.status,
          'role',
          `R${held.entitlement}`,
          `e${held.entitlement}`,
          ago(held.granted),
          held.used === undefined ? '' : ago(held.used),
          held.isInherited ? 'role/R0/e0' : '',
          held.ends ? '2099-01-01T00:00:00Z' : '',
        ].join(','),
      ),
    ),
  ];
  const body = (lines: readonly string[]) => ({ body: Readable.from([Buffer.from(lines.join('\n'))]), encoding: '' });
  await importPeople(test.admin(), { source: `run ${run}`, allowRemovals: true }, body(peopleCsv));
  const { appId } = await importGrants(test.admin(), { app: `Run ${run}`, allowRemovals: true }, body(grantsCsv));
  const { db, tenantId } = test.admin();
  const idsOf = async (query: string) =>
    new Map((await db.rows<{ name: string; id: string }>(query, [tenantId, appId])).map(({ name, id }) => [name, id]));
  return {
    appId,
    entitlementId: await idsOf(
      `SELECT external_id AS name, id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND NOT is_app_access`,
    ),
    accountId: await idsOf('SELECT external_id AS name, id FROM accounts WHERE tenant_id = $1 AND app_id = $2'),
    userId: await idsOf(`SELECT email AS name, id FROM users WHERE tenant_id = $1 AND $2 <> ''`),
    mail,
  };
}

/** Values of an enum with its prefix. */
const named = (prefix: string, list: readonly string[] | undefined): string[] => (list ?? []).map((name) => `${prefix}_${name}`);

/** The scope as a document and lists. */
export function write(scope: Scope, world: World, at: Awaited<ReturnType<typeof load>>) {
  const { any, v2: usesV2 } = usesPeople(scope);
  const userId = (person: number) => at.userId.get(at.mail(person)) ?? '';
  const values = (list: readonly string[]) => ({ values: list.map((value) => ({ value })) });
  const attributes = {
    ...(scope.department === undefined ? {} : { department: values(scope.department) }),
    ...(scope.cc === undefined ? {} : { cc: values(scope.cc) }),
  };
  const userCriteria = {
    userStatus: scope.userStatus ?? [],
    managerUserIds: (scope.managers ?? []).map(userId),
    multiUserProfileAttributes: attributes,
    groupAppEntitlementsRef: scope.group === undefined ? [] : [{ appId: at.appId, id: at.entitlementId.get(`e${scope.group}`) ?? '' }],
  };
  const accountCriteria = {
    accountTypes: named('APP_USER_TYPE', scope.accountTypes),
    appUserStatuses: named('APP_USER_STATUS', scope.accountStatuses),
    ...(scope.domain === undefined ? {} : { accountDomain: `APP_USER_DOMAIN_${scope.domain}` }),
    noAccountOwner: scope.noOwner && !any,
  };
  const usesAccounts =
    [scope.accountTypes, scope.accountStatuses, scope.domain].some((value) => value !== undefined) || accountCriteria.noAccountOwner;
  const grantsByCriteria = {
    ...(scope.added === undefined ? {} : { daysSinceAdded: String(scope.added) }),
    ...(scope.unused === undefined ? {} : { daysSinceLastUsed: `${scope.unused * 86_400}s` }),
    ...(scope.source === undefined ? {} : { sourceFilter: `GRANT_SOURCE_FILTER_${scope.source}` }),
    ...(scope.lasts === undefined ? {} : { typeFilter: `GRANT_FILTER_TYPE_${scope.lasts}` }),
  };
  const entry = {
    list: 'EXCLUSION',
    appId: '',
    objectId: '',
    entitlementId: '',
    accountId: '',
    roleResourceId: '',
    reason: 'Elsewhere',
  } as const;
  const { listed, included, excluded } = scope;
  const entries: ScopeEntry[] = [
    ...(listed.entitlement === undefined
      ? []
      : [{ ...entry, kind: 'ENTITLEMENT' as const, appId: at.appId, entitlementId: at.entitlementId.get(`e${listed.entitlement}`) ?? '' }]),
    ...(listed.account === undefined
      ? []
      : [
          {
            ...entry,
            kind: 'ACCOUNT' as const,
            appId: at.appId,
            accountId: at.accountId.get(`a${listed.account % world.accounts.length}`) ?? '',
          },
        ]),
    ...(listed.person === undefined ? [] : [{ ...entry, kind: 'USER' as const, objectId: userId(listed.person) }]),
  ];
  const document = {
    ...(scope.entitlements === undefined || scope.appAccess
      ? { singleApp: { appId: at.appId } }
      : {
          multiApp: {
            appEntitlements: {
              [at.appId]: { appId: at.appId, entitlementIds: scope.entitlements.map((n) => at.entitlementId.get(`e${n}`) ?? '') },
            },
          },
        }),
    scope: { appUserTypes: named('APP_USER_TYPE', scope.legacyTypes) },
    inclusionScope: {
      userStatuses: named('USER', included.statuses),
      appUserStatuses: named('APP_USER_STATUS', included.accountStatuses),
      multiUserProfileAttributes: included.departments === undefined ? {} : { department: values(included.departments) },
    },
    exclusionScope: {
      appUserTypes: named('APP_USER_TYPE', excluded.types),
      appUserStatuses: named('APP_USER_STATUS', excluded.statuses === undefined ? [] : [excluded.statuses]),
    },
    scopeV2: {
      ...(scope.appAccess ? { appAccess: {} } : {}),
      ...(usesV2 && scope.people === undefined ? { userCriteria } : {}),
      ...(scope.people === undefined ? {} : { selectedUsers: { userIds: scope.people.map(userId) } }),
      ...(usesAccounts ? { accountCriteria } : {}),
      ...(Object.keys(grantsByCriteria).length > 0 ? { grantsByCriteria } : {}),
    },
  };
  return { document, entries };
}
