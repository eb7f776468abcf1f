/** Items written as pieces of a CSV (RFC 4180) or JSON file. The pieces of a report, one after another, are the file. */
import { stringify } from 'csv-stringify/sync';
import { csvForm } from '../../lib/csv-form.ts';
import { describeRemoval, describeResidual } from '../revocations/index.ts';
import type { ReportColumn, ReportItem } from './columns.ts';

/** How one kind of file begins, goes on and ends. `isFirst` shows that no row was written before, `hasSecond` that a second review is over. */
export interface RowWriter {
  begin(columns: readonly ReportColumn[], hasSecond?: boolean): string;
  rows(columns: readonly ReportColumn[], items: readonly ReportItem[], isFirst: boolean, hasSecond?: boolean): string;
  end(): string;
}

/** What became of a denied item, from evidence alone; empty for others. */
function tellRemoval({ row: { removal } }: ReportItem): string {
  if (removal === null) {
    return '';
  }
  const residual = describeResidual(removal.residual);
  return `${describeRemoval({ ...removal, stateAt: new Date(removal.stateAt) })}${residual === '' ? '' : `; ${residual}`}`;
}

/** What somebody who did not know the first decision decided about an item that was drawn; empty for others. */
function tellSecond({ row: { second } }: ReportItem): string {
  if (second === null) {
    return '';
  }
  if (second.decision === '') {
    return 'Not answered';
  }
  const verb = second.decision === 'APPROVE' ? 'Certified' : 'Denied';
  return `${verb} by ${second.byName}: ${second.agrees ? 'agrees' : 'differs'}${second.comment === '' ? '' : ` (${second.comment})`}`;
}

/** Who reads the decisions of an item reads what became of it; a report without them has the columns that were chosen, and no other. */
const tellsDecisions = (columns: readonly ReportColumn[]): boolean =>
  columns.some(({ name }) => name === 'ACCESS_REVIEW_REPORT_COLUMN_DECISIONS');

/** What stands behind the chosen columns. */
function besides(columns: readonly ReportColumn[], hasSecond: boolean): { heading: string; tell: (item: ReportItem) => string }[] {
  if (!tellsDecisions(columns)) {
    return [];
  }
  return [{ heading: 'Removal', tell: tellRemoval }, ...(hasSecond ? [{ heading: 'Second review', tell: tellSecond }] : [])];
}

const csv: RowWriter = {
  begin: (columns, hasSecond = false) =>
    stringify([[...columns.map((column) => column.heading), ...besides(columns, hasSecond).map(({ heading }) => heading)]], csvForm),
  rows: (columns, items, _isFirst, hasSecond = false) => {
    const beside = besides(columns, hasSecond);
    return stringify(
      items.map((item) => [...columns.map((column) => column.text(item)), ...beside.map(({ tell }) => tell(item))]),
      csvForm,
    );
  },
  end: () => '',
};

/** An array of objects, one a line. The outcome of an item, and what became of a denied one, is always there, whatever columns are chosen. */
const json: RowWriter = {
  begin: () => '[',
  rows(columns, items, isFirst) {
    const lines = items.map((item) => {
      const { taskId, state, outcome, endReason } = item.row;
      const cells = columns.map((column) => [column.member, column.value(item)] as const);
      const { removal, second } = item.row;
      const removed =
        removal === null ? {} : { removal: { id: removal.id, state: removal.state, outcome: tellRemoval(item), syncId: removal.syncId } };
      return JSON.stringify({
        taskId,
        state,
        outcome,
        endReason,
        ...Object.fromEntries(cells),
        ...removed,
        ...(second === null ? {} : { secondReview: second }),
      });
    });
    return lines.length === 0 ? '' : `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`;
  },
  end: () => '\n]\n',
};

/** The writer of each format. */
export const rowWriters = { CSV: csv, JSON: json } as const;
