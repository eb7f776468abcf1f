/** Rows as a CSV file, read from the API page by page: what a spreadsheet opens as text stays text. */
import { writeCsv } from '../../../src/lib/tables/csv-form.ts';
import type { Operation, ReplyOf, RequestOf } from './query.ts';
import { call } from './query.ts';
import { saveFile } from './save-file.ts';

/** A column: what its head says, and what stands in it. */
export interface CsvColumn<T> {
  readonly head: string;
  readonly value: (row: T) => string | number | undefined;
}

/** The lines of rows. */
export function toCsv<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  return writeCsv(rows.map((row) => columns.map(({ value }) => value(row) ?? '')));
}

/** Reads all pages of a list, one after the other. */
async function* readAll<K extends Operation>(operation: K, request: RequestOf<K>): AsyncGenerator<ReplyOf<K>> {
  let pageToken = '';
  do {
    const reply = await call(operation, { ...(request as object), pageToken } as RequestOf<K>);
    yield reply;
    pageToken = (reply as { nextPageToken?: string }).nextPageToken ?? '';
  } while (pageToken !== '');
}

/** Reads all pages of a list and saves them as a file; `onRows` hears how many are done. */
export async function exportCsv<K extends Operation, T>(
  fileName: string,
  operation: K,
  request: RequestOf<K>,
  rowsOf: (reply: ReplyOf<K>) => readonly T[] | Promise<readonly T[]>,
  columns: readonly CsvColumn<T>[],
  onRows: (count: number) => void,
): Promise<void> {
  const parts: string[] = [`\uFEFF${writeCsv([columns.map(({ head }) => head)])}`];
  let count = 0;
  for await (const reply of readAll(operation, request)) {
    const rows = await rowsOf(reply);
    parts.push(toCsv(columns, rows));
    count += rows.length;
    onRows(count);
  }
  saveFile(fileName, new Blob(parts, { type: 'text/csv;charset=utf-8' }));
}

/** Does the same as JSON, one row a line, each as the server says it. */
export async function exportJson<K extends Operation>(
  fileName: string,
  operation: K,
  request: RequestOf<K>,
  rowsOf: (reply: ReplyOf<K>) => readonly unknown[],
  onRows: (count: number) => void,
): Promise<void> {
  const parts: string[] = [];
  let count = 0;
  for await (const reply of readAll(operation, request)) {
    const rows = rowsOf(reply);
    parts.push(...rows.map((row) => `${JSON.stringify(row)}\n`));
    count += rows.length;
    onRows(count);
  }
  saveFile(fileName, new Blob(parts, { type: 'application/jsonl' }));
}
