/**
 * The rows of an upload, whatever it is: CSV as it comes, or an Excel file, which has to be on disk as a whole before it can be read. Known
 * by its first bytes, not by its name.
 */
import { type CsvBatch, CsvError, readCsv } from '../../lib/csv.ts';
import { openSource, SourceError } from '../../lib/csv-source.ts';
import { openXlsx, type SheetBatch, XlsxError, ZipError } from '../../lib/xlsx.ts';
import { AppError, isAppError } from '../../errors.ts';
import { fileLimits } from './limits.ts';
import { refuseFile } from './notes.ts';
import type { Upload } from './read-file.ts';
import { openSpool, type Spool } from './spool.ts';

/** Rows of a file, and the cells of an Excel file that hold nothing to take over. */
export type RowBatch = CsvBatch & { readonly faults?: SheetBatch['faults'] };

/** An upload that is being read. */
export interface OpenRows {
  readonly format: 'CSV' | 'XLSX';
  /** The names of the sheets of an Excel file. */
  readonly sheets: readonly string[];
  /** To be read once. */
  readonly batches: AsyncIterable<RowBatch>;
  /** SHA-256 in hex of the file without its gzip; '' before all of it was read. */
  sha256(): string;
  /** Gives up the temporary files; to be called whatever happens. */
  close(): Promise<void>;
}

const zipMark = Buffer.from('PK\u0003\u0004', 'latin1');
/** What .xls files begin with, and Excel files with a password. */
const oldExcelMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Opens an upload; `sheet` is the sheet of an Excel file, the first where it is ''. What it throws, then and later, translateFileError makes known. */
export async function openRows(upload: Upload, sheet: string): Promise<OpenRows> {
  const source = openSource(upload.body, upload.encoding, fileLimits);
  const pieces = source.pieces[Symbol.asyncIterator]();
  const { head, rest } = await peek(pieces, oldExcelMark.length);
  if (head.subarray(0, oldExcelMark.length).equals(oldExcelMark)) {
    throw new XlsxError('the file is an old Excel file (.xls), or has a password; save it as .xlsx without a password, or as CSV');
  }
  const isZip = head.subarray(0, zipMark.length).equals(zipMark);
  if (!isZip) {
    if (sheet !== '') {
      throw new XlsxError('sheet names a sheet, but the file is not an Excel file (.xlsx)');
    }
    return { format: 'CSV', sheets: [], batches: readCsv(rest, fileLimits), sha256: source.sha256, close: () => Promise.resolve() };
  }
  const spools: Spool[] = [];
  const close = async () => {
    await Promise.all(spools.map((spool) => spool.close()));
  };
  try {
    const file = await openSpool();
    spools.push(file);
    for await (const piece of rest) {
      await file.append(piece);
    }
    const workbook = await openXlsx(file.fd, file.size(), fileLimits);
    const scratch = await openSpool();
    spools.push(scratch);
    return { format: 'XLSX', sheets: workbook.sheets, batches: workbook.rows(sheet, scratch), sha256: source.sha256, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first bytes, and all bytes with them. */
async function peek(pieces: AsyncIterator<Buffer>, length: number): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  let head: Buffer = Buffer.alloc(0);
  let isEnd = false;
  while (head.length < length && !isEnd) {
    const next = await pieces.next();
    isEnd = next.done === true;
    head = next.done === true ? head : head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) {
        yield head;
      }
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
        yield next.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
  return { head, rest: all() };
}

/** What reading an upload throws, as it is reported to a client. */
export function translateFileError(error: unknown): unknown {
  if (isAppError(error)) {
    return error;
  }
  if (error instanceof CsvError) {
    return refuseFile(error.message, error.line);
  }
  if (error instanceof XlsxError) {
    return refuseFile(error.message, error.row);
  }
  if (error instanceof SourceError && error.reason === 'encoding') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', `Nothing was imported: ${error.message}.`);
  }
  if (error instanceof SourceError || error instanceof ZipError) {
    return error.reason === 'size'
      ? new AppError('PAYLOAD_TOO_LARGE', `Nothing was imported: ${error.message}.`)
      : refuseFile(error.message);
  }
  return error;
}
