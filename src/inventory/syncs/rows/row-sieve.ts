/**
 * Sieve for the rows under a header: rows that are none of the table are left out by rule and named. Left out anywhere: rows without anything,
 * lines of dashes, numbers of pages, and the header or a row from above it once more, as reports write them on each page. Left out at the end and
 * before a header: totals and notes. Where such a row may be one of the table it is refused.
 */
import { type OtherRow, isWide, kindOfOther } from '../../../lib/footer.ts';
import { type RowNote, maxNotesTold, quote } from '../values/index.ts';

/** Rows that were left out. */
export interface SkippedRows {
  readonly count: number;
  /** The first hundred by line; rows without anything that follow each other are one. */
  readonly first: readonly RowNote[];
}

/** Separates the rows of a table from others. */
export interface RowSieve {
  /** True for a row of the table. `line` is where it stands; rows come in their order. */
  isRow(row: readonly string[], line: number): boolean;
  /** What was left out, once all was read. */
  end(): SkippedRows;
}

/** Options for the rows under a header. */
interface SieveOptions {
  /** The columns as they stand there. */
  readonly names: readonly string[];
  readonly headerLine: number;
  /** Rows above the header, or right below it, that are no rows of the table. */
  readonly around: readonly { readonly row: readonly string[]; readonly line: number }[];
  /** Cells at the end of a row may be missing, and rows without anything are not there. */
  readonly isPadded: boolean;
  /** True for a row that cannot be one of the table by what it lacks. */
  readonly lacks: (row: readonly string[]) => boolean;
  /** Told about a row that is refused. */
  readonly refuse: (note: RowNote) => void;
}

/** Totals and notes at the end of a file. */
const maxHeld = 20;
const nothingThere = 'no values';

/** Returns the text of a row, for people. */
function showRow(row: readonly string[]): string {
  return row.join(' ').trim().slice(0, 200);
}

/** Describes a row that is no row of the table, as the summary shows it. */
function describeSkipped(row: readonly string[], line: number): RowNote {
  return { line, column: '', reason: kindOfOther(row) === 'BLANK' ? nothingThere : showRow(row) };
}

const plain = (cell = ''): string => cell.trim().toLowerCase();
/** Text of a row without what differs from page to page. */
const titleOf = (row: readonly string[]): string =>
  row
    .map(plain)
    .join('\t')
    .replace(/(page|seite|página|pagina)\s*:?\s*\d+(\s*(of|von|de|\/)\s*\d+)?/g, '')
    .replace(/\d{1,4}([./:-]\d{1,4})+/g, '')
    .trim();

/** Creates an empty sieve. */
export function createRowSieve(options: SieveOptions): RowSieve {
  const { names, headerLine, around, isPadded, lacks, refuse } = options;
  const titles = new Set(around.map(({ row }) => titleOf(row)).filter((text) => text !== ''));
  // Rows are held against the header by their first column alone, as nearly all differ from it there.
  const keyAt = names.findIndex((name) => name.trim() !== '');
  const key = plain(names[keyAt]);
  const notes: RowNote[] = [];
  let count = 0;
  const keyCode = key.charCodeAt(0) | 32;
  let before = 0;
  let blank: { from: number; to: number } | undefined;
  let held: (RowNote & { readonly isSure: boolean; readonly fields: number })[] = [];

  function skip(note: RowNote): void {
    count++;
    if (notes.length < maxNotesTold) {
      notes.push(note);
    }
  }

  function endBlank(): void {
    if (blank !== undefined) {
      const { from, to } = blank;
      notes.push({ line: from, column: '', reason: from === to ? nothingThere : `${nothingThere}, to line ${to}` });
      blank = undefined;
    }
  }

  function addBlank(from: number, to: number): void {
    count += to - from + 1;
    if (blank !== undefined && blank.to + 1 === from) {
      blank.to = to;
    } else {
      endBlank();
      blank = notes.length < maxNotesTold ? { from, to } : undefined;
    }
  }

  /** Goes on to a line: of a sheet, rows that are not there before it say nothing. */
  function reach(line: number): void {
    if (isPadded) {
      for (const [from, to] of [
        [before + 1, Math.min(line, headerLine) - 1],
        [Math.max(before, headerLine) + 1, line - 1],
      ] as const) {
        if (from <= to) {
          addBlank(from, to);
        }
      }
    }
    before = line;
  }

  /** Leaves out what was held; before a header, what does not say that it is a note may be a heading that says something of the rows below. */
  function takeHeld(isBeforeHeader = false): void {
    for (const { isSure, fields: _, ...note } of held) {
      if (isSure || !isBeforeHeader) {
        skip(note);
      } else {
        const reason = `${quote(note.reason)} stands above the header again: if it says something of the rows below it, give it a column of its own; otherwise remove it`;
        refuse({ ...note, reason });
      }
    }
    held = [];
  }

  function refuseHeld(): void {
    for (const { isSure, fields, ...note } of held) {
      const reason = isSure
        ? `${quote(note.reason)} looks like a total or a note, and rows follow it; remove it from the file`
        : fields === names.length
          ? `${quote(note.reason)} stands alone in its row: fill the other columns, or remove the row if it is a note`
          : `has ${fields} fields where the header has ${names.length}`;
      refuse({ ...note, reason });
    }
    held = [];
  }

  /** Holds a row that is like the header against all of it. */
  function compareHeader(row: readonly string[]): 'SAME' | 'LIKE' | 'NO' {
    const pairs = names.map((name, at) => [plain(name), plain(row[at])] as const);
    const same = pairs.filter(([name, cell]) => name !== '' && name === cell).length;
    const isWhole = pairs.every(([name, cell]) => name === cell) && row.slice(names.length).every((cell) => plain(cell) === '');
    return isWhole ? 'SAME' : same > 1 ? 'LIKE' : 'NO';
  }

  function looksLikeKey(cell: string): boolean {
    const code = cell.charCodeAt(0);
    return (code <= 32 || code === 0xa0 || (code | 32) === keyCode) && plain(cell) === key;
  }

  /** A single cell is no row: it is the name of the report if a note follows it. Of a row as wide as the header only what cannot be a key. */
  function standsAlone(row: readonly string[]): boolean {
    if (names.length < 3 || !(row.length === 1 || held.length > 0 || blank !== undefined || lacks(row))) {
      return false;
    }
    const [text = '', ...others] = row.filter((cell) => cell.trim() !== '');
    const words = text.trim().split(/\s+/).length;
    const isApart = held.length > 0 || blank !== undefined;
    return others.length === 0 && ((row.length === 1 && !isPadded) || (lacks(row) && words >= (isApart ? 2 : 5)));
  }

  function leaveOut(row: readonly string[], line: number, kind: OtherRow): void {
    if (kind === 'BLANK') {
      addBlank(line, line);
      return;
    }
    endBlank();
    skip(describeSkipped(row, line));
  }

  const sieve: RowSieve = {
    isRow(row, line) {
      reach(line);
      const first = row[keyAt] ?? '';
      // Nearly all rows: nothing is held, and the row says too much to be anything else.
      if (held.length === 0 && blank === undefined && titles.size === 0 && isWide(row) && !looksLikeKey(first)) {
        return true;
      }
      const likeness = looksLikeKey(first) ? compareHeader(row) : 'NO';
      if (likeness === 'SAME') {
        takeHeld(true);
        endBlank();
        skip({ line, column: '', reason: `the header again: ${showRow(row)}` });
        return false;
      }
      const kind = kindOfOther(row);
      if (kind !== undefined && kind !== 'NOTE') {
        leaveOut(row, line, kind);
        return false;
      }
      const isTitle = titles.size > 0 && (kind === 'NOTE' || row.length < names.length || lacks(row)) && titles.has(titleOf(row));
      if (isTitle) {
        leaveOut(row, line, 'NOTE');
        return false;
      }
      if (held.length < maxHeld && (kind === 'NOTE' || standsAlone(row))) {
        endBlank();
        held.push({ ...describeSkipped(row, line), isSure: kind === 'NOTE', fields: isPadded ? names.length : row.length });
        return false;
      }
      endBlank();
      refuseHeld();
      if (likeness === 'LIKE') {
        const at = names.findIndex((name, place) => plain(name) !== plain(row[place]));
        const reason = `looks like the header again, and differs from it in ${quote(names[at] ?? '')}; remove the row, or make it equal to the header`;
        refuse({ line, column: '', reason });
        return false;
      }
      return true;
    },
    end() {
      if (held.some(({ isSure }) => isSure)) {
        takeHeld();
      }
      refuseHeld();
      endBlank();
      return { count, first: notes.sort((a, b) => a.line - b.line).slice(0, maxNotesTold) };
    },
  };
  for (const { row, line } of around) {
    reach(line);
    leaveOut(row, line, kindOfOther(row) === 'BLANK' ? 'BLANK' : 'NOTE');
  }
  return sieve;
}
