/**
 * Finds the header of a file: the first row, or, where a report begins with a title or groups its columns, the first below that can be read as one.
 */
import { isAppError } from '../../../errors.ts';
import { type Columns, type HeaderOptions, readHeader } from './columns.ts';
import { kindOfOther } from '../../../lib/footer.ts';
import { type WantedColumns, columnsIn, readHeaderLine, refuseFile } from '../values/index.ts';
import { refuseOwnExport } from './own-exports.ts';

/** A header, and which of the rows it is. */
export interface FoundHeader<Name extends string> {
  readonly index: number;
  /** The first row of the table. Between the two are rows that give the columns their names once more, or say what they hold, in some exports. */
  readonly first: number;
  /** Names of the columns: of a header over two rows, from both. */
  readonly names: readonly string[];
  readonly columns: Columns<Name>;
}

type Rows = readonly (readonly string[])[];

/** Rows that a guess at the columns is held against. */
const sampleRows = 1000;
/** A title has no more rows than this. */
const maxTitleRows = 25;
/** A title's row says one thing, or a word and what it is. */
const maxTitleCells = 2;

const isFilled = (cell = ''): boolean => cell.trim() !== '';
const filled = (row: readonly string[]): number => row.filter(isFilled).length;
const plain = (cell = ''): string => cell.trim().toLowerCase();

/** True if a row gives columns the names that they have: two of them at least, as no account and no person has. */
function repeatsNames(header: readonly string[], row: readonly string[] = []): boolean {
  return header.filter((name, at) => plain(name) !== '' && plain(name) === plain(row[at])).length >= 2;
}

/** Words for what a column holds, as some exports write them below its name. */
const kindWords =
  /^\(?(text|string|char|varchar2?|nvarchar|number|numeric|int|integer|bigint|bool|boolean|date|datetime|timestamp|time|uuid|guid|enum|list|email|e-mail|required|optional|mandatory|read[ -]?only|pflichtfeld|pflicht|zahl|datum|texte|nombre|fecha|texto|dd[./-]mm[./-]yyyy|mm[./-]dd[./-]yyyy|yyyy-mm-dd|tt\.mm\.jjjj)(\s*\(?\d+\)?)?\)?$/i;

/** True if a row says of each column what it holds. */
function saysKinds(row: readonly string[] = []): boolean {
  const cells = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const kinds = new Set(cells.map((cell) => cell.toLowerCase()));
  return (
    cells.length >= 2 && cells.every((cell) => kindWords.test(cell)) && ![...kinds].every((kind) => kind === 'email' || kind === 'list')
  );
}

/** True if a row can hold names of columns: nothing in it is a number, a date or an address, and no two are the same. */
function canBeNames(row: readonly string[]): boolean {
  const cells = row.map(plain).filter((cell) => cell !== '');
  return (
    cells.length >= 2 &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => /\p{L}/u.test(cell) && !/@|^\d+[\d.:/ -]*$/.test(cell))
  );
}

/** Names over two rows: of each column the lower one, or where that is empty the upper one. Undefined where they do not complete each other. */
function joinRows(upper: readonly string[], lower: readonly string[]): string[] | undefined {
  const width = Math.max(upper.length, lower.length);
  const places = Array.from({ length: width }, (_, at) => [isFilled(upper[at]), isFilled(lower[at])] as const);
  const isGrouped = places.some(([above, below]) => !above && below);
  const isShared = places.some(([above, below]) => above && !below);
  return isGrouped && isShared ? places.map(([, below], at) => (below ? lower[at] : upper[at]) ?? '') : undefined;
}

/** Names below the groups that they belong to: `Role` above `Name` is `Role Name`. Undefined where no row of groups stands there. */
function nameByGroups(upper: readonly string[], lower: readonly string[]): string[] | undefined {
  let group = '';
  const names = lower.map((name, at) => {
    group = isFilled(upper[at]) ? (upper[at] as string).trim() : group;
    return isFilled(name) ? `${group} ${name.trim()}`.trim() : '';
  });
  const own = lower.map(plain).filter((name) => name !== '');
  return new Set(own).size < own.length ? names : undefined;
}

/** Columns that two headers of one table have in the same place. */
const keyNames: ReadonlySet<string> = new Set(['account', 'entitlement', 'email', 'employee_id']);

/** A row that may be the header, and what came of reading it. */
interface Try<Name extends string> {
  readonly columns?: Columns<Name>;
  readonly refusal?: unknown;
}

/**
 * The first of these rows that reads as a header, if all rows before it are those of a title: of two cells at most, or fewer than the header has, or
 * groups of its columns right above it. Refuses as readHeader does, for the row that is likeliest meant. Exact rows begin with their header.
 */
export function findHeader<Name extends string>(
  rows: Rows,
  lines: readonly number[],
  format: WantedColumns<Name>,
  options: HeaderOptions,
  isExact = false,
): FoundHeader<Name> {
  const isMapped = Object.keys(columnsIn(options.asked ?? {})).length > 0;
  const samples = (names: readonly string[], below: number): Pick<HeaderOptions, 'sample'> =>
    options.sample === undefined ? {} : { sample: isExact ? rows.slice(below) : takeSample(names, rows, below) };
  const read = (names: readonly string[], index: number, below = index + 1): Try<Name> => {
    try {
      return { columns: readHeader(names, format, { ...options, ...samples(names, below) }, lines[index] ?? 1) };
    } catch (error) {
      if (!isAppError(error)) {
        throw error;
      }
      return { refusal: error };
    }
  };
  const found = (names: readonly string[], index: number, columns: Columns<Name>): FoundHeader<Name> => {
    if (isExact || !isDescription(names, columns, rows[index + 1], (row) => read(row, index + 1).columns)) {
      return { index, first: index + 1, names, columns };
    }
    const { columns: again, refusal } = read(names, index, index + 2);
    if (again === undefined) {
      throw refusal;
    }
    return { index, first: index + 2, names, columns: again };
  };
  const named = isExact ? undefined : readHeaderLine({ ...options.saved, ...options.asked });
  if (named !== undefined) {
    const index = findNamedRow(lines, named);
    const row = rows[index] as readonly string[];
    if (!isMapped) {
      refuseOwnExport(row, named);
    }
    const alone = read(row, index);
    const both =
      alone.columns === undefined && index > 0 ? readTwoRows(rows[index - 1] ?? [], row, (names) => read(names, index).columns) : undefined;
    if (both === undefined && alone.columns === undefined) {
      throw tellNamed(alone.refusal, named);
    }
    return both === undefined ? found(row, index, alone.columns as Columns<Name>) : found(both.names, index, both.columns);
  }
  const refusals = new Map<number, unknown>();
  let hasWide = false;
  for (let index = 0; index < Math.min(rows.length, isExact ? 1 : maxTitleRows + 1); index++) {
    const row = rows[index] as readonly string[];
    const count = filled(row);
    const above = rows[index - 1] ?? [];
    const before = rows.slice(0, index).map(filled);
    const isBelowTitle = before.every((cells) => cells < count);
    // Right below a row that is none, names may be as many as there: that one describes or groups them.
    const isBelowOther = index > 0 && before.slice(0, -1).every((cells) => cells < count) && filled(above) <= count;
    if (index > 0 && !(isBelowTitle || isBelowOther)) {
      if (hasWide) {
        break;
      }
      continue;
    }
    if (index > 0 && hasWide && !canBeNames(row)) {
      continue;
    }
    if (!isExact && !isMapped) {
      refuseOwnExport(row, lines[index] ?? 1);
    }
    const { columns, refusal } = read(row, index);
    const isWhole = columns !== undefined && !leavesNameless(columns, takeSample(row, rows, index + 1));
    const both = isExact || isWhole ? undefined : readTwoRows(row, rows[index + 1], (names) => read(names, index + 1).columns);
    if (both !== undefined) {
      return found(both.names, index + 1, both.columns);
    }
    if (columns !== undefined) {
      return found(row, index, columns);
    }
    refusals.set(index, refusal);
    hasWide ||= count > maxTitleCells;
  }
  const widest = [...refusals.keys()].reduce((a, b) => (filled(rows[b] ?? []) > filled(rows[a] ?? []) ? b : a), 0);
  throw refusals.get(widest) ?? readHeader(rows[0] ?? [], format, options, lines[0] ?? 1);
}

/** Finds the row on a line that is said to be that of the header. INVALID_ARGUMENT if there is none. */
export function findNamedRow(lines: readonly number[], line: number): number {
  const index = lines.indexOf(line);
  const last = lines.at(-1) ?? 0;
  if (index < 0) {
    const what = line > last ? `the file ends on line ${last}` : 'no row begins there';
    throw refuseFile(`header_line says that the names of the columns stand on line ${line}, and ${what}`, line);
  }
  return index;
}

/** The refusal of the row that was said to be the header. */
function tellNamed(refusal: unknown, line: number): unknown {
  const [told] = isAppError(refusal) ? (refusal.violations ?? []) : [];
  return told === undefined ? refusal : refuseFile(`header_line says that this is the line of the names, and ${told.description}`, line);
}

/** Reads a header over two rows: the lower row, completed by the upper one where it is empty, or with names by groups. */
function readTwoRows<Name extends string>(
  upper: readonly string[],
  lower: readonly string[] | undefined,
  read: (names: readonly string[]) => Columns<Name> | undefined,
): { readonly names: readonly string[]; readonly columns: Columns<Name> } | undefined {
  if (lower === undefined || filled(lower) < 2 || !lower.some((name, at) => isFilled(name) && !isFilled(upper[at]))) {
    return undefined;
  }
  for (const names of [joinRows(upper, lower) ?? lower, nameByGroups(upper, lower)]) {
    const columns = names !== undefined && canBeNames(names) ? read(names) : undefined;
    if (names !== undefined && columns !== undefined) {
      return { names, columns };
    }
  }
  return undefined;
}

/** True if a column without a name holds something: the row may be one of groups, with the names below. */
function leavesNameless<Name extends string>({ nameless, count }: Columns<Name>, sample: Rows): boolean {
  return sample.some((row) => nameless.some((at) => isFilled(row[at])) || row.slice(count).some(isFilled));
}

/** Some rows below a header, without those that are no rows of a table, the header again among them. */
export function takeSample(names: readonly string[], rows: Rows, below: number): Rows {
  const isAgain = (row: readonly string[]): boolean => row.every((cell, at) => !isFilled(cell) || plain(cell) === plain(names[at]));
  return rows.slice(below, below + sampleRows).filter((row) => kindOfOther(row) === undefined && !isAgain(row));
}

/** True if a row right below a header is none of the table: it gives the columns their names once more, or says what they hold. */
function isDescription<Name extends string>(
  names: readonly string[],
  { at }: Columns<Name>,
  row: readonly string[] | undefined,
  read: (row: readonly string[]) => Columns<Name> | undefined,
): boolean {
  if (row === undefined) {
    return false;
  }
  if (repeatsNames(names, row) || saysKinds(row)) {
    return true;
  }
  const own = filled(row) > 2 && canBeNames(row) ? read(row)?.at : undefined;
  return own !== undefined && Object.keys(at).every((name) => keyNames.has(name) !== true || own[name as Name] === at[name as Name]);
}
