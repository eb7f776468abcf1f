/** The sheets of decisions: every item of the review with the columns of the report. */
import { columnsNamed, readItems, rowsPerPiece } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';
import { besides } from './items/index.ts';

/** Columns of many words. */
const wideWidth = 40;
const numberWidth = 10;

export const decisionsSheet: ReportSheet = {
  name: 'Decisions',
  isSplit: true,
  columns(place) {
    const columns = columnsNamed(place.report.columns);
    return [
      ...columns.map(({ name, heading }) => ({ heading, width: widths[name] ?? 20 })),
      ...besides(columns, place).map(({ heading }) => ({ heading })),
    ];
  },
  async read(context, place, after) {
    const columns = columnsNamed(place.report.columns);
    const beside = besides(columns, place);
    const items = await readItems(context, place.report, after, place);
    const rows = items.map((item) => [...columns.map((column) => column.cell(item)), ...beside.map(({ tell, cell = tell }) => cell(item))]);
    return { rows, after: items.length < rowsPerPiece ? undefined : items.at(-1)?.row.taskId };
  },
};

const widths: Readonly<Record<string, number>> = {
  ACCESS_REVIEW_REPORT_COLUMN_TASK: numberWidth,
  ACCESS_REVIEW_REPORT_COLUMN_ENTITLEMENT: wideWidth,
  ACCESS_REVIEW_REPORT_COLUMN_DESCRIPTION: wideWidth,
  ACCESS_REVIEW_REPORT_COLUMN_CERTIFIERS: wideWidth,
  ACCESS_REVIEW_REPORT_COLUMN_DECISIONS: wideWidth,
  ACCESS_REVIEW_REPORT_COLUMN_COMMENTS: wideWidth,
};
