/**
 * The rows of an upload, whatever it is: CSV as it comes, or an Excel file, which has to be on disk as a whole before it can be read. Known
 * by its first bytes, not by its name.
 */
import { type CsvBatch, CsvError } from '../../lib/csv.ts';
import { openSource, SourceError } from '../../lib/csv-source.ts';
import { openCsv, peekTable } from '../../lib/table-file.ts';
import type { TextEncoding } from '../../lib/text-encoding.ts';
import { openXlsx, type SheetBatch, XlsxError, ZipError } from '../../lib/xlsx.ts';
import { AppError, isAppError } from '../../errors.ts';
import { fileLimits } from './limits.ts';
import { refuseFile } from './notes.ts';
import { openSpool, type Spool } from './spool.ts';
import type { Upload } from './upload.ts';

/** Rows of a file, and the cells of an Excel file that hold nothing to take over. */
export type RowBatch = CsvBatch & { readonly faults?: SheetBatch['faults'] };

/** An upload that is being read. */
export interface OpenRows {
  readonly format: 'CSV' | 'XLSX';
  /** The names of the sheets of an Excel file. */
  readonly sheets: readonly string[];
  /** How the text is written, as far as it was read; '' for an Excel file. */
  form(): { readonly encoding: string; readonly separator: string };
  /** To be read once. */
  readonly batches: AsyncIterable<RowBatch>;
  /** SHA-256 in hex of the file without its gzip; '' before all of it was read. */
  sha256(): string;
  /** Gives up the temporary files; to be called whatever happens. */
  close(): Promise<void>;
}

/** Opens an upload; `sheet` is the sheet of an Excel file, the first where it is ''. What it throws, then and later, translateFileError makes known. */
export async function openRows(upload: Upload, sheet: string, encoding?: TextEncoding): Promise<OpenRows> {
  const source = openSource(upload.body, upload.encoding, fileLimits);
  const { isExcel, all } = await peekTable(source.pieces, { sheet, option: 'sheet' });
  if (!isExcel) {
    return { format: 'CSV', sheets: [], ...openCsv(all, fileLimits, encoding), sha256: source.sha256, close: () => Promise.resolve() };
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
