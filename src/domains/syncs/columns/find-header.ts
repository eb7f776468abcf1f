/** Finds the header of a file: the first row, or, where a report begins with a title, the first below it that can be read as one. */
import { isAppError } from '../../../errors.ts';
import { type Columns, type HeaderOptions, readHeader } from './columns.ts';
import { isFooter } from '../../../lib/footer.ts';
import type { WantedColumns } from '../values/index.ts';

/** A header, and which of the rows it is. */
export interface FoundHeader<Name extends string> {
  readonly index: number;
  /** The first row of the table. Between the two is a row that gives the columns their names once more, in some exports. */
  readonly first: number;
  readonly columns: Columns<Name>;
}

/** A title has no more rows than this. */
const maxTitleRows = 25;
/** A title's row says one thing, or a word and what it is. */
const maxTitleCells = 2;

const filled = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length;

/** True if a row gives columns the names that they have: two of them at least, as no account and no person has. */
function repeatsNames(header: readonly string[], row: readonly string[] = []): boolean {
  const plain = (cell = ''): string => cell.trim().toLowerCase();
  return header.filter((name, at) => plain(name) !== '' && plain(name) === plain(row[at])).length >= 2;
}

/**
 * The first of these rows that reads as a header, if all rows before it are those of a title: of two cells at most, and fewer than the header has.
 * Refuses as readHeader does, for the row that is likeliest meant. Exact rows begin with their header.
 */
export function findHeader<Name extends string>(
  rows: readonly (readonly string[])[],
  lines: readonly number[],
  format: WantedColumns<Name>,
  options: HeaderOptions,
  isExact = false,
): FoundHeader<Name> {
  const first = rows[0] ?? [];
  const refusals = new Map<number, unknown>();
  for (let index = 0; index < Math.min(rows.length, isExact ? 1 : maxTitleRows + 1); index++) {
    const row = rows[index] as readonly string[];
    const before = index === 0 ? [] : rows.slice(0, index).map(filled);
    const count = filled(row);
    if (before.some((cells) => cells > maxTitleCells)) {
      break;
    }
    if (before.some((cells) => cells >= count)) {
      continue;
    }
    const below = index + (!isExact && repeatsNames(row, rows[index + 1]) ? 2 : 1);
    try {
      const sample = options.sample === undefined ? {} : { sample: rows.slice(below).filter((one) => isExact || !isFooter(one)) };
      return { index, first: below, columns: readHeader(row, format, { ...options, ...sample }, lines[index] ?? 1) };
    } catch (error) {
      if (!isAppError(error)) {
        throw error;
      }
      refusals.set(index, error);
    }
  }
  const widest = [...refusals.keys()].reduce((a, b) => (filled(rows[b] ?? []) > filled(rows[a] ?? []) ? b : a), 0);
  throw refusals.get(widest) ?? readHeader(first, format, options, lines[0] ?? 1);
}
