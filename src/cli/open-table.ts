/**
 * The rows of a file read on this machine, where the command line has to know what it says before it is sent: CSV, plain or gzip, or Excel.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type CsvBatch, CsvError } from '../lib/csv.ts';
import { openSource, SourceError } from '../lib/csv-source.ts';
import { openCsv, peekTable } from '../lib/table-file.ts';
import type { TextEncoding } from '../lib/text-encoding.ts';
import type { SheetBatch } from '../lib/xlsx.ts';
import { XlsxError } from '../lib/xlsx-error.ts';
import { ZipError } from '../lib/zip-error.ts';
import { inputStream } from './input-file.ts';
import { CommandFailure, type CommandIo } from './io.ts';

/** Some rows with the lines they begin on; of an Excel file with the cells that hold nothing to take over. */
export type TableBatch = CsvBatch & { readonly faults?: SheetBatch['faults'] };

/** A file whose rows are being read. */
export interface Table {
  readonly isExcel: boolean;
  /** How the text is written, as far as it was read; '' for an Excel file. */
  form(): { readonly encoding: string; readonly separator: string };
  /** To be read once. */
  readonly batches: AsyncIterable<TableBatch>;
}

/** What is asked of the file. */
export interface TableOptions {
  /** The sheet of an Excel file; the first where it is ''. */
  readonly sheet: string;
  readonly encoding?: TextEncoding;
  /** An empty folder of the caller's, which the caller removes: an Excel file has to be there as a whole. */
  readonly folder: string;
  readonly onBytes: (read: number, size: number) => void;
}

/** The same as the server has, which reads the parts again. */
const limits = {
  maxBytes: 20 * 1024 ** 3,
  maxExpansion: 100,
  /** Whoever writes to standard input may take their time. */
  stallMs: 2 ** 31 - 1,
  maxRowBytes: 64 * 1024,
  maxParts: 10_000,
  maxTexts: 10_000_000,
  batchBytes: 256 * 1024,
} as const;

/** Opens a file, or standard input for `-`, and gives its rows to `work`. CommandFailure for what cannot be read, then and later. */
export async function readTable<T>(io: CommandIo, path: string, options: TableOptions, work: (table: Table) => Promise<T>): Promise<T> {
  const { stream, size } = await inputStream(io, path);
  const opened: { close(): Promise<void> }[] = [];
  try {
    return await work(await openTable(stream, size, options, opened));
  } catch (error) {
    throw translate(error);
  } finally {
    await Promise.all(opened.map((one) => one.close()));
    if (stream !== io.stdin) {
      stream.destroy();
    }
  }
}

async function openTable(stream: Readable, size: number, options: TableOptions, opened: { close(): Promise<void> }[]): Promise<Table> {
  const { sheet, encoding, folder, onBytes } = options;
  const counted = Readable.from(countBytes(stream, size, onBytes), { objectMode: false });
  const { isExcel, all } = await peekTable(openSource(counted, '', limits).pieces, { sheet, option: '--sheet' });
  if (!isExcel) {
    return { isExcel, ...openCsv(all, limits, encoding) };
  }
  const whole = await open(join(folder, 'whole.xlsx'), 'wx+', 0o600);
  opened.push(whole);
  let position = 0;
  for await (const piece of all) {
    await whole.writeFile(piece);
    position += piece.length;
  }
  // Loaded for an Excel file alone: its readers are most of what this command would load.
  const { openXlsx } = await import('../lib/xlsx.ts');
  const workbook = await openXlsx(whole.fd, position, limits);
  const texts = await open(join(folder, 'texts'), 'wx+', 0o600);
  opened.push(texts);
  const scratch = { fd: texts.fd, append: (bytes: Buffer) => texts.writeFile(bytes) };
  return { isExcel, form: () => ({ encoding: '', separator: '' }), batches: workbook.rows(sheet, scratch) };
}

async function* countBytes(stream: Readable, size: number, onBytes: TableOptions['onBytes']): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    read += piece.length;
    onBytes(read, size);
    yield piece;
  }
}

function translate(error: unknown): unknown {
  if (error instanceof CsvError) {
    return new CommandFailure(`Nothing was imported: line ${error.line}: ${error.message}.`);
  }
  if (error instanceof XlsxError) {
    return new CommandFailure(`Nothing was imported: ${error.row === undefined ? '' : `line ${error.row}: `}${error.message}.`);
  }
  return error instanceof SourceError || error instanceof ZipError ? new CommandFailure(`Nothing was imported: ${error.message}.`) : error;
}
