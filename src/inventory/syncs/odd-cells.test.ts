/** Cells that do not say what they seem to: the same in CSV and Excel files, under our own names and those of others, of grants and people. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../test/support/inventory.ts';
import { sheetOf, type TestCell } from '../../../test/support/xlsx.ts';
import { grantRows } from './rows/grant-rows.ts';
import { peopleRows } from './rows/people-rows.ts';
import { readFile } from './rows/read-file.ts';

interface Read {
  /** The cells that are looked at of each row that was read. */
  readonly rows: readonly string[];
  readonly errors: readonly string[];
  readonly values: readonly string[];
}

interface Table {
  readonly kind: 'grants' | 'people';
  readonly cells: readonly number[];
  readonly map?: Readonly<Record<string, string>>;
}

async function readBytes(bytes: string | Buffer, { kind, cells, map = {} }: Table): Promise<Read> {
  const format = kind === 'grants' ? grantRows : peopleRows;
  const file = await readFile({ body: bodyOf(bytes), encoding: '' }, format as typeof grantRows, {
    defaults: { resource: 'App' },
    asked: map,
  });
  const pieces: Buffer[] = [];
  for await (const piece of file.spool.read()) {
    pieces.push(piece);
  }
  await file.spool.close();
  const rows = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
  return {
    rows: rows.map((row) => cells.map((at) => row.split('\t')[at]).join('|')),
    errors: file.errors.list().first.map(({ line, column, reason }) => `${line} ${column}: ${reason}`),
    values: file.howRead.values.map(({ column, value, meaning, count }) => `${column} ${value} is ${meaning} (${count})`),
  };
}

/** Reads the same table as CSV and as a sheet, which must say the same. */
async function readBoth(rows: readonly (readonly string[])[], table: Table): Promise<Read> {
  const csv = await readBytes(rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'), table);
  expect(await readBytes(sheetOf(rows as readonly (readonly TestCell[])[]), table)).toEqual(csv);
  return csv;
}

const own =
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,username,employee_id'.split(',');
const ofOthers = ['Login', 'Mail', 'Role', 'Granted', 'User name', 'Employee ID'];
/** Account, address, what it holds, since when, user name, employee id. */
const grants: Table = { kind: 'grants', cells: [1, 2, 7, 8, 10, 11] };

describe('ids that Excel shortened', () => {
  it.each(['1.23457E+15', '1,23457E+15', '1.23457e+15', '1E+15', '-1.2E-07'])('are refused in every column of ids: %s', async (id) => {
    const row = (at: number) => ['ann', '', '', '', 'r', 'R', 'Pay', '', '', '', ''].map((cell, index) => (index === at ? id : cell));
    const places = [0, 1, 5, 6, 9, 10];
    const { rows, errors } = await readBoth([own, ...places.map(row)], grants);
    expect(rows).toEqual([]);
    expect(errors).toEqual(
      places.map(
        (at, index) =>
          `${index + 2} ${own[at]}: "${id}" is a number that Excel has shortened, and its last digits are lost: export the file again from its system; if it has to go through Excel, format this column as text first`,
      ),
    );
    const foreign = await readBoth([ofOthers, [id, '', 'Pay', '', '', ''], ['ann', '', 'Pay', '', '', id]], grants);
    expect(foreign.errors.map((error) => error.split(':')[0])).toEqual(['2 Login', '3 Employee ID']);
    const people = await readBoth(
      [
        ['email', 'display_name', 'employee_id', 'manager_email'],
        ['a@x.example', 'A', id, ''],
        ['b@x.example', 'B', '', id],
      ],
      {
        kind: 'people',
        cells: [1],
      },
    );
    expect(people.errors.map((error) => error.split(':')[0])).toEqual(['2 employee_id', '3 manager_email']);
  });

  it('are not those that only look like it, nor texts and attributes', async () => {
    const names = ['1E5', '12E34', '1.5', '2E', 'E+15', '1e+1', '12.5E+10', 'a1.2E+15', '1.2E+15x'];
    const rows = names.map((name) => [name, '', 'Pay', '', name, name]);
    const read = await readBoth([[...ofOthers, 'Phone'], ...rows.map((row) => [...row, '4.91761E+11'])], grants);
    expect(read.errors).toEqual([]);
    expect(read.rows).toEqual(names.map((name) => `${name}||Pay|\\N|${name}|${name}`));
  });
});

describe('numbers that Excel rounded', () => {
  it('are refused as ids, and kept as anything else', async () => {
    const rows = [
      ...ofOthers.map((_, at) =>
        ['ann', '', 'Pay', '', '', ''].map((cell, index) =>
          index === at && index !== 1 && index !== 3 ? { number: '1.23456789012346E+18' } : cell,
        ),
      ),
    ];
    const file = sheetOf([[...ofOthers, 'Phone'], ...rows.map((row) => [...row, { number: '1234567890123450' }])]);
    const { errors, rows: read } = await readBytes(file, grants);
    expect(errors.map((error) => error.split(':')[0])).toEqual(['2 Login', '4 Role', '6 User name', '7 Employee ID']);
    expect(errors[0]).toBe(
      '2 Login: the cell holds the number 1234567890123460000, of which Excel keeps no more than 15 digits, so the last ones are lost: export the file again from its system, with this column as text',
    );
    expect(read).toEqual(Array(2).fill('ann||Pay|\\N|\\N|\\N'));
  });
});

describe('errors of a spreadsheet', () => {
  const errors = `#N/A #REF! #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #GETTING_DATA #CALC! #n/a
    #NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #NOM? #VALEUR! #NOMBRE! #N/D #¡REF! #¿NOMBRE? #¡DIV/0! #¡VALOR! #¡NUM! #RIF! #Н/Д Err:502`.split(
    /\s+/,
  );

  it.each(errors)('%s is refused in every column that is read, as in Excel files', async (error) => {
    for (const [at, name] of own.entries()) {
      const row = own.map((_, index) => (index === at ? error : (['ann', '', '', '', 'r', 'R', 'Pay', '', '', '', ''][index] ?? '')));
      expect((await readBytes([own.join(','), row.join(',')].join('\n'), grants)).errors).toEqual([
        `2 ${name}: the cell holds the error ${error}; correct its formula, or clear it`,
      ]);
    }
    const foreign = [
      ofOthers,
      ...ofOthers.map((_, at) => ['ann', '', 'Pay', '', '', ''].map((cell, index) => (index === at ? error : cell))),
    ];
    expect((await readBoth(foreign, grants)).errors.map((reason) => reason.split(':')[0])).toEqual(
      ofOthers.map((name, at) => `${at + 2} ${name}`),
    );
  });

  it('is the same as a cell with an error in an Excel file', async () => {
    const told = ['2 account: the cell holds the error #N/A; correct its formula, or clear it'];
    expect(
      (
        await readBytes(
          sheetOf([
            ['account', 'entitlement'],
            [{ error: '#N/A' }, 'Pay'],
          ]),
          grants,
        )
      ).errors,
    ).toEqual(told);
    expect((await readBytes('account,entitlement\n#N/A,Pay\n', grants)).errors).toEqual(told);
  });

  it('is refused in a column that nothing is read from, too, unless that is left out', async () => {
    const rows: TestCell[][] = [
      ['account', 'entitlement', 'Cost centre'],
      ['ann', 'Pay', { error: '#N/A' }],
    ];
    const csv = 'account,entitlement,Cost centre\nann,Pay,#N/A\n';
    expect((await readBytes(csv, grants)).errors[0]).toBe(
      '2 Cost centre: the cell holds the error #N/A; correct its formula, or clear it, or leave the column out: map=ignore=Cost centre',
    );
    expect((await readBytes(sheetOf(rows), grants)).errors).toHaveLength(1);
    for (const bytes of [csv, sheetOf(rows)]) {
      expect((await readBytes(bytes, { ...grants, map: { ignore: 'Cost centre' } })).rows).toEqual(['ann||Pay|\\N|\\N|\\N']);
    }
  });

  it('are the signs of a column that was too narrow', async () => {
    const { errors: told } = await readBoth([ofOthers, ['ann', '', 'Pay', '########', '', '']], grants);
    expect(told).toEqual([
      '2 Granted: the cell holds ########, which Excel shows where a column is too narrow; widen the column, and save the file again',
    ]);
  });

  it('are not names with a number sign', async () => {
    const names = ['#general', '#1', '#N', '#REF', '###', '#NAME?x'];
    expect((await readBoth([ofOthers, ...names.map((name) => ['ann', '', name, '', '', ''])], grants)).errors).toEqual([]);
  });
});

describe('words for nothing', () => {
  const words = [
    'NULL',
    '(null)',
    '\\N',
    'nil',
    'N/A',
    'n/a',
    '-',
    '--',
    '–',
    '(blank)',
    '(leer)',
    '<null>',
    '(none)',
    'undefined',
    ' null ',
  ];

  it.each(words)('%j is nothing where something may be empty, and counted; an account or what it holds is refused', async (word) => {
    const empty = await readBoth([ofOthers, ['ann', word, 'Pay', word, word, word]], grants);
    expect(empty).toMatchObject({ rows: ['ann||Pay|\\N|\\N|\\N'], errors: [] });
    expect(empty.values).toEqual(
      expect.arrayContaining(['email', 'username', 'employee_id'].map((name) => `${name} ${word.trim()} is nothing (1)`)),
    );
    const refused = await readBoth([ofOthers, [word, '', 'Pay', '', '', ''], ['ann', '', word, '', '', '']], grants);
    const value = word.trim();
    expect(refused.errors).toEqual(
      [
        ['2 Login', 'account'],
        ['3 Role', 'entitlement'],
      ].map(
        ([place, column]) =>
          `${place}: ${JSON.stringify(value)} is a word for nothing: leave the row out, or, if it is really the name, pass map=${column}:${value}=${value}`,
      ),
    );
    const named = await readBoth([ofOthers, [word, '', word, '', '', '']], {
      ...grants,
      map: { [`account:${value}`]: value, [`entitlement:${value}`]: value },
    });
    expect(named).toMatchObject({ rows: [`${value.replace('\\', '\\\\')}||${value.replace('\\', '\\\\')}|\\N|\\N|\\N`], errors: [] });
  });

  it.each(['None', 'none'])('%s may be what is held, which is said, and no account by itself', async (word) => {
    const read = await readBoth([ofOthers, ['ann', word, word, word, word, word], [word, '', 'Pay', '', '', '']], grants);
    expect(read.rows).toEqual([`ann||${word}|\\N|\\N|\\N`]);
    expect(read.values).toContain(`entitlement ${word} is a name (1)`);
    expect(read.errors).toEqual([expect.stringContaining(`3 Login: "${word}" is a word for nothing`)]);
  });

  it('are the same of people, of whom one may be shown as Null', async () => {
    const header = ['email', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status', 'employee_id', 'username'];
    const read = await readBoth(
      [
        header,
        ['a@x.example', 'Null', 'NULL', 'N/A', '-', 'ACTIVE', 'None', 'n/a'],
        ['b@x.example', 'NULL', 'none', '', '', 'ACTIVE', '-', ''],
        ['(null)', 'C', '', '', '', 'ACTIVE', '1003', ''],
      ],
      { kind: 'people', cells: [1, 3, 4, 5, 6, 8, 9, 12] },
    );
    expect(read.errors).toEqual([]);
    expect(read.rows).toEqual(['a@x.example|Null||||||', 'b@x.example|b@x.example||||||', '|C|||||1003|']);
  });

  it('say nothing of who can sign in', async () => {
    await expect(
      readBoth(
        [
          ['Login', 'Role', 'Status'],
          ['ann', 'Pay', 'NULL'],
        ],
        grants,
      ),
    ).rejects.toThrow('"NULL" in it has no known meaning');
  });
});

it('keeps every other cell as it is, whatever it begins with', async () => {
  const text = fc.string({
    unit: fc.constantFrom('#', 'N', 'n', '1', '.', 'E', '+', '(', '-', '/', 'A', 'u', 'l', 'x'),
    minLength: 1,
    maxLength: 7,
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 20 }), async (names) => {
      const { rows, errors } = await readBytes(['account,entitlement', ...names.map((name) => `x${name},y${name}`)].join('\n'), grants);
      expect(rows).toEqual(names.map((name) => `x${name}||y${name}|\\N|\\N|\\N`));
      expect(errors).toEqual([]);
      const bare = await readBytes(['account,entitlement', ...names.map((name) => `${name},Pay`)].join('\n'), grants);
      // Each row is kept, or refused with its line: none is lost or becomes another.
      const lines = bare.errors.map((error) => Number(error.split(' ')[0]) - 2);
      expect(bare.rows).toEqual(names.flatMap((name, at) => (lines.includes(at) ? [] : [`${name}||Pay|\\N|\\N|\\N`])));
    }),
    { numRuns: 300 },
  );
});
