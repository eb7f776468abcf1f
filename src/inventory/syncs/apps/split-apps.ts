/**
 * Splitting a file of several apps by its column of apps: every row goes to the part of its app, in the order of the file and under the same header.
 * Nothing is given on before the whole file was read.
 */
import { findErrorValue } from '../../../lib/tables/cell-text.ts';
import { getNameKey } from '../../../lib/names/same-name.ts';
import { type Faults, type OpenRows, type RowBatch, createRowSieve, groupFaults, nextBatch, takeHead } from '../rows/index.ts';
import { findNamedRow } from '../columns/index.ts';
import { type HowRead, createNoteList, isSurelyNothing, quote, refuseFile, refuseRows } from '../values/index.ts';
import { type AppColumn, findAppColumn } from './app-column.ts';
import { type PartSpool, openPartSpool } from './part-spool.ts';

/** The rows of one app. */
export interface AppPart {
  /** The app as its first row spells it. */
  readonly name: string;
  readonly rowCount: number;
  /** Returns its rows under the header of the file, with their lines there; to be read once for each call. */
  open(): OpenRows;
}

/** A file that was split. */
export interface SplitFile {
  /** The header of the column of apps. */
  readonly column: string;
  /** Form of the file as a whole, and what was left out of it. */
  readonly howRead: HowRead;
  /** In the order in which the file first names them. */
  readonly parts: readonly AppPart[];
  /** Gives up the parts; to be called whatever happens. */
  close(): Promise<void>;
}

/** Most apps of a file: more of them are no apps. */
const maxApps = 1000;

/** Splits a file by its column of apps, which is found by its name where it is undefined. INVALID_ARGUMENT, with the first hundred lines that are wrong, for a file that cannot be split. */
export async function splitByApp(source: OpenRows, column: string | undefined, headerLine?: number): Promise<SplitFile> {
  const spool = await openPartSpool();
  const batches = source.batches[Symbol.asyncIterator]();
  try {
    return await fillParts(source, batches, { column, headerLine }, spool);
  } catch (error) {
    await spool.close();
    throw error;
  } finally {
    await batches.return?.();
  }
}

async function fillParts(
  source: OpenRows,
  batches: AsyncIterator<RowBatch>,
  { column, headerLine: named }: { readonly column: string | undefined; readonly headerLine: number | undefined },
  spool: PartSpool,
): Promise<SplitFile> {
  const head = await takeHead(batches, named);
  const rows = head.batches.flatMap((batch) => batch.rows);
  const lines = head.batches.flatMap((batch) => batch.lines);
  if (rows.length === 0) {
    throw refuseFile('the file is empty');
  }
  const found = findAppColumn(rows, column, named === undefined ? undefined : findNamedRow(lines, named));
  const header = rows[found.header] as string[];
  const headerLine = lines[found.header] as number;
  const isPadded = source.format === 'XLSX';
  const reader = createRowReader(header, found, isPadded);
  const sieve = createRowSieve({
    names: header,
    headerLine,
    around: rows.slice(0, found.header).map((row, at) => ({ row, line: lines[at] as number })),
    isPadded,
    lacks: (row) => (row[found.at] ?? '').trim() === '',
    refuse: ({ line, column: at, reason }) => reader.complain(line, at, reason),
  });
  const parts = new Map<string, { readonly name: string; readonly number: number; rowCount: number }>();
  let toSkip = found.header + 1;
  for (let batch = await nextBatch(head, batches); batch !== undefined; batch = await nextBatch(head, batches)) {
    const faults = groupFaults(batch);
    for (const [index, row] of batch.rows.entries()) {
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      const line = batch.lines[index] as number;
      if (!sieve.isRow(row, line)) {
        continue;
      }
      const app = reader.readApp(row, line, faults?.get(index));
      // Once something is wrong the file is only read on for what else is.
      if (app === undefined || reader.hasErrors()) {
        continue;
      }
      const key = getNameKey(app);
      const part = parts.get(key) ?? { name: app.trim(), number: parts.size, rowCount: 0 };
      if (part.number === maxApps) {
        throw refuseFile(
          `the column ${quote(found.name)} names more than ${maxApps.toLocaleString('en')} apps; if it does not name apps, say which column does`,
        );
      }
      parts.set(key, part);
      row[found.at] = part.name;
      part.rowCount++;
      spool.add(part.number, row, line, faults?.get(index));
    }
    await spool.flush();
  }
  const skipped = sieve.end();
  reader.refuseErrors();
  if (parts.size === 0) {
    throw refuseFile('the file has a header and no rows');
  }
  await spool.flush(true);
  const { format, sheets, form, sha256 } = source;
  const noMore = () => Promise.resolve();
  return {
    column: found.name,
    howRead: {
      ...form(),
      headerLine,
      preset: '',
      mapping: {},
      guessed: [],
      constants: {},
      values: [],
      dateOrder: '',
      skipped: skipped.first,
      skippedCount: skipped.count,
    },
    parts: [...parts.values()].map(({ name, number, rowCount }) => ({
      name,
      rowCount,
      open: () => ({ format, sheets, form, sha256, close: noMore, batches: readPart(spool, number, header, headerLine) }),
    })),
    close: spool.close,
  };
}

async function* readPart(spool: PartSpool, part: number, header: readonly string[], line: number): AsyncGenerator<RowBatch> {
  yield { rows: [[...header]], lines: [line], isPlain: false };
  yield* spool.read(part);
}

/** Reads the app of rows one after the other, and notes what is wrong with them. */
function createRowReader(header: readonly string[], { at, name }: AppColumn, isExcel: boolean) {
  const errors = createNoteList();
  let hasErrors = false;
  const complain = (line: number, column: string, reason: string): undefined => {
    hasErrors = true;
    errors.add({ line, column, reason });
  };
  return {
    complain,
    /** Returns the app of a row; undefined for one that is wrong. */
    readApp(row: string[], line: number, faults: Faults | undefined): string | undefined {
      while (row.length > header.length && row[row.length - 1] === '') {
        row.pop();
      }
      while (isExcel && row.length < header.length) {
        row.push('');
      }
      if (row.length !== header.length) {
        return complain(line, '', `has ${row.length} fields where the header has ${header.length}`);
      }
      // What is wrong with other cells is for the app, which knows what its columns are.
      const fault = faults?.find(({ column, isOfIds = false }) => column === at && !isOfIds);
      if (fault !== undefined) {
        return complain(line, name, fault.reason);
      }
      const app = row[at] ?? '';
      const named = app.trim();
      const error = findErrorValue(named);
      if (error !== undefined) {
        return complain(line, name, error);
      }
      return named === '' || isSurelyNothing(named)
        ? complain(line, name, `must name the app of the row${named === '' ? '' : `, and holds ${quote(named)}`}`)
        : app;
    },
    hasErrors: () => hasErrors,
    refuseErrors(): void {
      if (hasErrors) {
        throw refuseRows(errors.list());
      }
    },
  };
}
