/** The rules of people imports, each with its example. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { createUser, findUserByEmail } from '../../foundation/directory/index.ts';
import { importPeople } from './import-people.ts';
import { bodyOf, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const user = async (email: string, of = tenant) => findUserByEmail(of.context(), email);
const crowd = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.example,P ${index},,,,ACTIVE`);

describe('people', () => {
  it('are found by their address in any case; a later file tells what is new about them', async () => {
    await tenant.people(['Ann@X.example,Ann,,Legal,Clerk,ACTIVE', 'bob@x.example,Bob,ann@x.EXAMPLE,Legal,Clerk,active']);
    const ann = await user('ann@x.example');
    expect(ann).toMatchObject({
      email: 'Ann@X.example',
      displayName: 'Ann',
      department: 'Legal',
      jobTitle: 'Clerk',
      status: 'ENABLED',
      file: { columns: {} },
    });
    expect(ann?.source).toBe(ann?.file?.sourceId);
    expect(await user('bob@x.example')).toMatchObject({ managerId: ann?.id, employmentStatus: 'ACTIVE' });
    const again = await tenant.people(['ANN@x.example,Ann Lee,,Legal,Clerk,ACTIVE', 'bob@x.example,Bob,ann@x.example,Legal,Clerk,ACTIVE']);
    expect(again).toMatchObject({ added: 0, changed: 1, unchanged: 1, removed: 0 });
    expect(await user('ann@x.example')).toMatchObject({ id: ann?.id, displayName: 'Ann Lee' });
  });

  it('keep what other columns say as their profile', async () => {
    const { importPeople } = await import('./import-people.ts');
    const { bodyOf, peopleHeader } = await import('../../../test/support/inventory.ts');
    const text = `\uFEFF${peopleHeader},Cost Center,__proto__\r\n"a@x.example","Lee, ""Ann""",,"a\nb",,,C-7,p\r\n`;
    await importPeople(tenant.context(), { source: 'hr', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
    expect(await user('a@x.example')).toMatchObject({
      displayName: 'Lee, "Ann"',
      department: 'a\nb',
      employmentStatus: 'ACTIVE',
      profile: JSON.parse('{"Cost Center": "C-7", "__proto__": "p"}'),
    });
  });

  it('keep employee id, user name and kind of employment where a file has no such columns, and lose them where it has nothing in them', async () => {
    const { importPeople } = await import('./import-people.ts');
    const { bodyOf, peopleHeader } = await import('../../../test/support/inventory.ts');
    const send = (columns: string, ...rows: string[]) => {
      const text = `${peopleHeader}${columns}\n${rows.map((row) => `a@x.example,A,,,,ACTIVE${row}\n`).join('')}`;
      return importPeople(tenant.context(), { source: '', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
    };
    const said = { employeeId: 'E-1', username: 'ann', employmentType: 'Contractor', profile: {} };
    await send(',employee_id,username,employment_type', ',E-1,ann, Contractor ');
    expect(await user('a@x.example')).toMatchObject(said);
    expect(await send('', '')).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await user('a@x.example')).toMatchObject(said);
    expect(await send(',username,employment_type', ',ann,Intern')).toMatchObject({ changed: 1 });
    expect(await user('a@x.example')).toMatchObject({ ...said, employmentType: 'Intern' });
    expect(await send(',employee_id,employment_type,username', ',,,')).toMatchObject({ changed: 1 });
    expect(await user('a@x.example')).toMatchObject({ employeeId: '', username: '', employmentType: '' });
    expect(await send(',employee_id,employment_type,username', ',,,')).toMatchObject({ changed: 0, unchanged: 1 });
  });

  it('are disabled when terminated, and enabled when they come back', async () => {
    await tenant.people(['a@x.example,A,,,,TERMINATED', 'b@x.example,B,,,,ACTIVE']);
    expect(await user('a@x.example')).toMatchObject({ status: 'DISABLED', employmentStatus: 'TERMINATED' });
    expect(await tenant.people(['a@x.example,A,,,,ACTIVE', 'b@x.example,B,,,,ACTIVE'])).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await user('a@x.example')).toMatchObject({ status: 'ENABLED' });
  });

  it('that are missing from a later file of the same source are disabled; others are not touched', async () => {
    await createUser(tenant.context(), { email: 'hand@x.example', displayName: 'Hand', roles: [] });
    await tenant.people(['other@x.example,O,,,,ACTIVE'], { source: 'contractors' });
    await tenant.people(crowd(10));
    expect(await tenant.people(crowd(9))).toMatchObject({ added: 0, changed: 0, unchanged: 9, removed: 1 });
    expect(await user('p9@x.example')).toMatchObject({ status: 'DISABLED', deletedAt: null });
    expect(await user('hand@x.example')).toMatchObject({ status: 'ENABLED', source: '' });
    expect(await user('other@x.example')).toMatchObject({ status: 'ENABLED' });
    expect(await tenant.people(crowd(9))).toMatchObject({ unchanged: 9, removed: 0 });
    expect(await tenant.people(crowd(10))).toMatchObject({ changed: 1, unchanged: 9 });
  });

  it('are not disabled in numbers unless that is allowed', async () => {
    await tenant.people(crowd(10));
    expect(await tenant.people(crowd(8))).toMatchObject({ removed: 2 });
    expect(await tenant.people(crowd(10))).toMatchObject({ changed: 2 });
    const told = await refusalOf(tenant.people(crowd(7)));
    expect(told.code).toBe('FAILED_PRECONDITION');
    expect(told.message).toContain('disable 3 of the 10 people of the source "people" (30 %)');
    expect(told.message).toContain('allow_removals=true');
    const terminated = await refusalOf(
      tenant.people(crowd(10).map((line, index) => (index < 3 ? line.replace('ACTIVE', 'TERMINATED') : line))),
    );
    expect(terminated.code).toBe('FAILED_PRECONDITION');
    expect(await user('p9@x.example')).toMatchObject({ status: 'ENABLED' });
    expect(await tenant.people(crowd(1), { allowRemovals: true })).toMatchObject({ removed: 9, unchanged: 1 });
  });

  it('never lose the last Super Administrator', async () => {
    await createUser(tenant.context(), { email: 'root@x.example', displayName: 'Root', roles: ['SUPER_ADMINISTRATOR'] });
    const file = ['root@x.example,Root,,,,TERMINATED', ...crowd(5)];
    const first = await tenant.people(file);
    expect(first.warnings).toEqual([
      { line: 2, column: 'employment_status', reason: 'root@x.example is the last Super Administrator and stays enabled' },
    ]);
    expect(await user('root@x.example')).toMatchObject({ status: 'ENABLED', source: (await user('p0@x.example'))?.source });
    expect(await tenant.people(file)).toMatchObject({ changed: 0, unchanged: 6, warningCount: 1 });
    const missing = await tenant.people(crowd(5));
    expect(missing).toMatchObject({ removed: 0, warningCount: 1 });
    expect(await user('root@x.example')).toMatchObject({ status: 'ENABLED' });
    await createUser(tenant.context(), { email: 'second@x.example', displayName: 'Second', roles: ['SUPER_ADMINISTRATOR'] });
    expect(await tenant.people(crowd(5))).toMatchObject({ removed: 1, warningCount: 0 });
    expect(await user('root@x.example')).toMatchObject({ status: 'DISABLED' });
  });

  it('have no manager where nobody knows them, with a warning', async () => {
    const done = await tenant.people([
      'a@x.example,A,who@x.example,,,ACTIVE',
      'b@x.example,B,B@x.example,,,ACTIVE',
      'c@x.example,C,d@x.example,,,ACTIVE',
      'd@x.example,D,,,,ACTIVE',
    ]);
    expect(done.warnings).toEqual([
      { line: 2, column: 'manager_email', reason: 'nobody has the address "who@x.example": no manager is set' },
      { line: 3, column: 'manager_email', reason: 'nobody is their own manager: no manager is set' },
    ]);
    expect((await user('a@x.example'))?.managerId).toBeNull();
    expect((await user('b@x.example'))?.managerId).toBeNull();
    expect((await user('c@x.example'))?.managerId).toBe((await user('d@x.example'))?.id);
  });

  it('lose their managers where those go round in a circle; who only leads into one keeps theirs', async () => {
    const chain = Array.from({ length: 40 }, (_, index) => `c${index}@x.example,C,c${(index + 1) % 40}@x.example,,,ACTIVE`);
    const done = await tenant.people([...chain, 'in@x.example,In,c7@x.example,,,ACTIVE', 'free@x.example,Free,in@x.example,,,ACTIVE']);
    expect(done.warningCount).toBe(40);
    expect(done.warnings[0]).toEqual({ line: 2, column: 'manager_email', reason: 'the managers go round in a circle: no manager is set' });
    expect((await user('c3@x.example'))?.managerId).toBeNull();
    expect((await user('in@x.example'))?.managerId).toBe((await user('c7@x.example'))?.id);
    expect((await user('free@x.example'))?.managerId).toBe((await user('in@x.example'))?.id);
  });

  it('may not make a circle with people of another file either', async () => {
    await tenant.people(['a@x.example,A,,,,ACTIVE', 'b@x.example,B,a@x.example,,,ACTIVE'], { source: 'one' });
    const done = await tenant.people(['a@x.example,A,b@x.example,,,ACTIVE'], { source: 'two' });
    expect(done.warningCount).toBe(1);
    expect((await user('a@x.example'))?.managerId).toBeNull();
    expect((await user('b@x.example'))?.managerId).toBe((await user('a@x.example'))?.id);
  });

  it('are refused whole for a single bad row; each is reported with line, column and reason', async () => {
    const told = await refusalOf(
      tenant.people([
        'a@x.example,A,,,,ACTIVE',
        'nobody,B,,,,ACTIVE',
        ',C,,,,ACTIVE',
        'd@x.example,D,not@mail@x,,,ACTIVE',
        'e@x.example,E,,,,GONE',
        'f@x.example,F',
        'A@x.example,A,,Sales,,ACTIVE',
      ]),
    );
    expect(told.code).toBe('INVALID_ARGUMENT');
    expect(told.message).toContain('6 row errors');
    expect(told.violations).toEqual([
      'line 3, email: "nobody" is not a mail address',
      'line 4, email: must not be empty',
      'line 5, manager_email: "not@mail@x" is not a mail address',
      'line 6, employment_status: "GONE" is none of ACTIVE, TERMINATED, and its meaning is not known; give it, such as "employment_status:GONE=ACTIVE"',
      'line 7: has 2 fields where the header has 6',
      'line 8, email: "A@x.example" stands on line 2 already, and the rows differ in department: leave one of them out',
    ]);
    expect(await user('a@x.example')).toBeUndefined();
  });

  it('count once where a row stands there twice, and are told of where they have no address', async () => {
    const row = await tenant.people(['a@x.example,A,,,,ACTIVE', 'b@x.example,B,,,,ACTIVE', 'a@x.example,A,,,,ACTIVE']);
    expect([row.rows, row.added, row.unchanged, row.warningCount]).toEqual([3, 2, 0, 0]);
    expect(row.counts.people).toMatchObject({ total: 2 });
    const text = 'employee_id,email,display_name\n1,,Ann\n2,b@x.example,Bob\n3,,Cid\n1,,Ann\n';
    const other = await importPeople(tenant.context(), { source: 'numbers', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
    expect(other.warnings).toEqual([
      {
        line: 2,
        column: 'email',
        reason: '2 people have no mail address: they get no mails, and accounts are matched to them by employee id or user name alone',
      },
    ]);
  });

  it('count once where rows differ in white space and the case of addresses alone, attributes included', async () => {
    const text = [
      'email,display_name,manager_email,department,employee_id,Cost center',
      'a@x.example,Ann Sample,b@x.example,Sales,1,"North 7"',
      'A@x.example , Ann  Sample ,B@x.example,Sales ,1 ," North  7 "',
      'b@x.example,Bob,,,2,',
    ].join('\n');
    const row = await importPeople(tenant.context(), { source: 'hr', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
    expect([row.rows, row.added, row.counts.people?.total, row.warningCount]).toEqual([3, 2, 2, 0]);
    expect((await user('a@x.example'))?.displayName).toBe('Ann Sample');
  });

  it.each([
    ['another name and attribute', 'a@x.example,Ann Other,,1,8', 'display_name, an attribute'],
    ['another manager', 'a@x.example,Ann,b@x.example,1,7', 'manager_email'],
    ['another employee id', 'a@x.example,Ann,,3,7', 'employee_id'],
  ])('are refused where a row repeats an address with %s', async (_what, row, named) => {
    const text = `email,display_name,manager_email,employee_id,Cost center\na@x.example,Ann,,1,7\n${row}\nb@x.example,Bob,,2,7\n`;
    const { violations } = await refusalOf(
      importPeople(tenant.context(), { source: 'hr', allowRemovals: false }, { body: bodyOf(text), encoding: '' }),
    );
    expect(violations).toEqual([
      `line 3, email: "a@x.example" stands on line 2 already, and the rows differ in ${named}: leave one of them out`,
    ]);
  });

  describe('whose manager is named', () => {
    const managersOf = async (text: string) => {
      const row = await importPeople(tenant.context(), { source: 'hr', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
      const rows = await test.admin(
        `SELECT u.email AS who, m.email AS manager FROM users u LEFT JOIN users m ON m.tenant_id = u.tenant_id AND m.id = u.manager_id
         WHERE u.tenant_id = $1 AND u.email LIKE '%@x.example' ORDER BY 1`,
        [tenant.tenantId],
      );
      return {
        row,
        managers: Object.fromEntries(rows.map(({ who, manager }) => [String(who)[0], manager === null ? '' : String(manager)[0]])),
      };
    };

    it('by name and by number have the one with the number, and where it is empty the one with the name', async () => {
      const { row, managers } = await managersOf(
        [
          'Personalnr.;Name;Vorname;E-Mail;Vorgesetzter;Personalnr. Vorgesetzter',
          '1;Muster;Anna;a@x.example;Chef, Karl;4',
          '2;Muster;Bert;b@x.example;Boss, Bea;',
          '3;Chef;Karl;c@x.example;;',
          '4;Chef;Karl;d@x.example;;',
          '5;Boss;Bea;e@x.example;;',
        ].join('\n'),
      );
      expect([managers, row.warningCount]).toEqual([{ a: 'd', b: 'e', c: '', d: '', e: '' }, 0]);
    });

    it('by address, number and name go by the surest that a row has', async () => {
      const { managers } = await managersOf(
        [
          'email,display_name,employee_id,Manager,Manager ID,Manager Email',
          'a@x.example,A,1,Chief,4,c@x.example',
          'b@x.example,B,2,Nobody Known,4,',
          'c@x.example,Chief,3,Chief,,',
          'd@x.example,Chief,4,,,',
        ].join('\n'),
      );
      expect(managers).toEqual({ a: 'c', b: 'd', c: '', d: '' });
    });

    it('by a number that is the user name or the name of others, too, have the one with the number', async () => {
      const { managers } = await managersOf(
        'email,display_name,employee_id,username,manager_email\na@x.example,A,1,a,4\nb@x.example,4,2,b,\nc@x.example,C,3,4,\nd@x.example,D,4,d,\n',
      );
      expect(managers).toEqual({ a: 'd', b: '', c: '', d: '' });
    });

    it('by a name with a number in brackets have the one with the number, or the one with the name where nobody has it', async () => {
      const { managers } = await managersOf(
        [
          'email,display_name,employee_id,Manager',
          'a@x.example,A,1,Kim Chief (4)',
          'b@x.example,B,2,"Boss, Bea (London 2)"',
          'c@x.example,Kim Chief,3,',
          'd@x.example,Kim Chief,4,',
          'e@x.example,Bea Boss,5,',
        ].join('\n'),
      );
      expect(managers).toEqual({ a: 'd', b: 'e', c: '', d: '', e: '' });
    });
  });

  it('answer a hundred errors and the number of all', async () => {
    const told = await refusalOf(tenant.people(Array.from({ length: 1000 }, () => 'x,X,,,,ACTIVE')));
    expect(told.message).toContain('1000 row errors. The first 100 are listed.');
    expect(told.violations).toHaveLength(100);
    expect(told.violations.at(-1)).toBe('line 101, email: "x" is not a mail address');
  });

  it('belong to their tenant alone', async () => {
    const other = makeTenant(test);
    await tenant.people(crowd(3));
    await other.people(['p0@x.example,Other,p1@x.example,,,ACTIVE']);
    expect(await user('p0@x.example')).toMatchObject({ displayName: 'P 0', status: 'ENABLED' });
    expect(await user('p0@x.example', other)).toMatchObject({ displayName: 'Other', managerId: null });
    expect(await tenant.people(crowd(3))).toMatchObject({ unchanged: 3, removed: 0 });
  });
});
