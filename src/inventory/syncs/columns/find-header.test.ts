/** Headers below titles, over two rows, and with a row that describes the columns: which row names the columns, and which are left out. */
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../errors.ts';
import { grantRows } from '../rows/grant-rows.ts';
import type { Mapping } from '../values/mapping.ts';
import { findHeader } from './find-header.ts';

const row = ['tom', 'tom@example.com', 'Pay', '2024-01-31'];

/** Index of the header, the first row of the table, and the columns of a few wanted ones; or the refusal. */
function find(rows: readonly (readonly string[])[], asked: Mapping = {}) {
  const lines = rows.map((_, at) => at + 1);
  try {
    const { index, first, names, columns } = findHeader(rows, lines, grantRows, { sample: [], asked, defaults: { resource: 'App' } });
    const nameAt = (at: number) => names[at] ?? '';
    return [index, first, nameAt(columns.at.account), nameAt(columns.at.email), nameAt(columns.at.entitlement)];
  } catch (error) {
    return isAppError(error) ? error.message : error;
  }
}

const names = ['Login', 'Email', 'Role', 'Since'];

describe('the header', () => {
  it.each([
    ['stands in the first row', [names, row], [0, 1, 'Login', 'Email', 'Role']],
    ['stands below titles', [['Report', '', '', ''], ['', '', '', ''], names, row], [2, 3, 'Login', 'Email', 'Role']],
    ['stands below a title of three cells', [['Report', 'Access', 'CRM'], names, row], [1, 2, 'Login', 'Email', 'Role']],
    ['stands below groups of columns', [['User', '', 'Access', ''], names, row], [1, 2, 'Login', 'Email', 'Role']],
    [
      'stands below groups that are named in each column',
      [['User', 'User', 'Access', 'Access'], names, row],
      [1, 2, 'Login', 'Email', 'Role'],
    ],
    [
      'stands below groups of a sheet, which leaves out what is empty',
      [['User', '', 'Access'], names, row],
      [1, 2, 'Login', 'Email', 'Role'],
    ],
    [
      'takes names of both rows where cells are merged downwards',
      [['Login', 'Contact', 'Access', ''], ['', 'Email', 'Role', 'Since'], row],
      [1, 2, 'Login', 'Email', 'Role'],
    ],
    [
      'takes the groups into its names where these stand there twice',
      [['User', '', 'Role', ''], ['Name', 'Email', 'Name', 'Since'], row],
      [1, 2, 'User Name', 'User Email', 'Role Name'],
    ],
    [
      'stands below a row that describes it',
      [['Login of the user', 'Mail of the user', 'What is held', 'Day'], names, row],
      [1, 2, 'Login', 'Email', 'Role'],
    ],
    ['stands above a row of kinds', [names, ['text', 'text', 'text (50)', 'date'], row], [0, 2, 'Login', 'Email', 'Role']],
    ['stands above names in other words', [names, ['User name', 'E-Mail', 'Role name', 'Granted'], row], [0, 2, 'Login', 'Email', 'Role']],
    [
      'stands above a row of the same words as data',
      [names, ['user', 'member@example.com', 'Role', '2024-01-31']],
      [0, 1, 'Login', 'Email', 'Role'],
    ],
  ])('%s', (_, rows, expected) => {
    expect(find(rows)).toEqual(expected);
  });

  it('is not looked for among rows of a table without known names', () => {
    expect(find([['Colour', 'Size', 'Age'], ['red', 'xl', '4'], ['login', 'email', 'role'], row])).toEqual(
      expect.stringMatching(/^Nothing was imported: line 1: the header lacks/),
    );
  });

  it('stands where somebody says it does', () => {
    const rows = [['Report', 'Role', 'Login', 'Day'], names, row];
    expect(find(rows)).toEqual([0, 1, 'Login', '', 'Role']);
    expect(find(rows, { header_line: '2' })).toEqual([1, 2, 'Login', 'Email', 'Role']);
    expect(find(rows, { header_line: '3' })).toContain(
      'line 3: header_line says that this is the line of the names, and the header lacks account, entitlement; found: tom,',
    );
    expect(find(rows, { header_line: '9' })).toContain(
      'line 9: header_line says that the names of the columns stand on line 9, and the file ends on line 3',
    );
  });
});
