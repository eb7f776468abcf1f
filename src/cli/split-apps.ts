/**
 * Splitting a file of several apps into a file for each: every row goes to that of its app, in the order of the file and under the same header.
 * Nothing is given on before the whole file was read. The parts wait in a folder, so that memory holds a few megabytes whatever the size.
 */
import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { separatorNames } from '../lib/csv-separator.ts';
import { isFooter } from '../lib/footer.ts';
import { getNameKey } from '../lib/name-key.ts';
import { type AppColumn, findAppColumn, headerRows } from './app-column.ts';
import { CommandFailure } from './io.ts';
import type { Table, TableBatch } from './open-table.ts';

/** The rows of one app. */
export interface AppPart {
  /** The app as its first row spells it. */
  readonly name: string;
  /** A CSV file in UTF-8. */
  readonly path: string;
  readonly rows: number;
  /** The line of the whole file that a line of the part comes from; the same number where there is none. */
  lineOf(line: number): Promise<number>;
}

/** A file that was split. */
export interface SplitFile {
  /** The header of the column of apps. */
  readonly column: string;
  readonly headerLine: number;
  readonly encoding: string;
  /** '' for an Excel file. */
  readonly separator: string;
  /** In the order in which the file first names them. */
  readonly parts: readonly AppPart[];
  /** Titles before the header, totals and notes after the rows. */
  readonly skipped: readonly { readonly line: number; readonly text: string }[];
}

/** What is asked of the splitting. */
export interface SplitOptions {
  /** The name of the column of apps; found by itself where undefined. */
  readonly column: string | undefined;
  /** Where the parts are written. */
  readonly folder: string;
  /** Ends it with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Most apps of a file. */
  readonly maxApps?: number;
}

/** A file names no more apps than this: more of them are no apps. */
const mostApps = 1000;
/** So much waits in memory, of all parts together. */
const maxPendingBytes = 8 * 1024 * 1024;
const maxErrorsTold = 100;
const maxFooterRows = 20;
const lineBytes = 8;

interface GrowingPart {
  readonly name: string;
  readonly path: string;
  rows: number;
  text: string[];
  /** For each line of the text, the line of the file. */
  lines: number[];
}

/** Splits a file by its column of apps. CommandFailure, with the first hundred lines that are wrong, for one that cannot be; UsageError where the column is not known. */
export async function splitByApp(table: Table, { column, folder, signal, maxApps = mostApps }: SplitOptions): Promise<SplitFile> {
  const batches = table.batches[Symbol.asyncIterator]();
  const head = await takeHead(batches);
  const rows = head.flatMap((batch) => batch.rows);
  const lines = head.flatMap((batch) => batch.lines);
  if (rows.length === 0) {
    throw new CommandFailure('Nothing was imported: the file is empty.');
  }
  const found = findAppColumn(rows, column);
  const header = rows[found.header] as string[];
  const headerLine = lines[found.header] as number;
  const skipped = rows.slice(0, found.header).map((row, at) => ({ line: lines[at] as number, text: tellRow(row) }));
  const reader = createRowReader(header, found, table.isExcel);
  const separator = separatorOf(table.form().separator);
  const parts = new Map<string, GrowingPart>();
  let pending = 0;

  const partOf = async (app: string): Promise<GrowingPart> => {
    const key = getNameKey(app);
    const known = parts.get(key);
    if (known !== undefined) {
      return known;
    }
    if (parts.size === maxApps) {
      throw new CommandFailure(
        `Nothing was imported: the column ${JSON.stringify(found.name)} names more than ${maxApps.toLocaleString('en')} apps. If it does not name apps, pass --app-column with the column that does.`,
      );
    }
    const part = { name: app.trim(), path: join(folder, `${parts.size + 1}.csv`), rows: 0, text: [], lines: [] };
    parts.set(key, part);
    append(part, header, headerLine);
    return part;
  };
  const append = (part: GrowingPart, row: readonly string[], line: number): void => {
    const text = writeRow(row, separator);
    part.text.push(text);
    pending += text.length * 2;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      part.lines.push(line);
      pending += lineBytes;
    }
  };

  let toSkip = found.header + 1;
  for (let batch = head.shift() ?? (await nextOf(batches)); batch !== undefined; batch = head.shift() ?? (await nextOf(batches))) {
    signal?.throwIfAborted();
    const faults = Map.groupBy(batch.faults ?? [], ({ index }) => index);
    for (const [index, row] of batch.rows.entries()) {
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      const line = batch.lines[index] as number;
      const app = reader.readApp(row, line, faults.get(index));
      // Once something is wrong the file is only read on for what else is.
      if (app !== undefined && !reader.hasErrors()) {
        const part = await partOf(app);
        row[found.at] = part.name;
        append(part, row, line);
        part.rows++;
      }
    }
    if (pending > maxPendingBytes) {
      await writeParts(parts.values());
      pending = 0;
    }
  }
  reader.refuseErrors();
  if (parts.size === 0) {
    throw new CommandFailure('Nothing was imported: the file has a header and no rows.');
  }
  await writeParts(parts.values());
  const { encoding, separator: separatorName } = table.form();
  return {
    column: found.name,
    headerLine,
    encoding,
    separator: separatorName,
    parts: [...parts.values()].map(({ name, path, rows: count }) => ({
      name,
      path,
      rows: count,
      lineOf: (line) => readLine(linesOf(path), line),
    })),
    skipped: [...skipped, ...reader.footer()],
  };
}

/** The first batches, of so many rows that the header can be found. */
async function takeHead(batches: AsyncIterator<TableBatch>): Promise<TableBatch[]> {
  const head: TableBatch[] = [];
  for (let count = 0; count < headerRows; ) {
    const batch = await nextOf(batches);
    if (batch === undefined) {
      break;
    }
    head.push(batch);
    count += batch.rows.length;
  }
  return head;
}

async function nextOf(batches: AsyncIterator<TableBatch>): Promise<TableBatch | undefined> {
  const next = await batches.next();
  return next.done === true ? undefined : next.value;
}

function separatorOf(name: string): string {
  const code = [...separatorNames].find(([, one]) => one === name)?.[0];
  return code === undefined ? ',' : String.fromCharCode(code);
}

/** Reads the app of rows one after the other, and notes what is wrong with them. */
function createRowReader(header: readonly string[], { at, name }: AppColumn, isExcel: boolean) {
  const errors: string[] = [];
  let errorCount = 0;
  let held: { line: number; text: string }[] = [];
  const complain = (line: number, reason: string): undefined => {
    errorCount++;
    if (errors.length < maxErrorsTold) {
      errors.push(`  line ${line}${reason}`);
    }
  };
  return {
    /** The app of a row; undefined for one that is wrong, and for a total. */
    readApp(row: string[], line: number, faults: TableBatch['faults']): string | undefined {
      if (held.length < maxFooterRows && isFooter(row)) {
        held.push({ line, text: tellRow(row) });
        return undefined;
      }
      for (const note of held) {
        complain(note.line, `: ${JSON.stringify(note.text)} looks like a total or a note, and rows follow it`);
      }
      held = [];
      while (row.length > header.length && row[row.length - 1] === '') {
        row.pop();
      }
      while (isExcel && row.length < header.length) {
        row.push('');
      }
      if (row.length !== header.length) {
        return complain(line, `: has ${row.length} fields where the header has ${header.length}`);
      }
      for (const { column, reason } of faults ?? []) {
        complain(line, `, ${header[column]?.trim() ?? ''}: ${reason}`);
      }
      if (faults !== undefined) {
        return undefined;
      }
      const app = row[at] ?? '';
      return app.trim() === '' ? complain(line, `, ${name}: must name the app of the row`) : app;
    },
    hasErrors: () => errorCount > 0,
    refuseErrors(): void {
      if (errorCount > 0) {
        const told = errorCount > errors.length ? ` The first ${errors.length} are listed.` : '';
        throw new CommandFailure(
          `Nothing was imported: the file has ${errorCount.toLocaleString('en')} row ${errorCount === 1 ? 'error' : 'errors'}.${told}\n${errors.join('\n')}`,
        );
      }
    },
    footer: () => held,
  };
}

function tellRow(row: readonly string[]): string {
  return row.join(' ').trim().slice(0, 200);
}

/** A row as CSV. Whatever could be taken for a separator stands in quotes, so that the part is read as the whole was. */
function writeRow(row: readonly string[], separator: string): string {
  return `${row.map((cell) => (/["\r\n,;|\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)}\n`;
}

const linesOf = (path: string): string => `${path}.lines`;

/** Appends what waits to the parts. One after the other: a process may not have as many files open as there are apps. */
async function writeParts(parts: Iterable<GrowingPart>): Promise<void> {
  for (const part of parts) {
    if (part.text.length > 0) {
      await appendFile(part.path, part.text.join(''), { mode: 0o600 });
      const lines = new Float64Array(part.lines);
      await appendFile(linesOf(part.path), Buffer.from(lines.buffer), { mode: 0o600 });
      part.text = [];
      part.lines = [];
    }
  }
}

async function readLine(path: string, line: number): Promise<number> {
  const file = await open(path, 'r');
  try {
    const place = new Float64Array(1);
    const { bytesRead } = await file.read(new Uint8Array(place.buffer), 0, lineBytes, (line - 1) * lineBytes);
    return line < 1 || bytesRead < lineBytes ? line : (place[0] as number);
  } finally {
    await file.close();
  }
}
