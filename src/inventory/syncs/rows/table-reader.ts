/**
 * The rows under a header, one after the other: fitted to its columns, with the values of other systems made ours. What is wrong with a row is noted.
 * What a row says is read later, by its format; which rows are none of the table is in row-sieve.ts.
 */
import { type Columns, complainOfDenial, tellTwins } from '../columns/index.ts';
import {
  type Complain,
  type FoundFault,
  type NoteList,
  type WantedColumns,
  createOddCellReader,
  isWrittenTime,
  knownWords,
  noteFaults,
} from '../values/index.ts';
import type { RowBatch } from './open-rows.ts';

/** Cells of a row that say nothing, or nothing that is an id. */
export type Faults = readonly (FoundFault & { readonly index: number })[];

/** Makes rows ready. */
export interface TableReader<Name extends string> {
  /** Lengthens a row to all its columns; NONE where it cannot be read, WRONG where a cell could not be made: both were noted. */
  prepare(row: string[], line: number, faults: Faults | undefined): 'READY' | 'WRONG' | 'NONE';
  columns(): Columns<Name>;
}

/** Options for rows under a header. */
interface TableOptions<Name extends string> {
  readonly errors: NoteList;
  /** Cells at the end of a row may be missing. */
  readonly isPadded: boolean;
  /** Cells say what they say. */
  readonly isExact: boolean;
  /** The same header for values as other systems write them. */
  readonly translate: () => Columns<Name>;
}

/** Reads rows under a header. Where values of another system stand under our own names, they are read as such from there on. */
export function createTableReader<Name extends string>(
  format: WantedColumns<Name>,
  header: Columns<Name>,
  { errors, isPadded, isExact, translate }: TableOptions<Name>,
): TableReader<Name> {
  let columns = header;
  let readOddCells = createOddCellReader(columns.rules);
  const checks = header.isTranslated ? [] : createChecks(format, header);
  let line = 0;
  let isWrong = false;
  const complain: Complain = (column, reason) => {
    isWrong = true;
    errors.add({ line, column, reason });
  };

  /** Cuts off what is beyond the header and empty, and adds what a sheet leaves out. */
  function fitRow(row: string[]): void {
    while (row.length > columns.count && row[row.length - 1] === '') {
      row.pop();
    }
    while (isPadded && row.length < columns.count) {
      row.push('');
    }
    if (row.length !== columns.count) {
      complain('', `has ${row.length} fields where the header has ${columns.count}`);
    }
    for (const at of columns.nameless) {
      if ((row[at] ?? '').trim() !== '') {
        complain('', `has a value in column ${at + 1}, which has no name in the header`);
      }
    }
  }

  return {
    columns: () => columns,
    prepare(row, at, faults) {
      line = at;
      isWrong = false;
      fitRow(row);
      if (!isWrong && faults !== undefined) {
        noteFaults(columns.rules, faults, complain);
      }
      if (!isWrong && !isExact) {
        readOddCells(row, complain, columns.values.count);
      }
      if (columns.twins.length > 0 && !isWrong) {
        const different = tellTwins(columns.twins, row);
        if (different !== undefined) {
          complain(different.key, different.reason);
        }
      }
      if (columns.denials.length > 0) {
        complainOfDenial(columns.denials, row, complain);
      }
      if (isWrong) {
        return 'NONE';
      }
      if (!columns.isTranslated && checks.some(({ at: place, isOurs }) => !isOurs(row[place] as string))) {
        columns = translate();
        readOddCells = createOddCellReader(columns.rules);
      }
      if (columns.fixed.length > 0) {
        row.push(...columns.fixed);
      }
      // A cell that cannot be made is noted and left empty: what else is wrong with the row is found when it is read.
      for (const { at: place, make } of columns.made) {
        row[place] = make(row, line, complain);
      }
      return isWrong ? 'WRONG' : 'READY';
    },
  };
}

/** Creates checks that words and times of a row are ours, looking at each. */
function createChecks<Name extends string>(format: WantedColumns<Name>, { at }: Columns<Name>) {
  const isOurTime = (text: string): boolean => text === '' || isWrittenTime(text);
  return [...format.wanted, ...format.optional, ...format.exact].flatMap((name) => {
    const kind = format.words[name];
    if (at[name] < 0 || (kind === undefined && !format.times.includes(name))) {
      return [];
    }
    const words = new Set(['', ...(kind === undefined ? [] : knownWords[kind])]);
    const isOurWord = (text: string): boolean => words.has(text) || words.has(text.trim().toUpperCase());
    return [{ at: at[name] as number, isOurs: kind === undefined ? isOurTime : isOurWord }];
  });
}

/** The faults of a batch by their row; undefined where there are none, as nearly always. */
export function groupFaults({ faults = [], doubts = [] }: RowBatch): ReadonlyMap<number, Faults> | undefined {
  return faults.length + doubts.length === 0
    ? undefined
    : Map.groupBy([...faults, ...doubts.map((doubt) => ({ ...doubt, isOfIds: true }))], ({ index }) => index);
}
