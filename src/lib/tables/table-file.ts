/**
 * Kind of table in the bytes of a file, known by the first of them and not by a name: CSV, or an Excel file. Loads no reader of Excel files; those
 * are in xlsx.ts.
 */
import { type CsvBatch, type CsvLimits, readCsv, type TextForm } from './csv.ts';
import { sayForeign } from './foreign-file.ts';
import { type Peeked, peekBytes, type TextEncoding } from './text-encoding.ts';
import { XlsxError } from './xlsx-error.ts';

const zipMark = Buffer.from('PK\u0003\u0004', 'latin1');

/** The sheet that is asked for, '' for the first, and what the caller calls that choice. */
export interface SheetChoice {
  readonly sheet: string;
  readonly option: string;
}

/**
 * Detects an Excel file and returns all its bytes. Throws an XlsxError for a file that holds no table we read, and where a sheet is asked for that no CSV file has.
 */
export async function peekTable(
  source: AsyncIterable<Buffer>,
  { sheet, option }: SheetChoice,
): Promise<{ readonly isExcel: boolean; readonly all: Peeked }> {
  const { head, all } = await peekBytes(source);
  const isExcel = head.subarray(0, zipMark.length).equals(zipMark);
  const refusal =
    sayForeign(head) ?? (!isExcel && sheet !== '' ? `${option} names a sheet, but the file is not an Excel file (.xlsx)` : undefined);
  if (refusal !== undefined) {
    await all.return();
    throw new XlsxError(refusal);
  }
  return { isExcel, all };
}

/** The rows of a CSV file in the encoding that is asked for, or the one it shows, and how its text is written as far as it was read. */
export function openCsv(
  all: AsyncIterable<Buffer>,
  limits: CsvLimits,
  encoding: TextEncoding | undefined,
): {
  readonly batches: AsyncIterable<CsvBatch>;
  form(): { readonly encoding: string; readonly separator: string };
  /** The first word that looks as if it were encoded twice, as far as it was read. */
  twice(): TextForm['twice'];
} {
  const form: TextForm = { separator: '', ...(encoding !== undefined && { asked: encoding }) };
  return {
    batches: readCsv(all, limits, form),
    form: () => ({ encoding: form.encoding ?? 'UTF-8', separator: form.separator }),
    twice: () => form.twice,
  };
}
