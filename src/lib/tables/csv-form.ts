/**
 * Rows as CSV (RFC 4180), for every place that writes it for people: reports, the command line, and the console, so that it needs nothing but the
 * language. Whatever a cell holds, it stays one cell of one row, and no spreadsheet runs it. Reading is csv.ts.
 */
import { showAlone } from '../names/visible-text.ts';
import { defuseFormulas, lineBreaks } from './formulas.ts';

const needsQuotes = new RegExp(`[",;\\t${lineBreaks}\\uFEFF]`);

function writeCell(cell: string | number, isNarrow: boolean): string {
  const text = typeof cell === 'number' ? String(cell) : defuseFormulas(showAlone(cell));
  return needsQuotes.test(text) || (isNarrow && text === '') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as lines that end in CRLF. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  // A row of one empty cell would be an empty line, which readers skip.
  const isNarrow = rows.every((row) => row.length < 2);
  return rows.map((row) => `${row.map((cell) => writeCell(cell, isNarrow)).join(',')}\r\n`).join('');
}
