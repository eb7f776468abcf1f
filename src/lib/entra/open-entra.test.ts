/** Microsoft Entra ID, fetched from a fake of Graph that follows its documentation: what becomes of what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeGraph, startFakeGraph } from '../../../test/support/graph/fake-graph.ts';
import { fetchEntra, type Row, usualApp } from '../../../test/support/graph/fetch-entra.ts';
import { administrator, type FakeTenant, guid, tenantOf, user } from '../../../test/support/graph/tenant.ts';

const [crm, robot, role, staff, all, sales] = [guid(2, 1), guid(2, 2), guid(4, 1), guid(3, 1), guid(3, 2), guid(3, 3)] as const;
const noRole = '00000000-0000-0000-0000-000000000000';
const [never, unit] = ['0001-01-01T00:00:00Z', '/administrativeUnits/east'] as const;
const tenant = tenantOf({
  users: [
    user(1, {
      department: 'IT',
      jobTitle: 'Lead',
      companyName: 'Example',
      signInActivity: { lastSuccessfulSignInDateTime: '2026-11-01T10:00:00Z' },
    }),
    user(2, {
      manager: guid(1, 1),
      accountEnabled: false,
      signInActivity: { lastSignInDateTime: '2023-02-01T00:00:00Z', lastNonInteractiveSignInDateTime: never },
    }),
    user(3, { userType: 'Guest', mail: 'guest@elsewhere.org', userPrincipalName: 'guest_elsewhere.org#EXT#@example.com' }),
    user(4, { mail: null, userPrincipalName: 'x#EXT#@example.com', employeeId: null, manager: guid(8, 1) }),
  ],
  principals: [
    {
      ...{ id: crm, appId: guid(5, 1), displayName: 'CRM', accountEnabled: true, servicePrincipalType: 'Application' },
      appRoles: [
        { id: role, displayName: 'Seller', description: 'Sells.', isEnabled: true, allowedMemberTypes: ['User'] },
        { id: guid(4, 2), displayName: 'Program', isEnabled: true, allowedMemberTypes: ['Application'] },
        { id: guid(4, 3), displayName: 'Old', isEnabled: false, allowedMemberTypes: ['User'] },
        { id: guid(4, 4), displayName: 'Unheld', isEnabled: true, allowedMemberTypes: ['User'] },
      ],
      assigned: [
        [role, staff],
        [noRole, guid(1, 1)],
        [guid(4, 2), robot],
        [role, guid(1, 99)],
      ],
    },
    { id: robot, appId: guid(5, 2), displayName: 'Robot', accountEnabled: false, servicePrincipalType: 'ManagedIdentity' },
  ],
  groups: [
    {
      id: staff,
      displayName: 'Staff',
      description: 'All of us',
      groupTypes: ['DynamicMembership'],
      members: [guid(1, 1), guid(1, 2)],
      owners: [guid(1, 1), robot],
    },
    { id: all, displayName: 'All', groupTypes: [], members: [staff, guid(1, 3), robot, guid(8, 1)] },
    { id: sales, displayName: 'Sales', groupTypes: [], onPremisesSyncEnabled: true, members: [all, guid(1, 77)] },
  ],
  assigned: [
    { role: administrator, principal: guid(1, 1) },
    { role: administrator, principal: guid(1, 2) },
    { role: administrator, principal: guid(1, 3), scope: unit },
    { role: administrator, principal: sales },
  ],
  active: [
    { role: administrator, principal: guid(1, 2), assignmentType: 'Activated', memberType: 'Direct' },
    {
      role: administrator,
      principal: guid(1, 1),
      assignmentType: 'Assigned',
      memberType: 'Direct',
      startDateTime: '2026-02-01T00:00:00Z',
      endDateTime: '2027-02-01T00:00:00.123Z',
    },
    { role: administrator, principal: guid(1, 1), assignmentType: 'Activated', memberType: 'Direct' },
    { role: administrator, principal: guid(1, 3), scope: unit, assignmentType: 'Activated', memberType: 'Group' },
  ],
  eligible: [
    { role: administrator, principal: guid(1, 2), startDateTime: '2026-01-01T00:00:00Z', endDateTime: null, memberType: 'Direct' },
    { role: administrator, principal: guid(1, 3), memberType: 'Group' },
  ],
});

const names: Readonly<Record<string, string>> = {
  ...{ [crm]: 'CRM', [robot]: 'Robot', [staff]: 'Staff', [all]: 'All', [sales]: 'Sales', [administrator]: 'Administrator' },
  ...{ [role]: 'Seller', [noRole]: 'default', [guid(4, 2)]: 'Program', [guid(4, 4)]: 'Unheld' },
  ...Object.fromEntries([1, 2, 3, 4].map((number) => [guid(1, number), `u${number}`])),
};
const named = (text = ''): string => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => names[id] ?? id);

/** Grants as `account resource/entitlement via`, with their times. */
function describeGrants(rows: readonly Row[]): string[] {
  return rows
    .filter(({ account, resource }) => account !== undefined && resource !== undefined)
    .map(({ account, resource, entitlement, granted_via, granted_at = '', expires_at = '' }) =>
      [named(account), named(`${resource}/${entitlement}`), named(granted_via?.replaceAll(/group\/|\/member/g, '')), granted_at, expires_at]
        .join(' ')
        .trim()
        .replace(/ +/g, ' '),
    );
}

describe('a directory', () => {
  let fake: FakeGraph;
  let rows: Awaited<ReturnType<typeof fetchEntra>>;
  const changed = async (changes: Partial<FakeTenant>) => {
    fake.change({ tenant: { ...tenant, ...changes } });
    return fetchEntra(fake);
  };
  beforeAll(async () => {
    fake = await startFakeGraph({ tenant, app: usualApp, pageSize: 2 });
    rows = await fetchEntra(fake, { attributes: ['companyName', 'department'] });
  });
  afterAll(() => fake.close());

  it('gives people: members and guests, with their managers and further properties', () => {
    expect(rows.people).toEqual([
      {
        ...{ email: 'u1@example.com', display_name: 'User 1', department: 'IT', job_title: 'Lead', employment_status: 'ACTIVE' },
        ...{ employee_id: '1001', username: 'u1@example.com', companyName: 'Example', 'entra.department': 'IT' },
      },
      {
        ...{ email: 'u2@example.com', display_name: 'User 2', manager_email: 'u1@example.com', employment_status: 'TERMINATED' },
        ...{ employee_id: '1002', username: 'u2@example.com' },
      },
      {
        ...{ email: 'guest@elsewhere.org', display_name: 'User 3', employment_status: 'ACTIVE', employment_type: 'Guest' },
        ...{ employee_id: '1003', username: 'guest_elsewhere.org#EXT#@example.com' },
      },
    ]);
  });

  it('gives accounts: users, and service principals as accounts of services', () => {
    const accounts = rows.grants.filter(({ resource }) => resource === undefined);
    expect(
      accounts.map(({ account, account_type, account_status, user_type, account_used_at = '' }) =>
        [named(account), account_type, account_status, user_type, account_used_at].join(' ').trim(),
      ),
    ).toEqual([
      'u1 USER ENABLED Member 2026-11-01T10:00:00Z',
      'u2 USER DISABLED Member 2023-02-01T00:00:00Z',
      'u3 USER ENABLED Guest',
      'u4 USER ENABLED Member',
      'CRM SERVICE_ACCOUNT ENABLED Application',
      'Robot SERVICE_ACCOUNT DISABLED ManagedIdentity',
    ]);
    expect(accounts[0]).toMatchObject({ companyName: 'Example', department: 'IT', account_created_at: '2024-01-02T03:04:05Z' });
    expect(accounts[4]).toMatchObject({ app_id: guid(5, 1), display_name: 'CRM' });
  });

  it('gives what accounts hold, directly and by groups; a group passes what it is given to its direct members', () => {
    expect(describeGrants(rows.grants).sort()).toEqual(
      [
        ...['u1 Staff/member', 'u1 All/member Staff', 'u1 Sales/member Staff > All', 'u1 CRM/Seller Staff', 'u1 Staff/owner'],
        ...['u2 Staff/member', 'u2 All/member Staff', 'u2 Sales/member Staff > All', 'u2 CRM/Seller Staff'],
        ...['u3 All/member', 'u3 Sales/member All', 'Robot All/member', 'Robot Sales/member All', 'Robot Staff/owner'],
        ...['u1 CRM/default 2025-02-03T04:05:06Z', 'Robot CRM/Program 2025-02-03T04:05:06Z'],
        'u1 Administrator/assigned 2026-02-01T00:00:00Z 2027-02-01T00:00:00Z',
        'u2 Administrator/eligible 2026-01-01T00:00:00Z',
        `u3 Administrator/assigned in ${unit}`,
      ].sort(),
    );
  });

  it('names entitlements, also those that nobody holds, and says where members of a group come from', () => {
    const told = rows.grants.filter(({ purpose }) => purpose !== undefined);
    expect(
      told.map((one) =>
        [named(one.resource), named(one.entitlement), one.resource_name, one.entitlement_name ?? '', one.purpose].join('|'),
      ),
    ).toEqual([
      'Staff|member|Staff||ASSIGNMENT',
      'All|member|All||ASSIGNMENT',
      'Sales|member|Sales||ASSIGNMENT',
      'Staff|owner|Staff||OWNERSHIP',
      'CRM|Seller|CRM|Seller|PERMISSION',
      'CRM|Unheld|CRM|Unheld|PERMISSION',
      'CRM|default|CRM|Default access|PERMISSION',
      'CRM|Program|CRM|Program|PERMISSION',
      'Administrator|assigned|Global Administrator|Assigned|ASSIGNMENT',
      `Administrator|assigned in ${unit}|Global Administrator|Assigned in ${unit}|ASSIGNMENT`,
      'Administrator|eligible|Global Administrator|Eligible|ASSIGNMENT',
    ]);
    expect(told.slice(0, 3).map((one) => one.entitlement_description?.slice(0, 35))).toEqual([
      'Members follow a rule of the group ',
      undefined,
      'Members come from the directory on ',
    ]);
    expect(told[0]?.resource_description).toBe('All of us');
  });

  it('links what groups pass on', () => {
    const links = rows.grants.filter(({ linked_from: from }) => from !== undefined);
    expect(links.map(({ linked_from, resource, entitlement }) => named(`${linked_from} ${resource}/${entitlement}`))).toEqual([
      'group/Staff/member All/member',
      'group/Staff/member CRM/Seller',
      'group/All/member Sales/member',
      'group/Sales/member Administrator/assigned',
    ]);
  });

  it('says what was left out', () => {
    expect(rows.facts.warnings).toEqual([
      'Users with neither an address nor an employee number, which became no people: 1.',
      'Devices, contacts and other members of groups that are no accounts, and that are left out: 2.',
      'Holders that are neither a user, a group nor a service principal that was read, and that are left out: 1.',
      'Directory roles that somebody has activated for a while, which are shown as eligible alone: 1.',
    ]);
  });

  it('without a licence for eligibility shows every assignment', async () => {
    const { grants, facts } = await changed({ eligible: undefined });
    expect(describeGrants(grants).filter((grant) => / Administrator/.test(grant))).toEqual([
      'u1 Administrator/assigned',
      'u2 Administrator/assigned',
      `u3 Administrator/assigned in ${unit}`,
    ]);
    expect(facts.warnings).toContain('Who may activate a directory role is unknown: the directory has no licence for that (P2).');
  });

  it('warns of groups whose members are hidden, of circles, and of shared addresses', async () => {
    const circle = tenant.groups.map((group) =>
      group.id === staff ? { ...group, members: [...group.members, sales], visibility: 'HiddenMembership' } : group,
    );
    const { facts } = await changed({ groups: circle, users: [...tenant.users, user(5, { mail: 'U1@example.com' })] });
    expect(facts.warnings).toEqual(
      expect.arrayContaining([
        'Users with the address of another user, which became no people of their own: 1.',
        'Groups with hidden members, who are read with the permission Member.Read.Hidden alone: 1.',
      ]),
    );
    const { facts: open } = await changed({ groups: circle.map(({ visibility: _, ...group }) => group) });
    expect(open.warnings).toContain('Groups that contain themselves by other groups; the circles are cut: 3.');
  });

  it('that is tried out is read in part', async () => {
    fake.change({ tenant });
    fake.forget();
    const { people } = await fetchEntra(fake, {}, undefined, { isTrial: true });
    expect(people).toHaveLength(2);
    expect(fake.asked.filter((path) => /skiptoken|\$count/.test(path))).toEqual([]);
  });
});
