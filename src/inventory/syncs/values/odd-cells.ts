/**
 * Cells that do not say what they seem to: errors of a spreadsheet, ids that Excel shortened, words for nothing. The same rules for CSV and Excel
 * files, whatever the columns are called. What a cell is when nothing is odd about it is read by its format.
 */
import { findErrorValue, isShortenedNumber } from '../../../lib/tables/cell-text.ts';
import { type Complain, quote } from './fields.ts';
import { isNothing, isSurelyNothing, wordsForNothing } from './empty-words.ts';

/**
 * Use of a column of the file. KEY: an account. HELD: a resource, its type or an entitlement, some of which are really called None. ID: finds a person
 * and may be empty, as ADDRESS. TEXT is only shown. WORD and TIME have readings of their own, and OTHER columns become attributes.
 */
export type CellUse = 'KEY' | 'HELD' | 'ID' | 'TEXT' | 'TYPE' | 'WORD' | 'TIME' | 'OTHER';

/** One column of the file that is read, what it is used for first, and the values it was given a meaning for. */
export interface CellRule {
  readonly at: number;
  /** Its name in the file. */
  readonly name: string;
  /** The wanted column; the name of the attribute where nothing wanted it. */
  readonly column: string;
  readonly use: CellUse;
  /** True if a mapping says what this value means. */
  readonly isGiven: (value: string) => boolean;
}

/** Uses in the order in which they count, where one column of the file fills several. */
const uses: readonly CellUse[] = ['KEY', 'HELD', 'ID', 'TYPE', 'WORD', 'TIME', 'TEXT', 'OTHER'];

const usesByColumn: Readonly<Record<string, CellUse>> = {
  account: 'KEY',
  resource: 'HELD',
  resource_type: 'HELD',
  entitlement: 'HELD',
  email: 'ID',
  manager_email: 'ID',
  username: 'ID',
  employee_id: 'ID',
  parent_resource: 'ID',
  parent_resource_type: 'ID',
  account_type: 'TYPE',
  account_status: 'WORD',
  employment_status: 'WORD',
  purpose: 'WORD',
  granted_at: 'TIME',
  last_used_at: 'TIME',
  expires_at: 'TIME',
  account_created_at: 'TIME',
  account_used_at: 'TIME',
};

/** The use of a wanted column; what is not listed is a text. */
export function useOfColumn(column: string): CellUse {
  return usesByColumn[column] ?? 'TEXT';
}

/** The rule of each column of the file, of those that fill several columns the strictest, in the order of the file. */
export function strictestRules(rules: readonly CellRule[]): readonly CellRule[] {
  const byPlace = Map.groupBy(rules, ({ at }) => at);
  return [...byPlace.values()]
    .map((same) => same.reduce((a, b) => (uses.indexOf(b.use) < uses.indexOf(a.use) ? b : a)))
    .sort((a, b) => a.at - b.at);
}

/** A fault that the file itself shows in a cell. */
export interface FoundFault {
  readonly column: number;
  readonly reason: string;
  /** True if the cell can be read, and only is no id. */
  readonly isOfIds?: boolean;
}

/** Notes the faults of a row's cells that matter: a column that is left out may hold what it likes. */
export function noteFaults(rules: readonly CellRule[], faults: readonly FoundFault[], complain: Complain): void {
  for (const { column, reason, isOfIds = false } of faults) {
    const rule = rules.find(({ at }) => at === column);
    if (rule !== undefined && (!isOfIds || rule.use === 'KEY' || rule.use === 'HELD' || rule.use === 'ID')) {
      complain(rule.name, rule.use === 'OTHER' ? `${reason}, ${orIgnore(rule.name)}` : reason);
    }
  }
}

const orIgnore = (name: string): string => `or leave the column out: map=ignore=${name}`;

/**
 * Beginnings of odd cells, by their first two characters: all others are looked at no further, since a file has millions of cells. `errors` are those of
 * a spreadsheet alone.
 */
const starts = { errors: new Uint8Array(128 * 128), all: new Uint8Array(128 * 128) };
const anySecond = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');

function addStarts(table: Uint8Array, first: string, seconds: string): void {
  for (const second of seconds) {
    for (const pair of [
      first.toLowerCase() + second.toLowerCase(),
      first.toLowerCase() + second.toUpperCase(),
      first.toUpperCase() + second.toLowerCase(),
      first.toUpperCase() + second.toUpperCase(),
    ]) {
      table[pair.charCodeAt(0) * 128 + pair.charCodeAt(1)] = 1;
    }
  }
}

for (const table of [starts.errors, starts.all]) {
  addStarts(table, '#', anySecond);
  addStarts(table, ' ', anySecond);
  addStarts(table, '\t', anySecond);
  addStarts(table, 'e', 'r');
}
for (const word of wordsForNothing) {
  addStarts(starts.all, word.charAt(0), word.length === 1 ? '\0 ' : word.charAt(1));
}
for (const digit of '0123456789') {
  addStarts(starts.all, digit, '.,e');
}
addStarts(starts.all, '-', '\0 -0123456789');

/** Longer than any of them, but for the signs of a narrow column. */
const maxOddLength = 24;
const [numberSign, enDash, emDash] = [0x23, 0x2013, 0x2014];

/** What was found of words for nothing, for the summary of the import. */
type Count = (column: string, value: string, meaning: string) => void;

/** Reads the cells of a row: empties those that say nothing, and notes those that cannot be what they stand for. */
export type OddCellReader = (row: string[], complain: Complain, count: Count) => void;

/** Creates a reader of rows with these columns. */
export function createOddCellReader(rules: readonly CellRule[]): OddCellReader {
  // What is looked at for each cell of a file stands by itself.
  const places = rules.map(({ at }) => at);
  const tables = rules.map(({ use }) => (hasOwnReading(use) ? starts.errors : starts.all));
  return (row, complain, count) => {
    for (let index = 0; index < places.length; index++) {
      const text = row[places[index] as number] as string;
      if (text.length > 0 && isOddStart(text, tables[index] as Uint8Array)) {
        readOddCell(rules[index] as CellRule, text, row, complain, count);
      }
    }
  };
}

function isOddStart(text: string, table: Uint8Array): boolean {
  const first = text.charCodeAt(0);
  const second = text.length > 1 ? text.charCodeAt(1) : 0;
  const isOdd =
    first > 127 || second > 127
      ? first === numberSign || first === enDash || first === emDash || first === 0xa0
      : table[(first << 7) | second] === 1;
  return isOdd && (text.length <= maxOddLength || first === numberSign);
}

/** True of uses in which only the errors of a spreadsheet are odd. */
function hasOwnReading(use: CellUse): boolean {
  return use === 'WORD' || use === 'TIME' || use === 'OTHER';
}

function readOddCell({ at, name, column, use, isGiven }: CellRule, text: string, row: string[], complain: Complain, count: Count): void {
  const value = text.trim();
  const error = value.startsWith('#') || value.startsWith('Err:') ? findErrorValue(value) : undefined;
  if (error !== undefined && !isGiven(value)) {
    complain(name, use === 'OTHER' ? `${error}, ${orIgnore(name)}` : error);
    return;
  }
  if (hasOwnReading(use) || isGiven(value)) {
    return;
  }
  if (use !== 'TEXT' && isShortenedNumber(value)) {
    complain(
      name,
      `${quote(value)} is a number that Excel has shortened, and its last digits are lost: export the file again from its system; if it has to go through Excel, format this column as text first`,
    );
    return;
  }
  if (use === 'KEY' || use === 'HELD') {
    if (isSurelyNothing(value) || (use === 'KEY' && isNone(value))) {
      complain(
        name,
        `${quote(value)} is a word for nothing: leave the row out, or, if it is really the name, pass map=${column}:${value}=${value}`,
      );
    } else if (isNone(value)) {
      count(column, value, 'a name');
    }
    return;
  }
  // Of names that are only shown, Null may be one.
  if (use === 'TEXT' ? isSurelyNothing(value) && value !== 'Null' : isNothing(value)) {
    row[at] = '';
    count(column, value, 'nothing');
  }
}

const isNone = (value: string): boolean => value.toLowerCase() === 'none';
