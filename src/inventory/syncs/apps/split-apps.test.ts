/** Splitting a file of several apps: every row comes to its app and nowhere else, as the file has it, and knows its line. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../../test/support/runs.ts';
import { writeXlsx } from '../../../../test/support/xlsx.ts';
import { isAppError } from '../../../errors.ts';
import { getNameKey } from '../../../lib/names/same-name.ts';
import type { TextEncoding } from '../../../lib/tables/text-encoding.ts';
import { openRows, translateFileError } from '../rows/index.ts';
import { type SplitFile, splitByApp } from './split-apps.ts';

interface Part {
  readonly name: string;
  readonly rows: string[][];
  readonly lines: number[];
}

interface Asked {
  readonly column?: string;
  readonly sheet?: string;
  readonly encoding?: TextEncoding;
}

/** Makes of a refusal one error whose message lists the lines that are wrong. */
function tell(error: unknown): unknown {
  const known = translateFileError(error);
  if (!isAppError(known)) {
    return known;
  }
  const violations = known.violations?.filter(({ description }) => !known.message.includes(description)) ?? [];
  return new Error([known.message, ...violations.map(({ field, description }) => `  ${field}: ${description}`)].join('\n'));
}

/** Splits the bytes and reads all parts back. */
async function split(bytes: string | Buffer, { column, sheet = '', encoding }: Asked = {}): Promise<{ file: SplitFile; parts: Part[] }> {
  const upload = { body: Readable.from([Buffer.from(bytes)]), encoding: '' };
  const refuse = (error: unknown) => Promise.reject(tell(error));
  const source = await openRows(upload, sheet, encoding).catch(refuse);
  const file = await splitByApp(source, column)
    .catch(refuse)
    .finally(() => source.close());
  const parts: Part[] = [];
  for (const part of file.parts) {
    const rows: string[][] = [];
    const lines: number[] = [];
    for await (const batch of part.open().batches) {
      rows.push(...batch.rows);
      lines.push(...batch.lines);
    }
    expect(part.rowCount).toBe(rows.length - 1);
    parts.push({ name: part.name, rows, lines });
  }
  await file.close();
  return { file, parts };
}

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

describe('splitByApp', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab ,;|\t"\r\n\\äß€'.split('')), maxLength: 8 });
  const app = fc.constantFrom('CRM', 'crm', ' CRM ', 'Wiki', 'Größe; "X"', 'a,b', 'Line\nbreak');
  const row = fc.tuple(text, app, text, text).map(([a, name, b, c]): string[] => [`u${a}`, name, `r${b}`, c]);

  it('leaves to the app what is wrong with cells that may not matter to it', async () => {
    const rows = [
      ['Login', 'System', 'Role', 'Badge'],
      ['ann', 'CRM', 'read', { error: '#N/A' }],
      ['bob', 'Wiki', 'read', 'x'],
    ];
    const { parts } = await split(writeXlsx({ sheets: [{ name: 'Access', rows }] }));
    expect(parts.map(({ name, lines: at }) => [name, at])).toEqual([
      ['CRM', [1, 2]],
      ['Wiki', [1, 3]],
    ]);
    const source = await openRows({ body: Readable.from([writeXlsx({ sheets: [{ name: 'Access', rows }] })]), encoding: '' }, '');
    const file = await splitByApp(source, undefined);
    const found = [];
    for await (const { faults = [], lines: at } of file.parts[0]?.open().batches ?? []) {
      found.push(...faults.map(({ index, column }) => [at[index], column]));
    }
    await file.close();
    expect(found).toEqual([[2, 3]]);
  });

  it('makes no app of a header on the next page, of lines and empty rows, or of words and errors', async () => {
    const { file, parts } = await split(
      lines('Access', 'Login,System,Role', '-----,------,----', 'ann,CRM,read', ',,', 'Login,System,Role', 'bob,Wiki,read', 'Total: 2'),
    );
    expect(parts.map(({ name, lines: at }) => [name, at])).toEqual([
      ['CRM', [2, 4]],
      ['Wiki', [2, 7]],
    ]);
    expect(file.howRead.skipped?.map(({ line }) => line)).toEqual([1, 3, 5, 6, 8]);
    await expect(split(lines('Login,System,Role', 'ann,CRM,read', 'bob,#NV,read', 'cid,NULL,read'))).rejects.toThrow(
      /2 row errors.*line 3, System: the cell holds the error #NV.*line 4, System: must name the app of the row, and holds "NULL"/s,
    );
  });

  it('puts every row into the part of its app and no other, in order, with its cells and its line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), fc.constantFrom(',', ';', '\t', '|'), async (rows, separator) => {
        const header = ['User', 'Application', 'Entitlement', 'Note'];
        const written = [header, ...rows].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator));
        let line = 1;
        const starts = written.map((one) => {
          const start = line;
          line += one.split('\n').length;
          return start;
        });
        const { parts } = await split(written.join('\n'));
        const expected = Map.groupBy(
          rows.map((cells, index) => ({ cells, line: starts[index + 1] })),
          ({ cells }) => getNameKey(cells[1] as string),
        );
        expect(parts.map(({ name }) => getNameKey(name))).toEqual([...expected.keys()]);
        for (const part of parts) {
          const own = expected.get(getNameKey(part.name)) ?? [];
          expect(part.rows).toEqual([
            header,
            ...own.map(({ cells: [user = '', , right = '', note = ''] }) => [user, part.name, right, note]),
          ]);
          expect(part.lines).toEqual([1, ...own.map((one) => one.line)]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.runIf(isLong)('writes in pieces what does not fit into memory at once', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `user-${index},App ${index % 7},${'x'.repeat(60)}`);
    const { parts } = await split(lines('User,App,Role', ...rows));
    expect(parts.map(({ name, rows: own }) => [name, own.length - 1])).toEqual(
      Array.from({ length: 7 }, (_, index) => [`App ${index}`, Math.ceil((60_000 - index) / 7)]),
    );
    expect(parts[3]?.rows.at(-1)).toEqual(['user-59993', 'App 3', 'x'.repeat(60)]);
    expect(parts[3]?.lines.at(-1)).toBe(59_995);
  });

  const german = lines('Benutzer;Anwendung;Berechtigung', 'Müller;Größenprüfung;Ändern', 'Jäger;CRM;Lesen');
  const read = [
    {
      name: 'Größenprüfung',
      rows: [
        ['Benutzer', 'Anwendung', 'Berechtigung'],
        ['Müller', 'Größenprüfung', 'Ändern'],
      ],
      lines: [1, 2],
    },
    {
      name: 'CRM',
      rows: [
        ['Benutzer', 'Anwendung', 'Berechtigung'],
        ['Jäger', 'CRM', 'Lesen'],
      ],
      lines: [1, 3],
    },
  ];
  it.each<[string, Buffer, Asked]>([
    ['UTF-8', Buffer.from(german), {}],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${german}`), {}],
    ['UTF-16', Buffer.from(`\uFEFF${german}`, 'utf16le'), {}],
    ['Windows-1252', Buffer.from(german, 'latin1'), {}],
    ['an encoding that is asked for', Buffer.from(german, 'latin1'), { encoding: 'windows-1252' }],
    ['gzip', gzipSync(german), {}],
  ])('reads %s', async (_, bytes, asked) => {
    expect((await split(bytes, asked)).parts).toEqual(read);
  });

  it('reads Excel files: rows that end early, and a sheet by its name', async () => {
    const sheets = [
      { name: 'Cover', rows: [['Nothing here']] },
      { name: 'Access', rows: [['User', 'System', 'Role', 'Note'], undefined, ['ann', 'SAP', 'Clerk'], ['bob', 'CRM', 'Seller', 'x']] },
    ];
    const { file, parts } = await split(writeXlsx({ sheets }), { sheet: 'Access' });
    expect(file).toMatchObject({ column: 'System', howRead: { encoding: '', separator: '' } });
    expect(parts.map(({ rows, lines: at }) => [rows.slice(1), at])).toEqual([
      [[['ann', 'SAP', 'Clerk', '']], [1, 3]],
      [[['bob', 'CRM', 'Seller', 'x']], [1, 4]],
    ]);
    await expect(
      split(
        writeXlsx({
          sheets: [
            {
              name: 'A',
              rows: [
                ['User', 'App', 'Role'],
                ['a', { error: '#N/A' }, 'x'],
              ],
            },
          ],
        }),
      ),
    ).rejects.toThrow(/1 row error\.\n {2}line 2, App: /);
  });

  it('leaves out titles and totals, and says so', async () => {
    const { file, parts } = await split(lines('Access report', 'System,All', '', 'User,App,Role', 'ann,CRM,Seller', 'Total: 1,,'));
    expect(file).toMatchObject({
      column: 'App',
      howRead: {
        headerLine: 4,
        skipped: [
          { line: 1, reason: 'Access report' },
          { line: 2, reason: 'System All' },
          { line: 6, reason: 'Total: 1' },
        ],
      },
    });
    expect(parts).toEqual([
      {
        name: 'CRM',
        rows: [
          ['User', 'App', 'Role'],
          ['ann', 'CRM', 'Seller'],
        ],
        lines: [4, 5],
      },
    ]);
  });

  it('refuses rows without an app, or of another width, by their lines, and writes no more', async () => {
    const wrong = lines('User,App,Role', 'ann,CRM,Seller', 'bob, ,Seller', 'eve,CRM', 'tom,CRM,Seller,x', 'Total: 5,,', 'tim,,x');
    await expect(split(wrong)).rejects.toThrow(
      [
        'Nothing was imported: the file has 5 row errors.',
        '  line 3, App: must name the app of the row',
        '  line 4: has 2 fields where the header has 3',
        '  line 5: has 4 fields where the header has 3',
        '  line 6: "Total: 5" looks like a total or a note, and rows follow it; remove it from the file',
        '  line 7, App: must name the app of the row',
      ].join('\n'),
    );
    const many = Array.from({ length: 150 }, () => 'ann,,Seller');
    await expect(split(lines('User,App,Role', ...many))).rejects.toThrow(
      /150 row errors\. The first 100 are listed\. All of them say the same \(lines 2, 3, 4, 5, 6, \.\.\.\): App: must name the app of the row\.$/,
    );
  });

  it.runIf(isLong)('refuses a column that names more apps than there may be', async () => {
    const rows = Array.from({ length: 1001 }, (_, index) => `ann,App ${index},Seller`);
    await expect(split(lines('User,App,Role', ...rows))).rejects.toThrow('the column "App" names more than 1,000 apps');
    expect((await split(lines('User,App,Role', ...rows.slice(1)))).parts).toHaveLength(1000);
  });

  it.each<[string, string, Asked, string]>([
    ['no such column', 'User,Thing,Role\na,b,c\n', {}, 'no column of the file is plainly one of apps; set the one that is'],
    ['two that may be it', 'User,App,System\na,b,c\n', {}, '"App" and "System": set the one that does'],
    ['a name that is not there', 'User,App,Role\na,b,c\n', { column: 'Tool' }, 'the file has no column "Tool"; found: User, App, Role'],
    ['a name that is there twice', 'User,App,app\na,b,c\n', { column: 'APP' }, 'names "APP" twice'],
    ['nothing', '', {}, 'the file is empty'],
    ['no rows', 'User,App,Role\n', {}, 'a header and no rows'],
    ['an open quote', 'User,App,Role\na,"b,c\n', {}, 'Nothing was imported: line 2'],
    ['a sheet of no Excel file', 'User,App,Role\na,b,c\n', { sheet: 'x' }, 'not an Excel file'],
  ])('refuses a file with %s', async (_, content, asked, sentence) => {
    await expect(split(content, asked)).rejects.toThrow(sentence);
  });

  it('takes any column that is asked for', async () => {
    const { file, parts } = await split('User,Tool,App\nann,Hammer,x\nbob,Saw,x\n', { column: ' tool' });
    expect([file.column, parts.map(({ name }) => name)]).toEqual(['Tool', ['Hammer', 'Saw']]);
  });
});
