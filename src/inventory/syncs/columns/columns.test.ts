/** Headers: by their own names, by a mapping, and the guess where neither does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../errors.ts';
import { processorTimeOf } from '../../../../test/support/processor-time.ts';
import { readHeader } from './columns.ts';
import type { Mappings } from '../values/mapping.ts';
import { grantRows } from '../rows/grant-rows.ts';
import { peopleRows } from '../rows/people-rows.ts';
import { suggestMapping } from './suggest-mapping.ts';

const standard = [...grantRows.wanted];
const grants = (header: readonly string[], mappings?: Mappings) => readHeader(header, grantRows, mappings);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) {
      return error.message;
    }
    throw error;
  }
  return 'nothing was refused';
}

describe('readHeader', () => {
  it('finds wanted and optional columns by name, and leaves the others', () => {
    const { at, others, fixed, used, count } = grants([...standard, 'Note', 'USERNAME', 'expires_at']);
    expect(at).toMatchObject({ account: 0, last_used_at: 8, username: 10, expires_at: 11, employee_id: -1, granted_via: -1 });
    expect({ others, fixed, used, count }).toEqual({ others: [{ name: 'Note', at: 9 }], fixed: [], used: {}, count: 12 });
  });

  it('takes columns where the mapping says, defaults for what may be missing, and texts for all rows', () => {
    const saved = { account: 'login', resource: '=CRM', entitlement: ' ROLE' };
    const { at, fixed, others } = grants(['Role', 'Login', 'Note', 'email'], { saved });
    expect(at).toMatchObject({ account: 1, entitlement: 0, email: 3 });
    const row = ['r', 'l', 'n', 'e', ...fixed];
    expect(row[at.resource]).toBe('CRM');
    expect(row[at.account_type]).toBe('USER');
    expect(row[at.account_status]).toBe('ENABLED');
    expect(row[at.resource_type]).toBe('resource');
    expect(row[at.granted_at]).toBe('');
    expect(others).toEqual([{ name: 'Note', at: 2 }]);
  });

  it('may take two columns from one, and makes a profile attribute of a column whose name it does not use', () => {
    const { at, others } = grants(['mail', 'resource', 'Object', 'entitlement'], {
      saved: { account: 'Mail', email: 'Mail', resource: 'Object' },
    });
    expect(at).toMatchObject({ account: 0, email: 0, resource: 2 });
    expect(others).toEqual([{ name: 'resource', at: 1 }]);
  });

  it('needs no saved mapping where all wanted names are there, but takes what it adds', () => {
    const saved = { account: 'Login', account_type: '=SYSTEM_ACCOUNT', employee_id: 'Staff no', username: 'not there' };
    expect(grants(standard, { saved })).toMatchObject({ used: {}, fixed: [], made: [] });
    const { at, used } = grants([...standard, 'Login', 'Staff No'], { saved });
    expect(at).toMatchObject({ account: 0, employee_id: 10, username: -1 });
    expect(used).toEqual({ employee_id: 'Staff no' });
  });

  it('does what is asked for with the file before anything saved', () => {
    const { at, fixed } = grants([...standard, 'Login'], { saved: { account: 'x' }, asked: { account: 'Login', account_type: '=USER' } });
    expect(at.account).toBe(9);
    expect(fixed).toEqual(['USER']);
  });

  it.each([
    ['a wanted column', () => grants(standard.slice(1)), 'the header lacks account; found: email'],
    ['a name given twice', () => grants([...standard, 'Email']), 'the header names "email" twice'],
    ['a column without a name', () => grants([...standard, ' ']), 'a column without a name'],
    [
      'a name given twice beside a mapping',
      () => grants(['Login', 'login', 'Role'], { saved: { account: 'Login', resource: '=a', entitlement: 'Role' } }),
      'names "login" twice',
    ],
    [
      'a column the mapping names',
      () => grants(['a', 'b'], { saved: { account: 'a', resource: 'c', entitlement: 'b' } }),
      'the mapping fills resource from "c", and the file has no such column; found: a, b',
    ],
    ['what neither has', () => grants(['a', 'b'], { asked: { account: 'a' } }), 'neither the file nor the mapping has entitlement'],
    ['a header of a thousand columns', () => grants(Array.from({ length: 1000 }, (_, at) => `c${at}`)), 'and 950 more'],
  ])('refuses a file without %s', (_name, work, message) => {
    expect(refusal(work)).toContain(message);
  });

  it('reads or refuses a header of as many columns as fit into a row at once', async () => {
    const many = Array.from({ length: 16_000 }, (_, at) => at.toString(36).padStart(3, '0'));
    const taken = await processorTimeOf(() => {
      expect(grants([...standard, ...many]).others).toHaveLength(16_000);
      expect(refusal(() => grants(many))).toContain('the header lacks account');
      expect(refusal(() => grants(Array<string>(65_000).fill('')))).toContain('the header lacks account');
      expect(refusal(() => grants([...standard, ...many, 'EMAIL']))).toContain('twice');
    });
    // It took seconds, in which nobody else was answered.
    expect(taken).toBeLessThan(1000);
  });

  it('tells a guess that, once asked for, reads the file', () => {
    const header = ['sAMAccountName', 'UPN', 'App Role', 'Application', 'Last Logon'];
    const told = refusal(() => grants(header));
    const mapping = JSON.parse(/saved: (\{.*?\})/.exec(told)?.[1] ?? '') as Record<string, string>;
    const { at, made } = grants(header, { asked: mapping });
    expect(at).toMatchObject({ account: 0, email: 1, entitlement: 2, resource: 3 });
    const row = ['', '', '', '', '17.08.2026'];
    expect(made.map(({ make }) => make(row, 2, () => expect.unreachable()))).toEqual(['2026-08-17T00:00:00Z']);
  });

  it('reads any header or refuses it in words', () => {
    const name = fc.oneof(fc.constantFrom(...standard, 'Login', 'E-Mail', 'Role', 'Group', '', ' '), fc.string({ maxLength: 6 }));
    const mapping = fc.dictionary(fc.constantFrom(...standard), fc.oneof(name, fc.constant('=x')), { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), mapping, mapping, (header, saved, asked) => {
        let columns: ReturnType<typeof grants>;
        try {
          columns = grants(header, { saved, asked });
        } catch (error) {
          expect(isAppError(error)).toBe(true);
          return;
        }
        const width = columns.count + columns.fixed.length + columns.made.length;
        expect(grantRows.wanted.every((column) => columns.at[column] >= 0 && columns.at[column] < width)).toBe(true);
      }),
    );
  });
});

describe('one column that is asked for', () => {
  const sample = [
    ['Finance', 'ann@example.com', 'True'],
    ['Sales', 'bob@example.com', 'False'],
  ];
  it('leaves the guesses of all others', () => {
    const { used, guessed } = readHeader(['Unit', 'userPrincipalName', 'accountEnabled'], grantRows, {
      asked: { entitlement: 'Unit' },
      sample,
    });
    expect(used).toEqual({
      entitlement: 'Unit',
      account: 'userPrincipalName',
      email: 'userPrincipalName',
      account_status: 'accountEnabled',
    });
    expect(guessed.toSorted()).toEqual(['account', 'account_status', 'email']);
  });

  it('of people leaves the address, and is refused once where nothing names a person', () => {
    const rows = [['ann@example.com', 'Ann', 'x']];
    const asked = { manager_email: 'Chief' };
    expect(readHeader(['E-Mail', 'Name', 'Chief'], peopleRows, { asked, sample: rows }).used).toMatchObject({
      email: 'E-Mail',
      display_name: 'Name',
    });
    expect(refusal(() => readHeader(['Colour', 'Name', 'Chief'], peopleRows, { asked, sample: rows }))).toContain(
      'has email or employee_id, by which people are known',
    );
  });
});

describe('what a guess leaves out', () => {
  it.each([
    [
      ['login', 'role', 'groups', 'permissions'],
      [
        ['ann', 'dev', 'core', 'read'],
        ['bob', 'ops', 'core', ''],
      ],
      'the column "permissions" may say what is held, and is not used',
    ],
    [
      ['login', 'groups'],
      [
        ['ann', 'core, web'],
        ['bob', 'core'],
      ],
      'a cell of "groups" seems to hold several values: map split to entitlement',
    ],
  ])('%j is asked about', (header, sample, doubt) => {
    const { doubts } = suggestMapping(header, grantRows, sample);
    expect(doubts.join()).toContain(doubt);
  });
});

describe('suggestMapping', () => {
  const guess = (header: string[], format: typeof grantRows | typeof peopleRows = grantRows) => suggestMapping<string>(header, format);

  it.each([
    ['Benutzerkennung', 'account'],
    ['login', 'account'],
    ['user name', 'account'],
    ['sAMAccountName', 'account'],
    ['mail', 'email'],
    ['E-Mail-Adresse', 'email'],
    ['role', 'entitlement'],
    ['Permission Set', 'entitlement'],
    ['App Role', 'entitlement'],
    ['Profile', 'entitlement'],
  ])('knows %s as %s', (name, column) => {
    expect(guess([name]).mapping[column]).toBe(name);
  });

  it('prefers what is surer, and suggests no column of the file twice', () => {
    const { mapping } = guess(['Type', 'Group', 'Role', 'User', 'Owner']);
    expect(mapping).toMatchObject({ account: 'User', email: 'Owner', entitlement: 'Role', resource: 'Group', account_type: 'Type' });
    const from = Object.values(mapping).filter((text) => !text.startsWith('='));
    expect(new Set(from).size).toBe(from.length);
  });

  it('takes the address for the account where nothing else names it, and says what it does not find', () => {
    const { suggestions, missing } = guess(['UPN', 'Role']);
    expect(suggestions).toContainEqual({ column: 'account', from: 'UPN', confidence: 50 });
    expect(missing).toEqual([]);
    expect(guess(['UPN', 'Colour']).missing).toEqual(['entitlement']);
    expect(guess(['x'], peopleRows).missing).toEqual(['email']);
  });

  it('passes over names that no mapping can hold', () => {
    const long = `Login${' '.repeat(300)}Name`;
    expect(guess([long, 'User'])).toMatchObject({ mapping: { account: 'User' } });
    expect(guess([`Login${' '.repeat(100)}Name`, 'User']).mapping.account).toMatch(/^Login/);
  });

  it('takes the first of several that are as sure', () => {
    expect(guess(['Role Name', 'Permission', 'Login', 'Account Name']).mapping).toMatchObject({
      entitlement: 'Role Name',
      account: 'Login',
    });
  });

  it('makes of any header a mapping that holds for it, once what is missing is said', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'Login',
        'User',
        'E-Mail',
        'Owner',
        'Type',
        'Status',
        'Group',
        'Role',
        'App',
        'Last Login',
        'Name',
        'ID',
        'Konto',
        'Via',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    );
    const header = fc.uniqueArray(name, { minLength: 1, maxLength: 12, selector: (one) => one.trim().toLowerCase() });
    const bothKinds = fc.constantFrom<typeof grantRows | typeof peopleRows>(grantRows, peopleRows);
    fc.assert(
      fc.property(
        header.filter((names) => names.every((one) => one.trim() !== '' && !one.trim().startsWith('='))),
        bothKinds,
        (names, format) => {
          const { mapping, missing } = suggestMapping<string>(names, format);
          const columns = Object.values(mapping).filter((from) => !from.startsWith('='));
          expect(
            columns
              .flatMap((from) => (names.some((one) => one.trim() === from) ? [] : from.split('+')))
              .every((from) => names.some((one) => one.trim() === from)),
          ).toBe(true);
          const asked = { ...mapping, ...Object.fromEntries(missing.map((column) => [column, '=x'])) };
          const { at, count, fixed, used } = readHeader<string>(names, format, { asked });
          expect(used).toMatchObject(asked);
          for (const [column, from] of Object.entries(asked)) {
            const place = at[column] as number;
            // A cell that is made has no place in the file.
            if (place >= count + fixed.length) {
              continue;
            }
            expect(from.startsWith('=') ? fixed[place - count] : names[place]?.trim().toLowerCase()).toBe(
              from.startsWith('=') ? from.slice(1) : from.toLowerCase(),
            );
          }
        },
      ),
    );
  });

  it('knows columns of people', () => {
    expect(guess(['Name', 'Mail', 'Title', 'Dept', 'Manager', 'Staff ID'], peopleRows).mapping).toEqual({
      email: 'Mail',
      display_name: 'Name',
      manager_email: 'Manager',
      department: 'Dept',
      job_title: 'Title',
      employee_id: 'Staff ID',
    });
  });

  it.each([
    'Email - Work',
    'E-Mail (Work)',
    'Work Email ID',
    'Email 1',
    'Dienstliche E-Mail',
    'Geschäftliche E-Mail-Adresse',
    'PrimarySmtpAddress',
    'Courriel professionnel',
  ])('knows the addresses of people by %s', (name) => {
    expect(guess(['Employee ID', 'Name', name], peopleRows).mapping.email).toBe(name);
  });

  it.each(['Personal Email', 'Email - Home', 'Private E-Mail'])('takes no private address for theirs: %s', (name) => {
    expect(guess(['Employee ID', 'Name', name], peopleRows).mapping.email).toBeUndefined();
    expect(guess(['Employee ID', 'Email (Private)', 'Email (Work)'], peopleRows).mapping.email).toBe('Email (Work)');
  });

  it('takes a manager from every column that names them, the surest first', () => {
    const names = ['E-Mail', 'Personalnr.', 'Vorgesetzter', 'Personalnr. Vorgesetzter', 'E-Mail Vorgesetzter', 'Team Lead'];
    expect(guess(names, peopleRows).mapping.manager_email).toBe('E-Mail Vorgesetzter|Personalnr. Vorgesetzter|Vorgesetzter');
  });
});
