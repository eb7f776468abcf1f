/**
 * The rows under a header, one after the other: fitted to its columns, with the values of other systems made ours, totals and notes at the end set
 * aside. What is wrong with a row is noted. What a row says is read later, by its format.
 */
import type { Columns } from './columns.ts';
import { type Complain, isWrittenTime, quote } from './fields.ts';
import { isFooter } from '../../lib/footer.ts';
import type { WantedColumns } from './mapping.ts';
import type { NoteList } from './notes.ts';
import type { RowBatch } from './open-rows.ts';
import type { RowNote } from './types.ts';
import { wordsOf } from './value-words.ts';

/** What cells of a row hold that says nothing. */
export type Faults = NonNullable<RowBatch['faults']>;

/** Totals and notes at the end of a file. */
const maxFooterRows = 20;

/** Makes rows ready. */
export interface TableReader<Name extends string> {
  /** Lengthens a row to all its columns; NONE where it cannot be read or is a total, WRONG where a cell could not be made: both were noted. */
  prepare(row: string[], line: number, faults: Faults | undefined): 'READY' | 'WRONG' | 'NONE';
  columns(): Columns<Name>;
  /** The totals and notes at the end, once all was read. */
  footer(): readonly RowNote[];
}

/** How rows under a header are made ready. */
interface TableOptions<Name extends string> {
  /** The columns as they stand there. */
  readonly names: readonly string[];
  readonly errors: NoteList;
  /** Cells at the end of a row may be missing. */
  readonly isPadded: boolean;
  /** The same header for values as other systems write them. */
  readonly translate: () => Columns<Name>;
}

/** Reads rows under a header. Where values of another system stand under our own names, they are read as such from there on. */
export function createTableReader<Name extends string>(
  format: WantedColumns<Name>,
  header: Columns<Name>,
  { names, errors, isPadded, translate }: TableOptions<Name>,
): TableReader<Name> {
  let columns = header;
  const checks = header.isTranslated ? [] : createChecks(format, header);
  let line = 0;
  let isWrong = false;
  let held: RowNote[] = [];
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
      if ((row[at] ?? '') !== '') {
        complain('', `has a value in column ${at + 1}, which has no name in the header`);
      }
    }
  }

  return {
    columns: () => columns,
    footer: () => held,
    prepare(row, at, faults) {
      line = at;
      isWrong = false;
      if (held.length < maxFooterRows && isFooter(row)) {
        held.push({ line, column: '', reason: row.join(' ').trim().slice(0, 200) });
        return 'NONE';
      }
      for (const note of held) {
        errors.add({ ...note, reason: `${quote(note.reason)} looks like a total or a note, and rows follow it` });
      }
      held = [];
      fitRow(row);
      for (const { column, reason } of isWrong ? [] : (faults ?? [])) {
        complain(names[column] ?? '', reason);
      }
      if (isWrong) {
        return 'NONE';
      }
      if (!columns.isTranslated && checks.some(({ at: place, isOurs }) => !isOurs(row[place] as string))) {
        columns = translate();
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

/** Whether the words and times of a row are ours, which takes a look at each. */
function createChecks<Name extends string>(format: WantedColumns<Name>, { at }: Columns<Name>) {
  const isOurTime = (text: string): boolean => text === '' || isWrittenTime(text);
  return [...format.wanted, ...format.optional].flatMap((name) => {
    const kind = format.words[name];
    if (at[name] < 0 || (kind === undefined && !format.times.includes(name))) {
      return [];
    }
    const words = new Set(['', ...(kind === undefined ? [] : wordsOf[kind])]);
    const isOurWord = (text: string): boolean => words.has(text) || words.has(text.trim().toUpperCase());
    return [{ at: at[name] as number, isOurs: kind === undefined ? isOurTime : isOurWord }];
  });
}

/** The faults of a batch by their row; undefined where there are none, as nearly always. */
export function groupFaults({ faults }: RowBatch): ReadonlyMap<number, Faults> | undefined {
  return faults === undefined || faults.length === 0 ? undefined : Map.groupBy(faults, ({ index }) => index);
}
