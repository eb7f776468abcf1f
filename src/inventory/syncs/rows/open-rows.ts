/**
 * The rows of an upload, whatever it is: CSV as it comes, or an Excel file, which has to be on disk as a whole before it can be read. Known
 * by its first bytes, not by its name.
 */
import { C1zError } from '../../../lib/c1z/c1z-error.ts';
import { type CsvBatch, CsvError } from '../../../lib/tables/csv.ts';
import { openSource, SourceError } from '../../../lib/tables/csv-source.ts';
import { openCsv, peekTable } from '../../../lib/tables/table-file.ts';
import type { TextEncoding } from '../../../lib/tables/text-encoding.ts';
import { openXlsx, type SheetBatch, XlsxError, ZipError } from '../../../lib/tables/xlsx.ts';
import { AppError, isAppError } from '../../../errors.ts';
import { fileLimits, refuseFile } from '../values/index.ts';
import { openSpool, type Spool } from './spool.ts';
import type { SentFile } from './upload.ts';

/** Rows of a file, and the cells of an Excel file that hold nothing to take over. */
export type RowBatch = CsvBatch & { readonly faults?: SheetBatch['faults']; readonly doubts?: SheetBatch['doubts'] };

/** An upload that is being read. */
export interface OpenRows {
  /** '' where the rows come from no file. */
  readonly format: 'CSV' | 'XLSX' | 'C1Z' | '';
  /** The names of the sheets of an Excel file. */
  readonly sheets: readonly string[];
  /** The first row is the header and every other one a row of it: no title, totals or notes. */
  readonly isExact?: boolean;
  /** Encoding and separator, as far as it was read; '' for an Excel file. */
  form(): { readonly encoding: string; readonly separator: string };
  /** The first word that looks as if it were encoded twice, as far as it was read. */
  twice?(): { readonly line: number; readonly word: string } | undefined;
  /** To be read once. */
  readonly batches: AsyncIterable<RowBatch>;
  /** SHA-256 in hex of the file without its gzip; '' before all of it was read. */
  sha256(): string;
  /** Gives up the temporary files and what was not read; to be called whatever happens. */
  close(): Promise<void>;
}

/** Opens an upload; `sheet` is the sheet of an Excel file, the first where it is ''. What it throws, then and later, translateFileError makes known. */
export async function openRows(upload: SentFile, sheet: string, encoding?: TextEncoding): Promise<OpenRows> {
  const source = openSource(upload.body, upload.encoding, fileLimits);
  const { isExcel, all } = await peekTable(source.pieces, { sheet, option: 'sheet' });
  if (!isExcel) {
    const close = async () => {
      await all.return();
    };
    return { format: 'CSV', sheets: [], ...openCsv(all, fileLimits, encoding), sha256: source.sha256, close };
  }
  const spools: Spool[] = [];
  const close = async () => {
    await Promise.all(spools.map((spool) => spool.close()));
  };
  try {
    const file = await openSpool();
    spools.push(file);
    for await (const piece of all) {
      await file.append(piece);
    }
    const workbook = await openXlsx(file.fd, file.size(), fileLimits);
    const scratch = await openSpool();
    spools.push(scratch);
    const form = () => ({ encoding: '', separator: '' });
    return { format: 'XLSX', sheets: workbook.sheets, form, batches: workbook.rows(sheet, scratch), sha256: source.sha256, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Turns an upload's read error into the one clients get. */
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
  if (error instanceof C1zError) {
    return error.reason === 'size'
      ? new AppError('PAYLOAD_TOO_LARGE', `Nothing was imported: ${error.message}.`)
      : refuseFile(error.message);
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
