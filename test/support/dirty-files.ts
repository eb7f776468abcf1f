/**
 * Files of grants as people send them: a clean table, and around and in it the dirt that spreadsheets, reports and hands leave. What each line is,
 * is known, so that a test can say where each of them must end.
 */
import fc from 'fast-check';
import { sheetOf } from './xlsx.ts';

/** What a line is: above the table, its header, the header on the next page, a row that says nothing, a row, a row with a fault, below the table. */
export type LineKind = 'TITLE' | 'HEADER' | 'AGAIN' | 'BLANK' | 'ROW' | 'WRONG' | 'FOOT';

/** One line of a file, its cells as they are written. */
export interface DirtyLine {
  readonly kind: LineKind;
  readonly cells: readonly string[];
  /** The column of the fault in a WRONG row, by our name; '' where it is the row as a whole. */
  readonly fault?: string;
}

/** How the lines are written. */
export interface DirtyForm {
  readonly separator: ',' | ';' | '\t' | '|' | 'xlsx';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: 'utf8' | 'utf8-bom' | 'utf16le' | 'windows-1252';
  readonly isQuoted: boolean;
  readonly hasHint: boolean;
  readonly end: '' | 'LINE' | 'BLANKS' | 'CTRL-Z';
}

/** A file, with what it says. */
export interface DirtyFile {
  readonly form: DirtyForm;
  /** The names of the columns, in their order, by what they hold. */
  readonly columns: readonly { readonly holds: Holds; readonly name: string }[];
  readonly lines: readonly DirtyLine[];
}

/** What a column holds: one of ours, or something of its own. */
export type Holds = 'account' | 'email' | 'resource' | 'entitlement' | 'account_status' | 'last_used_at' | 'other';

const names: Readonly<Record<Holds, readonly string[]>> = {
  account: ['account', 'Login', 'User ID', 'Benutzerkennung', 'Identifiant'],
  email: ['email', 'E-Mail', 'Mail address', 'Correo electrónico'],
  resource: ['resource', 'Resource name', 'Ressource'],
  entitlement: ['entitlement', 'Role', 'Berechtigung', 'Permission'],
  account_status: ['account_status', 'Status'],
  last_used_at: ['last_used_at', 'Last login', 'Letzte Anmeldung'],
  other: ['Cost center', 'Kostenstelle', 'Site code'],
};

/** Texts that break readers who are in a hurry. */
const odd = fc.constantFrom(
  'x, y',
  'a;b',
  'a|b',
  'say "no"',
  'two\nlines',
  'Ünïté',
  '=1+1',
  '-5',
  '007',
  'a\tb',
  "O'Neil",
  '@home',
  '名前',
  '2/3',
  'E12',
);
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ä', '1', '-', '.'), minLength: 1, maxLength: 6 });
const account = fc.oneof(
  { weight: 6, arbitrary: fc.nat(30).map((no) => `user${no}`) },
  { weight: 1, arbitrary: word.map((text) => `u${text}`) },
  { weight: 1, arbitrary: odd.map((text) => `u ${text}`) },
  { weight: 1, arbitrary: fc.nat(99).map((no) => `000${no}`) },
);
const held = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Reader', 'Writer', 'Admin', 'Pay run', 'None', 'Total access') },
  { weight: 1, arbitrary: odd.map((text) => `R ${text}`) },
);
const cell: Readonly<Record<Holds, fc.Arbitrary<string>>> = {
  account,
  email: fc.constantFrom('', 'ann@corp.test', 'Bob@corp.test'),
  resource: fc.constantFrom('Payroll', 'CRM', 'Wiki, old', 'Lager Süd'),
  entitlement: held,
  account_status: fc.constantFrom('ENABLED', 'enabled', 'disabled', 'Active', 'inactive'),
  last_used_at: fc.constantFrom('', '2024-01-31', '2024-02-29T12:00:00Z', '31.01.2024', 'never'),
  other: fc.constantFrom('', '4711', 'HQ'),
};

/** Faults that no reader may take for something: by the column in which they stand. */
const faults: readonly (readonly [Holds | '', (cells: string[], at: number) => void])[] = [
  ['account', (cells, at) => (cells[at] = '')],
  ['account', (cells, at) => (cells[at] = '#N/A')],
  ['account', (cells, at) => (cells[at] = '#BEZUG!')],
  ['entitlement', (cells, at) => (cells[at] = '#REF!')],
  ['email', (cells, at) => (cells[at] = 'nobody at all')],
  ['email', (cells, at) => (cells[at] = '#WERT!')],
  ['last_used_at', (cells, at) => (cells[at] = 'last Tuesday')],
  ['last_used_at', (cells, at) => (cells[at] = '2024-02-30')],
  ['', (cells) => cells.push('one', 'too many')],
];

const titles = fc.array(fc.constantFrom('User access report', 'Generated on 2024-01-31', 'Confidential', 'System: Payroll'), {
  maxLength: 3,
});
const feet = fc.array(fc.constantFrom('Total: 12', 'End of report', '(57 rows affected)', 'Page 1 of 3', 'Generated on 2024-01-31'), {
  maxLength: 2,
});

const isSure = ({ holds, name }: { readonly holds: Holds; readonly name: string }): boolean =>
  ['account', 'entitlement'].includes(holds) || name === holds;

/** Whether rows with a fault are among the lines. */
export function dirtyFile(withFaults: boolean): fc.Arbitrary<DirtyFile> {
  const columns = fc
    .record({
      more: fc.subarray(['email', 'resource', 'account_status', 'last_used_at', 'other'] as const),
      order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
      names: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    })
    .map((one) => {
      const wanted: readonly Holds[] = ['account', 'entitlement', ...one.more];
      const sorted = wanted.map((holds, at) => [one.order[at] ?? 0, holds] as const).sort(([a], [b]) => a - b);
      return sorted.map(([, holds], at) => ({ holds, name: names[holds][(one.names[at] ?? 0) % names[holds].length] as string }));
    });
  const form = fc.record({
    separator: fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const, 'xlsx' as const),
    lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
    encoding: fc.constantFrom('utf8' as const, 'utf8-bom' as const, 'utf16le' as const),
    isQuoted: fc.boolean(),
    hasHint: fc.boolean(),
    end: fc.constantFrom('' as const, 'LINE' as const, 'BLANKS' as const),
  });
  return fc.tuple(columns, form).chain(([chosen, how]) => {
    const row = fc.tuple(...chosen.map(({ holds }) => cell[holds]));
    const line = fc.oneof(
      { weight: 12, arbitrary: row.map((cells) => ({ kind: 'ROW' as LineKind, cells })) },
      ...(withFaults
        ? [
            {
              weight: 2,
              arbitrary: fc.tuple(row, fc.nat()).map(([cells, no]) => {
                // Of a name that is only guessed, the first rows may show that it means something else.
                const possible = faults.filter(([holds]) => holds === '' || chosen.some((one) => one.holds === holds && isSure(one)));
                const [holds, spoil] = possible[no % possible.length] as (typeof faults)[number];
                const wrong = [...cells];
                spoil(
                  wrong,
                  chosen.findIndex((one) => one.holds === holds),
                );
                return { kind: 'WRONG' as LineKind, cells: wrong, fault: holds };
              }),
            },
          ]
        : []),
    );
    return fc.record({ first: row, lines: fc.array(line, { maxLength: 14 }), above: titles, below: feet }).map(
      ({ first, lines, above, below }): DirtyFile => ({
        form: how,
        columns: chosen,
        lines: [
          ...above.map((text) => ({ kind: 'TITLE' as const, cells: [text] })),
          { kind: 'HEADER', cells: chosen.map(({ name }) => name) },
          { kind: 'ROW', cells: first },
          ...lines,
          ...below.map((text) => ({ kind: 'FOOT' as const, cells: [text] })),
        ],
      }),
    );
  });
}

/** The file as bytes, and the line on which each of its lines begins. */
export function writeDirty({ form, lines }: DirtyFile): { readonly bytes: Buffer; readonly at: readonly number[] } {
  if (form.separator === 'xlsx') {
    return {
      bytes: sheetOf(lines.map(({ cells }) => cells.map((text) => (text === '' ? undefined : text)))),
      at: lines.map((_, no) => no + 1),
    };
  }
  const { separator, lineEnd, end } = form;
  let text = form.hasHint ? `sep=${separator}${lineEnd}` : '';
  let line = form.hasHint ? 2 : 1;
  const at = lines.map(({ cells }) => {
    const start = line;
    const written = cells
      .map((one) => (form.isQuoted || /[,;|\t\n\r"]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one))
      .join(separator);
    text += written + lineEnd;
    line += 1 + written.split('\n').length - 1;
    return start;
  });
  const ends: Readonly<Record<DirtyForm['end'], string>> = {
    '': text.slice(0, -lineEnd.length),
    LINE: text,
    BLANKS: text + lineEnd + lineEnd,
    'CTRL-Z': `${text}\u001a`,
  };
  const whole = ends[end];
  switch (form.encoding) {
    case 'utf8-bom':
      return { bytes: Buffer.from(`\uFEFF${whole}`), at };
    case 'utf16le':
      return { bytes: Buffer.from(`\uFEFF${whole}`, 'utf16le'), at };
    case 'windows-1252':
      return { bytes: Buffer.from(whole, 'latin1'), at };
    default:
      return { bytes: Buffer.from(whole), at };
  }
}
