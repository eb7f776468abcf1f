/** Sources named for an attribute: those that say what the person says, and no others. */
import { describe, expect, it } from 'vitest';
import { attributeSources } from './attribute-sources.ts';
import type { FileSource, PushSource } from './store-sources.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
type Told = Parameters<typeof attributeSources>[0];

const person = (more: Partial<Told>): Told => ({
  email: 'Ann@x.example',
  username: 'Ann',
  employeeId: 'E-1',
  department: 'Legal',
  jobTitle: 'Clerk',
  employmentType: 'Employee',
  employmentStatus: 'ACTIVE',
  status: 'ENABLED',
  managerId: 'm1',
  managerEmail: 'boss@x.example',
  source: '',
  file: null,
  pushes: [],
  ...more,
});

const file: FileSource = { sourceId: 'file', columns: { department: 'Abteilung', job_title: '=Clerk' } };
const push = (sourceId: string, more: Partial<PushSource> = {}): PushSource => ({
  sourceId,
  appId: `app of ${sourceId}`,
  accountId: `account of ${sourceId}`,
  nameKey: 'ann',
  isActive: true,
  keys: {
    emails: [{ value: 'ann@x.example', type: 'work' }],
    title: 'clerk',
    usertype: 'employee',
    [`${enterprise.toLowerCase()}:department`]: 'legal',
    [`${enterprise.toLowerCase()}:employeenumber`]: 'e-1',
  },
  managerScimId: 's-m1',
  managerId: 'm1',
  ...more,
});

const all = [
  'email',
  'username',
  'employeeId',
  'department',
  'jobTitle',
  'employmentType',
  'employmentStatus',
  'directoryStatus',
  'manager',
] as const;
const namesOf = (row: Told, attribute: (typeof all)[number]): string[] =>
  attributeSources(row, attribute).map((one) => one.userAttributeMappingId ?? '');

describe('the sources of an attribute', () => {
  it('are none for somebody made manually', () => {
    for (const attribute of all) {
      expect(attributeSources(person({}), attribute)).toEqual([]);
    }
  });

  it('are those that say an address or a user name in the other spelling of its domain', () => {
    const [letters, ascii] = ['Ann@bücher.example', 'ann@xn--bcher-kva.example'];
    const pushes = [push('idp', { nameKey: 'ann@bücher.example', keys: { emails: [{ value: ascii }] } })];
    for (const name of [letters, ascii]) {
      const row = person({ email: name, username: name, pushes });
      expect([namesOf(row, 'email'), namesOf(row, 'username')]).toEqual([['idp'], ['idp']]);
    }
  });

  it('are the columns of the file that reported them, as the file calls them', () => {
    const row = person({ source: 'file', file });
    const keys = Object.fromEntries(all.map((attribute) => [attribute, attributeSources(row, attribute)]));
    expect(keys.department).toEqual([
      { appUserProfileAttributeKey: 'Abteilung', userAttributeMappingId: 'file', value: 'Legal', priority: 0 },
    ]);
    expect(keys.manager).toMatchObject([{ appUserProfileAttributeKey: 'manager_email', value: 'boss@x.example' }]);
    expect(keys.directoryStatus).toMatchObject([{ appUserProfileAttributeKey: 'employment_status', value: 'ACTIVE' }]);
    expect(keys.jobTitle).toMatchObject([{ appUserProfileAttributeKey: 'job_title', value: 'Clerk' }]);
    expect(keys.employeeId).toMatchObject([{ appUserProfileAttributeKey: 'employee_id', value: 'E-1' }]);
  });

  it('are not told for what nobody said', () => {
    const silent = person({ source: 'file', file, department: '', managerId: null, managerEmail: null });
    expect(attributeSources(silent, 'department')).toEqual([]);
    expect(attributeSources(silent, 'manager')).toEqual([]);
  });

  it('are the attributes that a provider pushes, with its app and account', () => {
    const row = person({ source: 'okta', pushes: [push('okta')] });
    expect(attributeSources(row, 'department')).toEqual([
      {
        appId: 'app of okta',
        appUserId: 'account of okta',
        appUserProfileAttributeKey: `${enterprise}:department`,
        userAttributeMappingId: 'okta',
        value: 'Legal',
        priority: 0,
      },
    ]);
    expect(attributeSources(row, 'manager')).toMatchObject([{ appUserProfileAttributeKey: `${enterprise}:manager`, value: 's-m1' }]);
    expect(attributeSources(row, 'directoryStatus')).toMatchObject([{ appUserProfileAttributeKey: 'active', value: 'true' }]);
    expect(attributeSources(row, 'employmentStatus')).toEqual([]);
    for (const attribute of ['email', 'username', 'employeeId', 'jobTitle', 'employmentType'] as const) {
      expect([attribute, namesOf(row, attribute)]).toEqual([attribute, ['okta']]);
    }
  });

  it('leave out a provider that says something else, or nothing', () => {
    const other = push('okta', { nameKey: 'bob', keys: { title: 'boss' }, managerId: 'm2' });
    for (const attribute of ['email', 'username', 'employeeId', 'jobTitle', 'department', 'employmentType', 'manager'] as const) {
      expect([attribute, attributeSources(person({ source: 'okta', pushes: [other] }), attribute)]).toEqual([attribute, []]);
    }
    const unknown = push('okta', { managerScimId: 's-m9', managerId: null });
    expect(attributeSources(person({ managerId: null, pushes: [unknown] }), 'manager')).toEqual([]);
  });

  it('take a user name that is the address for it', () => {
    const row = person({ pushes: [push('okta', { nameKey: 'ann@x.example', keys: {} })] });
    expect(namesOf(row, 'email')).toEqual(['okta']);
  });

  it('are all that say the same, the one that reported them last first', () => {
    const pushes = [push('azure', { accountId: null }), push('okta')];
    const pushed = attributeSources(person({ source: 'okta', pushes }), 'jobTitle');
    expect(pushed.map((one) => [one.userAttributeMappingId, one.priority])).toEqual([
      ['okta', 0],
      ['azure', 1],
    ]);
    expect(pushed[1]?.appUserId).toBeNull();
    expect(namesOf(person({ source: 'file', file, pushes }), 'jobTitle')).toEqual(['file', 'azure', 'okta']);
  });

  it('do not take names that every object has for columns of the file', () => {
    const row = person({ source: 'file', file: { sourceId: 'file', columns: JSON.parse('{"__proto__": "x"}') } });
    expect(attributeSources(row, 'email')).toMatchObject([{ appUserProfileAttributeKey: 'email' }]);
  });
});
