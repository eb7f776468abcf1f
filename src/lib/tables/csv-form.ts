/**
 * Rows as CSV (RFC 4180), for every place that writes it for people: reports and the command line. Whatever a cell holds, it stays one cell
 * of one row, and no spreadsheet runs it. Reading is csv.ts.
 */
import { stringify } from 'csv-stringify/sync';

/** Every character that some reader takes for the end of a line. */
const lineBreaks = '\\n\\v\\f\\r\\u0085\\u2028\\u2029';

/**
 * The beginning of a formula: at the start of the cell, of a line in it, or behind a semicolon or tab, which many spreadsheets take for the end
 * of a cell. Blanks, quotes and apostrophes before it do not hold them off.
 */
const formulaStart = new RegExp(
  `(^|[;\\t${lineBreaks}])([\\s"\\u200B-\\u200F\\u2060\\uFEFF]*)(?=[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20])`,
  'g',
);

const hasBreak = new RegExp(`[;\\t${lineBreaks}]`);

/** A tab or a return at the start is what a spreadsheet drops before it reads on. */
const droppedStart = /^[\t\r]/;

/** The text with an apostrophe before everything in it that a spreadsheet would take for a formula. */
function defuseFormulas(text: string): string {
  const defused = text.replace(formulaStart, "$&'");
  return droppedStart.test(defused) ? `'${defused}` : defused;
}

/** The rows as lines that end in CRLF. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : defuseFormulas(cell))));
  // A row of one empty cell would be an empty line, which readers skip.
  const isNarrow = cells.every((row) => row.length < 2);
  return stringify(cells, { record_delimiter: 'windows', quoted_match: hasBreak, quoted_empty: isNarrow });
}
