/** A directory of 1,000 people by chance: its rows are those of a model that knows nothing of pages, batches and spools. */
import { describe, expect, it } from 'vitest';
import { startFakeGraph } from '../../../test/support/graph/fake-graph.ts';
import { fetchEntra, type Row, usualApp } from '../../../test/support/graph/fetch-entra.ts';
import { administrator, type FakeTenant, guid, tenantOf, user } from '../../../test/support/graph/tenant.ts';
import { createRandom } from '../../../test/support/random.ts';
import { seedOfRun } from '../../../test/support/seed.ts';

const people = 1_000;
const groupCount = 60;
const appCount = 20;

/** Makes a directory by chance. */
function makeTenant(random: () => number): FakeTenant {
  const upTo = (most: number): number => Math.floor(random() * most);
  const some = <Of>(count: number, make: () => Of): Of[] => [...new Set(Array.from({ length: upTo(count + 1) }, make))];
  const anybody = (): string => guid(1, upTo(people));
  const anyApp = (): string => guid(2, upTo(appCount));
  const anyGroup = (): string => guid(3, upTo(groupCount));
  const users = Array.from({ length: people }, (_, number) =>
    user(number, {
      accountEnabled: random() > 0.1,
      userType: random() > 0.1 ? 'Member' : 'Guest',
      ...(random() > 0.2 && { manager: anybody() }),
      // Some have the address of another one, some have none.
      ...(random() > 0.95 && { mail: `U${upTo(people)}@EXAMPLE.com` }),
      ...(random() > 0.95 && { mail: null, userPrincipalName: `g${number}_x.org#EXT#@example.com` }),
      ...(random() > 0.95 && { employeeId: null }),
      ...(random() > 0.5 && { signInActivity: { lastSuccessfulSignInDateTime: `2026-0${1 + upTo(9)}-01T00:00:00Z` } }),
    }),
  );
  const principals = Array.from({ length: appCount }, (_, number) => {
    const roles = some(3, () => guid(4, 100 * number + upTo(3)));
    const anyRole = (): string => roles[upTo(roles.length)] ?? '00000000-0000-0000-0000-000000000000';
    const holders = [...some(40, anybody), ...some(3, anyGroup), ...some(2, anyApp)];
    return {
      ...{ id: guid(2, number), appId: guid(5, number), displayName: `App ${number}`, accountEnabled: random() > 0.2 },
      ...{ servicePrincipalType: 'Application' },
      appRoles: roles.map((id) => ({
        id,
        displayName: `Role ${id}`,
        isEnabled: true,
        allowedMemberTypes: [random() > 0.3 ? 'User' : 'Application'],
      })),
      assigned: holders.map((holder) => [anyRole(), holder] as const),
    };
  });
  const groups = Array.from({ length: groupCount }, (_, number) => ({
    ...{ id: guid(3, number), displayName: `Group ${number}`, groupTypes: [] },
    members: [
      ...some(random() > 0.9 ? 600 : 30, anybody),
      ...some(2, anyApp),
      ...(random() > 0.6 ? some(2, anyGroup) : []),
      ...some(1, () => guid(8, 1)),
    ],
    owners: [...some(3, anybody), ...some(1, anyApp)],
  }));
  const holders = [...some(20, anybody), ...some(3, anyGroup), ...some(2, anyApp)];
  const assigned = [
    { role: administrator, principal: guid(1, 1) },
    ...holders.map((principal) => ({ role: guid(9, 1 + upTo(3)), principal })),
  ];
  return tenantOf({
    ...{ users, principals, groups, assigned },
    roles: [1, 2, 3].map((number) => ({ id: guid(9, number), displayName: `Role ${number}`, description: '' })),
    eligible: some(10, anybody).map((principal) => ({ role: administrator, principal })),
  });
}

/** Grants as `account type/resource/entitlement via`, and links as `[from] to`, found the plain way. */
function listGrants({ users, principals, groups, assigned, eligible = [] }: FakeTenant): string[] {
  const accounts = new Set([...users, ...principals].map(({ id }) => id));
  const groupIds = new Set(groups.map(({ id }) => id));
  const member = (group: string): string => `group/${group}/member`;
  /** Rights by who has them. */
  const given: (readonly [holder: string, held: string])[] = [
    ...groups.flatMap((group) => (group.owners ?? []).map((owner) => [owner, `group/${group.id}/owner`] as const)),
    ...principals.flatMap(({ id, assigned: own = [] }) => own.map(([role, holder]) => [holder, `application/${id}/${role}`] as const)),
    ...assigned.map(({ role, principal }) => [principal, `directory_role/${role}/assigned`] as const),
    ...eligible.map(({ role, principal }) => [principal, `directory_role/${role}/eligible`] as const),
  ];
  const grants = new Set<string>();
  for (const [holder, held] of given) {
    grants.add(groupIds.has(holder) ? `[${member(holder)}] ${held}` : `${holder} ${held}`);
  }
  const holdersOf = new Map(groups.map(({ id }) => [id, groups.filter(({ members }) => members.includes(id)).map((outer) => outer.id)]));
  const givenTo = Map.groupBy(given, ([holder]) => holder);
  const climb = (account: string, steps: readonly string[]): void => {
    const via = steps.slice(0, -1).map(member).join(' > ');
    const last = steps.at(-1) as string;
    grants.add(`${account} ${member(last)} ${via}`.trim());
    for (const outer of holdersOf.get(last) ?? []) {
      if (!steps.includes(outer)) {
        climb(account, [...steps, outer]);
      }
    }
  };
  for (const { id, members } of groups) {
    for (const one of members) {
      if (groupIds.has(one)) {
        if (one !== id) {
          grants.add(`[${member(one)}] ${member(id)}`);
        }
      } else if (accounts.has(one)) {
        climb(one, [id]);
        for (const [, held] of givenTo.get(id) ?? []) {
          grants.add(`${one} ${held} ${member(id)}`);
        }
      }
    }
  }
  return [...grants].sort();
}

/** The same of rows. */
function describeRow({ account = '', resource_type, resource, entitlement, granted_via = '', linked_from }: Row): string {
  const held = `${resource_type}/${resource}/${entitlement}`;
  return linked_from === undefined ? `${account} ${held} ${granted_via}`.trim() : `[${linked_from}] ${held}`;
}

/** People with their managers, found the plain way: of those with one address, the first who may sign in, else the first. */
function listPeople({ users }: FakeTenant): string[] {
  const mailOf = ({ mail, userPrincipalName }: FakeTenant['users'][number]): string =>
    [mail, userPrincipalName].find((text): text is string => typeof text === 'string' && !text.includes('#EXT#')) ?? '';
  const byMail = Map.groupBy(users, (one) => mailOf(one).toLowerCase());
  const byId = new Map(users.map((one) => [one.id, one]));
  return users
    .filter((one) => {
      const same = byMail.get(mailOf(one).toLowerCase()) ?? [];
      const chosen = same.find(({ accountEnabled }) => accountEnabled === true) ?? same[0];
      return mailOf(one) === '' ? typeof one.employeeId === 'string' : chosen === one;
    })
    .map((one) => {
      const manager = byId.get(one.manager ?? '');
      const status = one.accountEnabled === true ? 'ACTIVE' : 'TERMINATED';
      const reference = manager === undefined ? '' : mailOf(manager) || String(manager.employeeId ?? '');
      return [mailOf(one), String(one.employeeId ?? ''), reference, status].join(' ');
    })
    .sort();
}

describe('a directory by chance', () => {
  it.each([1, 2])('has the rows of its model (%i)', async (round) => {
    const tenant = makeTenant(createRandom(seedOfRun + round));
    const fake = await startFakeGraph({ tenant, app: usualApp, pageSize: 97 });
    try {
      const { people: rows, grants, facts } = await fetchEntra(fake);
      expect(
        rows
          .map(({ email = '', employee_id = '', manager_email = '', employment_status }) =>
            [email, employee_id, manager_email, employment_status].join(' '),
          )
          .sort(),
      ).toEqual(listPeople(tenant));
      const held = grants.filter(({ account, linked_from, resource }) => resource !== undefined && (account ?? linked_from) !== undefined);
      expect(held.map(describeRow).sort()).toEqual(listGrants(tenant));
      const accounts = grants.filter(({ resource }) => resource === undefined);
      expect(accounts.length).toBe(people + appCount);
      expect(accounts.filter(({ account_status }) => account_status === 'DISABLED').length).toBe(
        [...tenant.users, ...tenant.principals].filter(({ accountEnabled }) => accountEnabled === false).length,
      );
      expect(facts.warnings.filter((warning) => /16 ways/.test(warning))).toEqual([]);
    } finally {
      await fake.close();
    }
  });
});
