/**
 * Files as people send them: a clean table, and around and in it the dirt that spreadsheets, reports and hands leave. What each line is, is known, so
 * that a test can say where each of them must end.
 */
import fc from 'fast-check';
import { sheetOf } from './xlsx.ts';

/** What a line is: above the table, its header, the header on the next page, a row that says nothing, a row, a row with a fault, below the table. */
export type LineKind = 'TITLE' | 'HEADER' | 'RULER' | 'AGAIN' | 'BLANK' | 'ROW' | 'WRONG' | 'FOOT';

/** One line of a file, its cells as they are written. */
export interface DirtyLine {
  readonly kind: LineKind;
  readonly cells: readonly string[];
}

/** How the lines are written. */
export interface DirtyForm {
  readonly separator: ',' | ';' | '\t' | '|' | 'xlsx';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: 'utf8' | 'utf8-bom' | 'utf16le';
  readonly isQuoted: boolean;
  readonly hasHint: boolean;
  readonly end: '' | 'LINE' | 'BLANKS' | 'CTRL-Z';
}

/** A file, with what it says. */
export interface DirtyFile {
  readonly form: DirtyForm;
  /** The columns in their order: what they hold, by our name, and how they are called. */
  readonly columns: readonly { readonly holds: string; readonly name: string }[];
  readonly lines: readonly DirtyLine[];
}

/** What makes a kind of file. */
interface Kind {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  /** The names of a column, ours among them. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly cells: Readonly<Record<string, fc.Arbitrary<string>>>;
  /** What no reader may take for something, and in which column. */
  readonly faults: readonly (readonly [holds: string, text: string])[];
}

/** Texts that break readers who are in a hurry. */
const odd = fc.constantFrom(
  ...[
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
    '1E5',
    'N/A box',
  ],
);
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ä', '1', '-', '.'), minLength: 1, maxLength: 6 });
const nothing = fc.constantFrom('', '', 'NULL', '(null)');
const errors = ['#N/A', '#REF!', '#BEZUG!', '#NV', '#WERT!'] as const;
const rounded = ['1.23457E+15', '1,23457E+15'] as const;
const addresses = fc.constantFrom('ann@corp.test', 'Bob@corp.test', "o'neil@corp.test");

const kinds: Readonly<Record<'grants' | 'people', Kind>> = {
  grants: {
    needed: ['account', 'entitlement'],
    optional: ['email', 'resource', 'account_status', 'last_used_at', 'other'],
    names: {
      account: ['account', 'Login', 'User ID', 'Benutzerkennung', 'Identifiant'],
      email: ['email', 'E-Mail', 'Mail address', 'Correo electrónico'],
      resource: ['resource', 'Resource name', 'Ressource'],
      entitlement: ['entitlement', 'Role', 'Berechtigung', 'Permission'],
      account_status: ['account_status', 'Status'],
      last_used_at: ['last_used_at', 'Last login', 'Letzte Anmeldung'],
      other: ['Cost center', 'Kostenstelle', 'Site code'],
    },
    cells: {
      account: fc.oneof(
        { weight: 6, arbitrary: fc.nat(30).map((no) => `user${no}`) },
        { weight: 1, arbitrary: word.map((text) => `u${text}`) },
        { weight: 1, arbitrary: odd.map((text) => `u ${text}`) },
        { weight: 1, arbitrary: fc.nat(99).map((no) => `000${no}`) },
      ),
      email: fc.oneof(addresses, nothing),
      resource: fc.constantFrom('Payroll', 'CRM', 'Wiki, old', 'Lager Süd'),
      entitlement: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('Reader', 'Writer', 'Admin', 'Pay run', 'Total access', ' padded ') },
        { weight: 1, arbitrary: odd.map((text) => `R ${text}`) },
      ),
      account_status: fc.constantFrom('ENABLED', 'enabled', 'disabled', 'Active', 'inactive'),
      last_used_at: fc.constantFrom('', '2024-01-31', '2024-02-29T12:00:00Z', '31.01.2024', 'never', 'NULL'),
      other: fc.constantFrom('', '4711', 'HQ'),
    },
    faults: [
      ['account', ''],
      ['entitlement', ' '],
      ['email', 'nobody at all'],
      ['last_used_at', 'last Tuesday'],
      ['last_used_at', '2024-02-30'],
      ...errors.flatMap((text) => ['account', 'entitlement', 'email', 'resource'].map((holds) => [holds, text] as const)),
      ...rounded.map((text) => ['account', text] as const),
    ],
  },
  people: {
    needed: ['email', 'display_name'],
    optional: ['employee_id', 'manager_email', 'department', 'employment_status', 'other'],
    names: {
      email: ['email', 'Work email', 'E-Mail-Adresse'],
      display_name: ['display_name', 'Full name', 'Anzeigename'],
      employee_id: ['employee_id', 'Personalnummer', 'Employee number'],
      manager_email: ['manager_email', 'Manager email', 'E-Mail Vorgesetzter'],
      department: ['department', 'Abteilung', 'Cost center name'],
      employment_status: ['employment_status', 'Status'],
      other: ['Site code', 'Badge'],
    },
    cells: {
      email: fc.oneof(
        { weight: 6, arbitrary: fc.nat(99).map((no) => `user${no}@corp.test`) },
        { weight: 1, arbitrary: fc.nat(99).map((no) => `"User, ${no}"@corp.test`.replaceAll(/[" ,]/g, '')) },
      ),
      display_name: fc.oneof(fc.constantFrom('Ann Sample', 'Bob Sample'), odd),
      employee_id: fc.oneof(
        fc.nat(999).map(String),
        fc.nat(99).map((no) => `000${no}`),
      ),
      manager_email: fc.oneof(addresses, nothing),
      department: fc.oneof(fc.constantFrom('Sales', 'Pay, and more'), nothing),
      employment_status: fc.constantFrom('ACTIVE', 'active', 'terminated', 'Aktiv'),
      other: fc.constantFrom('', '4711'),
    },
    faults: [
      ['email', 'nobody at all'],
      ['employment_status', 'Frozen in time'],
      ...errors.flatMap((text) => ['email', 'display_name', 'employee_id', 'manager_email'].map((holds) => [holds, text] as const)),
      ...rounded.map((text) => ['employee_id', text] as const),
    ],
  },
};

const titles = fc.array(fc.constantFrom('User access report', 'Generated on 2024-01-31', 'Confidential', 'System: Payroll'), {
  maxLength: 3,
});
const feet = fc.array(fc.constantFrom('Total: 12', 'End of report', '(57 rows affected)', 'Page 1 of 3', 'Generated on 2024-01-31'), {
  maxLength: 2,
});

const form = fc.record<DirtyForm>({
  separator: fc.constantFrom(',', ';', '\t', '|', 'xlsx'),
  lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8', 'utf8-bom', 'utf16le'),
  isQuoted: fc.boolean(),
  hasHint: fc.boolean(),
  end: fc.constantFrom('', 'LINE', 'LINE', 'BLANKS', 'CTRL-Z'),
});

/** Files of a kind. Of those without faults every row is one that counts. */
export function dirtyFile(kind: keyof typeof kinds, withFaults: boolean): fc.Arbitrary<DirtyFile> {
  const { needed, optional, names, cells, faults } = kinds[kind];
  const columns = fc
    .record({
      more: fc.subarray([...optional]),
      order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
      names: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    })
    .map((one) => {
      const sorted = [...needed, ...one.more].map((holds, at) => [one.order[at] ?? 0, holds] as const).sort(([a], [b]) => a - b);
      return sorted.map(([, holds], at) => {
        const possible = names[holds] ?? [];
        return { holds, name: possible[(one.names[at] ?? 0) % possible.length] ?? holds };
      });
    });
  return fc.tuple(columns, form).chain(([chosen, how]) => {
    const row = fc.tuple(...chosen.map(({ holds }) => cells[holds] as fc.Arbitrary<string>));
    // Of a name that is only guessed, the first rows may show that it means something else.
    const isSure = (holds: string) => needed.includes(holds) || chosen.some((one) => one.holds === holds && one.name === holds);
    const possible = faults.filter(([holds]) => isSure(holds));
    const wrong = fc.tuple(row, fc.constantFrom(...possible, undefined)).map(([good, fault]) => ({
      kind: 'WRONG' as const,
      cells:
        fault === undefined ? [...good, 'one', 'too many'] : good.map((text, at) => (chosen[at]?.holds === fault[0] ? fault[1] : text)),
    }));
    const line = fc.oneof(
      { weight: 12, arbitrary: row.map((good): DirtyLine => ({ kind: 'ROW', cells: good })) },
      // Cells that a spreadsheet adds at the end of each row.
      { weight: 1, arbitrary: row.map((good): DirtyLine => ({ kind: 'ROW', cells: [...good, '', ''] })) },
      { weight: 1, arbitrary: fc.constant<DirtyLine>({ kind: 'AGAIN', cells: chosen.map(({ name }) => name) }) },
      { weight: 1, arbitrary: fc.constantFrom('', ' ').map((text): DirtyLine => ({ kind: 'BLANK', cells: chosen.map(() => text) })) },
      ...(withFaults ? [{ weight: 3, arbitrary: wrong as fc.Arbitrary<DirtyLine> }] : []),
    );
    return fc
      .record({ first: row, lines: fc.array(line, { maxLength: 14 }), above: titles, below: feet, hasRuler: fc.boolean() })
      .map(({ first, lines, above, below, hasRuler }): DirtyFile => {
        const single =
          (lineKind: LineKind) =>
          (text: string): DirtyLine => ({ kind: lineKind, cells: [text] });
        const header = chosen.map(({ name }) => name);
        return {
          form: how,
          columns: chosen,
          lines: [
            ...above.map(single('TITLE')),
            { kind: 'HEADER', cells: header },
            ...(hasRuler ? [{ kind: 'RULER' as const, cells: header.map((name) => '-'.repeat(name.length)) }] : []),
            { kind: 'ROW', cells: first },
            ...lines,
            ...below.map(single('FOOT')),
          ],
        };
      });
  });
}

/** The file as bytes, and the line on which each of its lines begins. */
export function writeDirty({ form: how, lines }: DirtyFile): { readonly bytes: Buffer; readonly at: readonly number[] } {
  const { separator, lineEnd, end } = how;
  if (separator === 'xlsx') {
    const rows = lines.map(({ cells }) => cells.map((text) => (text === '' ? undefined : text)));
    return { bytes: sheetOf(rows), at: lines.map((_, no) => no + 1) };
  }
  let text = how.hasHint ? `sep=${separator}${lineEnd}` : '';
  let line = how.hasHint ? 2 : 1;
  const at = lines.map(({ cells }) => {
    const start = line;
    const written = cells.map((one) => (how.isQuoted || /[,;|\t\n\r"]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(separator);
    text += written + lineEnd;
    line += written.split('\n').length;
    return start;
  });
  const ends: Readonly<Record<DirtyForm['end'], string>> = {
    '': text.slice(0, -lineEnd.length),
    LINE: text,
    BLANKS: text + lineEnd + lineEnd,
    'CTRL-Z': `${text}\u001a`,
  };
  const whole = ends[end];
  return {
    bytes: how.encoding === 'utf8' ? Buffer.from(whole) : Buffer.from(`\uFEFF${whole}`, how.encoding === 'utf16le' ? 'utf16le' : 'utf8'),
    at,
  };
}
