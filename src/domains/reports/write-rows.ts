/** Items written as pieces of a CSV (RFC 4180) or JSON file. The pieces of a report, one after another, are the file. */
import { stringify } from 'csv-stringify/sync';
import type { ReportColumn, ReportItem } from './columns.ts';

/** How one kind of file begins, goes on and ends. `isFirst` shows that no row was written before. */
export interface RowWriter {
  begin(columns: readonly ReportColumn[]): string;
  rows(columns: readonly ReportColumn[], items: readonly ReportItem[], isFirst: boolean): string;
  end(): string;
}

/** Cells that a spreadsheet would take for a formula are prefixed with an apostrophe. */
const csvOptions = { record_delimiter: 'windows', escape_formulas: true } as const;

const csv: RowWriter = {
  begin: (columns) => stringify([columns.map((column) => column.heading)], csvOptions),
  rows: (columns, items) =>
    stringify(
      items.map((item) => columns.map((column) => column.text(item))),
      csvOptions,
    ),
  end: () => '',
};

/** An array of objects, one a line. The outcome of an item is always there, whatever columns are chosen. */
const json: RowWriter = {
  begin: () => '[',
  rows(columns, items, isFirst) {
    const lines = items.map((item) => {
      const { taskId, state, outcome, endReason } = item.row;
      const cells = columns.map((column) => [column.member, column.value(item)] as const);
      return JSON.stringify({ taskId, state, outcome, endReason, ...Object.fromEntries(cells) });
    });
    return lines.length === 0 ? '' : `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`;
  },
  end: () => '\n]\n',
};

/** The writer of each format. */
export const rowWriters = { CSV: csv, JSON: json } as const;
