/** Rows that are none of the table, in both kinds of file: left out by rule and named, or refused where they may be one of it. */
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../../test/support/inventory.ts';
import { sheetOf } from '../../../../test/support/xlsx.ts';
import { RefusedFile } from '../values/notes.ts';
import { grantRows } from './grant-rows.ts';
import { peopleRows } from './people-rows.ts';
import { readFile } from './read-file.ts';

type Table = readonly (readonly string[])[];

/** What is read of a file: keys of its rows, what was left out, and what was refused, by their lines. */
async function read(bytes: string | Buffer, kind: 'grants' | 'people' = 'grants') {
  const format = kind === 'grants' ? grantRows : peopleRows;
  try {
    const file = await readFile({ body: bodyOf(bytes), encoding: '' }, format as typeof grantRows, { defaults: { resource: 'App' } });
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    await file.spool.close();
    const rows = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
    const { skipped, skippedCount, headerLine } = file.howRead;
    return {
      rows: rows.map((row) => row.split('\t').slice(0, 2).join(' ')),
      headerLine,
      skipped: skipped.map(({ line, reason }) => `${line} ${reason}`),
      skippedCount,
      refused: file.errors.list().first.map(({ line, reason }) => `${line} ${reason}`),
      rowCount: file.rowCount,
    };
  } catch (error) {
    throw error instanceof RefusedFile ? error.refusal : error;
  }
}

const csvOf = (table: Table): string => table.map((row) => row.join(',')).join('\n');
/** A sheet leaves out what is empty at the end of its rows, as a program writes it. */
const workbookOf = (table: Table): Buffer => sheetOf(table.map((row) => [...row]));

const both: readonly (readonly [name: string, table: Table, expected: object])[] = [
  [
    'rows of separators and white space alone',
    [
      ['account', 'email', 'entitlement'],
      ['tom', '', 'Pay'],
      ['', '', ''],
      [' ', '\u00a0', ''],
      ['mia', '', 'Pay'],
    ],
    { rows: ['2 tom', '5 mia'], skipped: ['3 no values, to line 4'], skippedCount: 2 },
  ],
  [
    'the header again, in any case',
    [
      ['Login', 'Role'],
      ['tom', 'Pay'],
      [' LOGIN', 'role '],
      ['mia', 'Pay'],
    ],
    { rows: ['2 tom', '4 mia'], skipped: ['3 the header again: LOGIN role'] },
  ],
  [
    'pages with a title, the header and a number each',
    [
      ['CRM access', '', '', ''],
      ['', '', '', ''],
      ['Login', 'Email', 'Role', 'Since'],
      ['tom', '', 'Pay', '2024-01-31'],
      ['Page 1 of 2', '', '', ''],
      ['CRM access', '', '', ''],
      ['Login', 'Email', 'Role', 'Since'],
      ['mia', '', 'Pay', '2024-01-31'],
      ['Page 2 of 2', '', '', ''],
      ['Total: 2', '', '', ''],
    ],
    {
      rows: ['4 tom', '8 mia'],
      headerLine: 3,
      skipped: [
        '1 CRM access',
        '2 no values',
        '5 Page 1 of 2',
        '6 CRM access',
        '7 the header again: Login Email Role Since',
        '9 Page 2 of 2',
        '10 Total: 2',
      ],
    },
  ],
  [
    'notes below, of several rows',
    [
      ['Login', 'Email', 'Role'],
      ['tom', '', 'Pay'],
      ['', '', ''],
      ['CRM access report', '', ''],
      ['Reviewed by:', 'Ann', ''],
      ['Confidential', '', ''],
    ],
    { rows: ['2 tom'], skipped: ['3 no values', '4 CRM access report', '5 Reviewed by: Ann', '6 Confidential'], skippedCount: 4 },
  ],
  [
    'a line of dashes and a count, as databases write them',
    [
      ['login', 'role'],
      ['-----', '----'],
      ['tom', 'Pay'],
      ['(57 rows affected)', ''],
    ],
    { rows: ['3 tom'], skipped: ['2 ----- ----', '4 (57 rows affected)'] },
  ],
  [
    'a total in the middle, which is refused',
    [
      ['Login', 'Email', 'Role'],
      ['tom', '', 'Pay'],
      ['Total', '1', ''],
      ['mia', '', 'Pay'],
    ],
    {
      rows: ['2 tom', '4 mia'],
      skipped: [],
      refused: ['3 "Total 1" looks like a total or a note, and rows follow it; remove it from the file'],
      rowCount: 3,
    },
  ],
  [
    'totals of each page, where the header follows',
    [
      ['Login', 'Email', 'Role'],
      ['tom', '', 'Pay'],
      ['Total', '1', ''],
      ['Login', 'Email', 'Role'],
      ['mia', '', 'Pay'],
      ['Total', '1', ''],
    ],
    { rows: ['2 tom', '5 mia'], skippedCount: 3, refused: [] },
  ],
  [
    'a row nearly as the header, which is refused',
    [
      ['Login', 'Email', 'Role'],
      ['tom', '', 'Pay'],
      ['Login', 'Email', 'Position'],
    ],
    {
      rows: ['2 tom'],
      refused: ['3 looks like the header again, and differs from it in "Role"; remove the row, or make it equal to the header'],
    },
  ],
  [
    'an account without a role before a total, which is refused',
    [
      ['Login', 'Email', 'Role'],
      ['tom', '', 'Pay'],
      ['mia', '', ''],
      ['Total', '2', ''],
    ],
    { rows: ['2 tom'], skipped: ['4 Total 2'], refused: ['3 must not be empty'] },
  ],
];

describe('rows that are none of the table', () => {
  it.each(both)('%s', async (_, table, expected) => {
    expect(await read(csvOf(table))).toMatchObject(expected);
    expect(await read(workbookOf(table))).toMatchObject(expected);
  });

  it('are known in the files from the field', async () => {
    expect(await read('account,email,entitlement\ntom,tom@e.test,Pay\n,,\n')).toMatchObject({ rows: ['2 tom'], skipped: ['3 no values'] });
    expect(await read('account,entitlement\ntom,Pay\n\u001a')).toMatchObject({ rows: ['2 tom'], skipped: ['3 no values'] });
    expect(await read('Email,Name\na@e.test,A\nEmail,Name\nb@e.test,B\n,\nTotal,2\n', 'people')).toMatchObject({
      rows: ['2 a@e.test', '4 b@e.test'],
      skippedCount: 3,
    });
  });

  it('are no headings that say something of the rows below them', async () => {
    const text = 'Group: Admins\nLogin,Email,Role\ntom,,Pay\n\nGroup: Users\nLogin,Email,Role\nmia,,Pay\n';
    expect((await read(text)).refused).toEqual([
      '5 "Group: Users" stands above the header again: if it says something of the rows below it, give it a column of its own; otherwise remove it',
    ]);
  });

  it('are counted where they are many, and listed where they are the first', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `u${at},Pay\n,`);
    const found = await read(['Login,Role', ...rows].join('\n'));
    expect([found.rowCount, found.skippedCount, found.skipped.length]).toEqual([300, 300, 100]);
    const gap = await read(['Login,Role', 'tom,Pay', ...Array.from({ length: 500 }, () => ','), 'mia,Pay'].join('\n'));
    expect(gap).toMatchObject({ rowCount: 2, skippedCount: 500, skipped: ['3 no values, to line 502'] });
  });
});
