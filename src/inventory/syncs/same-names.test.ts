/** Files that spell names otherwise than the one before: the same accounts, rights and grants. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const line = (account: string, entitlement: string, resource = 'Büro', type = 'Role'): string =>
  [account, '', '', '', type, resource, entitlement, '', ''].map((text) => `"${text}"`).join(',');
const crowd = Array.from({ length: 8 }, (_, index) => line(`u${index}`, 'Gate', 'Haus'));
const read = (...lines: string[]): Promise<Awaited<ReturnType<TestTenant['grants']>>> => tenant.grants([...crowd, ...lines]);
const names = async (table: 'accounts' | 'entitlements' | 'resources' | 'resource_types'): Promise<unknown[]> =>
  (await test.admin(`SELECT external_id AS name FROM ${table} WHERE tenant_id = '${tenant.tenantId}' ORDER BY id`)).map(({ name }) => name);

describe('a later file', () => {
  it.each([
    ['another form', (name: string) => name.normalize('NFD')],
    ['a space at the end', (name: string) => `${name} `],
    ['a space that does not break', (name: string) => name.replace(' ', '\u00a0')],
    ['two spaces', (name: string) => name.replace(' ', '  ')],
    ['a line break', (name: string) => name.replace(' ', '\r\n')],
    ['a mark of byte order', (name: string) => `\ufeff${name}`],
    ['a space of no width', (name: string) => `${name}\u200b`],
  ])('with %s in its names alone adds and removes nothing', async (_, spell) => {
    await read(line('töm 1', 'Lésen 1', 'Büro 1', 'Röle 1'));
    const [ids] = await test.admin(`SELECT array_agg(id ORDER BY id) AS ids FROM entitlements WHERE tenant_id = '${tenant.tenantId}'`);
    const row = await read(line(spell('töm 1'), spell('Lésen 1'), spell('Büro 1'), spell('Röle 1')));
    expect(row).toMatchObject({
      added: 0,
      removed: 0,
      counts: {
        accounts: { added: 0, changed: 1, removed: 0, total: 9 },
        resourceTypes: { added: 0, changed: 1, removed: 0, total: 2 },
        resources: { added: 0, changed: 1, removed: 0, total: 2 },
        entitlements: { added: 0, changed: 1, removed: 0, total: 2 },
      },
    });
    expect(await test.admin(`SELECT array_agg(id ORDER BY id) AS ids FROM entitlements WHERE tenant_id = '${tenant.tenantId}'`)).toEqual([
      ids,
    ]);
    expect([await names('accounts'), await names('entitlements')].flat()).toEqual(
      expect.arrayContaining([spell('töm 1'), spell('Lésen 1')]),
    );
    const again = await read(line(spell('töm 1'), spell('Lésen 1'), spell('Büro 1'), spell('Röle 1')), line('u9', 'Gate', 'Haus'));
    expect(again).toMatchObject({ added: 1, changed: 0, removed: 0, counts: { entitlements: { added: 0, changed: 0 } } });
  });

  it('with another case in a name has another right', async () => {
    await read(line('tom', 'Lesen'));
    expect(await read(line('tom', 'LESEN'))).toMatchObject({ added: 1, removed: 1 });
  });
});

it('one file that spells a name in two ways has it once, as its first line spells it', async () => {
  const row = await read(line('tom', 'Lesen ', 'Bu\u0308ro'), line('tom\u00a0', 'Lesen'), line('ann', '\ufeffLesen'));
  expect(row).toMatchObject({ added: 10, counts: { accounts: { total: 10 }, entitlements: { total: 2 } } });
  expect(await names('entitlements')).toEqual(expect.arrayContaining(['Gate', 'Lesen ']));
  expect(await names('resources')).toEqual(expect.arrayContaining(['Haus', 'Bu\u0308ro']));
  expect(await names('accounts')).toContain('tom');
});

it('a path goes through what it names, however it spells it', async () => {
  const row = (account: string, entitlement: string, via: string): string => `${account},,,,Role,B\u00fcro,${entitlement},,,${via}`;
  const lines = [`${grantsHeader},granted_via`, row('ann', 'Group', ''), row('ann', 'Read', 'Role/Bu\u0308ro/Group\u00a0'), ''];
  const body = bodyOf(lines.join('\n'));
  expect(await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, { body, encoding: '' })).toMatchObject({ added: 2 });
});

it("an employee id that is a person's but for zeros in front is another, and a warning says both", async () => {
  const people = bodyOf('email,display_name,employee_id\nann@x.example,Ann,0123\nbob@x.example,Bob,77\n');
  await importPeople(tenant.context(), { source: '', allowRemovals: false }, { body: people, encoding: '' });
  const header = 'account,entitlement,employee_id';
  const read = async (...rows: string[]): Promise<unknown> => {
    const body = bodyOf([header, ...rows, ''].join('\n'));
    const { warnings } = await importGrants(tenant.context(), { app: 'Zeros', allowRemovals: false }, { body, encoding: '' });
    return warnings.filter(({ column }) => column === 'employee_id');
  };
  const warning = {
    line: 2,
    column: 'employee_id',
    reason: 'account "a1" has no owner: its employee id "123" is that of a person but for zeros in front, "0123"',
  };
  expect(await read('a1,Gate,123', 'b1,Gate,77', 'c1,Gate,000')).toEqual([warning]);
  // It is said again as long as it is so, also of a file that differs elsewhere.
  expect(await read('a1,Gate,123', 'b1,Gate,77', 'c1,Gate,001')).toEqual([warning]);
  expect(await read('a1,Gate,0123', 'b1,Gate,77', 'c1,Gate,001')).toEqual([]);
});

it("a user name that is a person's but for zeros in front is found in whatever form the file writes it", async () => {
  const people = bodyOf('email,display_name,username\ncyn@x.example,Cyn,0099\n');
  await importPeople(tenant.context(), { source: '', allowRemovals: false }, { body: people, encoding: '' });
  const body = bodyOf('account,entitlement,username\na9,Gate,9\u200b9\n');
  const { warnings } = await importGrants(tenant.context(), { app: 'Forms of zeros', allowRemovals: false }, { body, encoding: '' });
  expect(warnings.map(({ reason }) => reason)).toContain(
    'account "a9" has no owner: its user name "99" is that of a person but for zeros in front, "0099"',
  );
});

it.each([
  ['a user name in another form and case', 'username', 'J\u00d6RG', 'jo\u0308rg'],
  ['a user name with what nobody sees in it', 'username', 'jo erg', 'joe\u200brg'],
  ['a user name in Greek', 'username', '\u039d\u03af\u03ba\u03bf\u03c2', '\u039d\u0399\u0301\u039a\u039f\u03a3'],
  ['an employee id with white space in it', 'employee_id', 'E 4', 'E\u00a04\ufeff'],
  ['an employee id in another form', 'employee_id', '\u00c94', 'E\u03014'],
  ['an address in another form and case', 'email', 'J\u00d6RG@x.example', 'jo\u0308rg@x.example'],
])('an account is the person of %s, also after people are read again', async (_, column, ofPerson, ofAccount) => {
  const person = (name: string): string => (column === 'email' ? `"${ofPerson}",${name},` : `p@x.example,${name},"${ofPerson}"`);
  const header = `email,display_name,${column === 'email' ? 'department' : column}`;
  const readPeople = (name: string) =>
    importPeople(tenant.context(), { source: '', allowRemovals: false }, { body: bodyOf(`${header}\n${person(name)}\n`), encoding: '' });
  await readPeople('Before');
  const body = bodyOf(`account,entitlement,${column}\nx1,Gate,"${ofAccount}"\n`);
  await importGrants(tenant.context(), { app: 'Owned', allowRemovals: false }, { body, encoding: '' });
  const owners = () =>
    test.admin(
      `SELECT u.display_name AS name FROM accounts a LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id WHERE a.tenant_id = $1`,
      [tenant.tenantId],
    );
  expect(await owners()).toEqual([{ name: 'Before' }]);
  await readPeople('After');
  expect(await owners()).toEqual([{ name: 'After' }]);
});

it('a manager is found by a user name or a name in another form', async () => {
  const file = [
    'email,display_name,username,manager_email',
    'b@x.example,J\u00f6rg Boss,j\u00d6rg,',
    'a@x.example,Ann,,JO\u0308RG',
    'c@x.example,Cat,,Jo\u0308rg  Boss',
  ];
  await importPeople(tenant.context(), { source: '', allowRemovals: false }, { body: bodyOf(`${file.join('\n')}\n`), encoding: '' });
  const rows = await test.admin(
    `SELECT u.display_name AS name FROM users u JOIN users m ON m.tenant_id = u.tenant_id AND m.id = u.manager_id WHERE u.tenant_id = $1 ORDER BY 1`,
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ name: 'Ann' }, { name: 'Cat' }]);
});

it('a warning says what nobody sees in the names that it quotes', async () => {
  const body = bodyOf('account,entitlement,email\n"to\u200bm",Gate,"nobody\u200b@x.example"\n');
  const { warnings } = await importGrants(tenant.context(), { app: 'Shown', allowRemovals: false }, { body, encoding: '' });
  expect(warnings.map(({ reason }) => reason)).toContain('nobody has the address "nobody@x.example": account "toU+200Bm" has no owner');
});

it('a name of what nobody sees alone is none', async () => {
  expect((await refusalOf(read(line('tom', '\u200b')))).violations).toEqual(['line 10, entitlement: must not be empty']);
});
