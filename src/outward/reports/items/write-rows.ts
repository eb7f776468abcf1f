/** Items written as pieces of a CSV (RFC 4180) or JSON file. The pieces of a report, one after another, are the file. */
import { writeCsv } from '../../../lib/tables/csv-form.ts';
import type { Cell } from '../../../lib/workbook/cells.ts';
import { describeRemoval, describeResidual } from '../../../governance/revocations/index.ts';
import { peopleNamed, type ReportColumn, type ReportItem, tellDecisionsInFull } from './columns.ts';
import { describeOutcome, identify } from './item-history.ts';
import { tellSignature } from './item-signature.ts';

/** Facts of a review on which columns that nobody chooses depend. */
interface ReviewFacts {
  /** True if a second review is over. */
  readonly hasSecond: boolean;
  /** Number of accounts that were matched by an address which their owner had before. */
  readonly formerAddresses: number;
  /** Number of items whose reported end had passed. */
  readonly pastEnds: number;
  readonly asksSignatures: boolean;
}

const noFacts: ReviewFacts = { hasSecond: false, formerAddresses: 0, pastEnds: 0, asksSignatures: false };

/** Beginning, rows and end of one kind of file. `isFirst` shows that no row was written before. */
export interface RowWriter {
  begin(columns: readonly ReportColumn[], facts?: ReviewFacts): string;
  rows(columns: readonly ReportColumn[], items: readonly ReportItem[], isFirst: boolean, facts?: ReviewFacts): string;
  end(): string;
}

/** Tells what became of a denied item, from evidence alone; empty for others. */
function tellRemoval({ row: { removal } }: ReportItem): string {
  if (removal === null) {
    return '';
  }
  const residual = describeResidual(removal.residual);
  return `${describeRemoval({ ...removal, stateAt: new Date(removal.stateAt) })}${residual === '' ? '' : `; ${residual}`}`;
}

/** Tells what somebody who did not know the first decision decided about a drawn item; empty for others. */
function tellSecond({ row: { second } }: ReportItem): string {
  if (second === null) {
    return '';
  }
  if (second.decision === '') {
    return 'Not answered';
  }
  const verb = second.decision === 'APPROVE' ? 'Certified' : 'Denied';
  const issued = second.issuerName === '' ? '' : ` (access issued by ${second.issuerName})`;
  return `${verb} by ${second.byName}${issued}: ${second.agrees ? 'agrees' : 'differs'}${second.comment === '' ? '' : ` (${second.comment})`}`;
}

/** Tells of an end that had passed, and who still reported the access; empty for others. */
function tellReportedEnd({ row: { reportedEnd } }: ReportItem): string {
  if (reportedEnd === null) {
    return '';
  }
  const { endsAt, source, syncId, syncedAt } = reportedEnd;
  const sync = syncId === null ? '' : ` (sync ${syncId} of ${(syncedAt ?? '').slice(0, 10)})`;
  return `on ${endsAt.slice(0, 10)}; still reported by ${source}${sync}`;
}

/** True if the columns hold decisions, beside which outcomes stand; a report without them has the columns that were chosen, and no other. */
const tellsDecisions = (columns: readonly ReportColumn[]): boolean =>
  columns.some(({ name }) => name === 'ACCESS_REVIEW_REPORT_COLUMN_DECISIONS');

/** True if the columns name the owners of accounts. */
const namesOwners = (columns: readonly ReportColumn[]): boolean => columns.some(({ name }) => ownerColumns.has(name));
const ownerColumns: ReadonlySet<string> = new Set<ReportColumn['name']>([
  'ACCESS_REVIEW_REPORT_COLUMN_ACCOUNT_OWNER',
  'ACCESS_REVIEW_REPORT_COLUMN_ACCOUNT_OWNER_EMAIL',
]);

/** A column that nobody chooses. */
interface BesideColumn {
  readonly heading: string;
  readonly tell: (item: ReportItem) => string;
  /** Absent where the cell in Excel is what `tell` tells. */
  readonly cell?: (item: ReportItem) => Cell;
}

/**
 * Columns behind the chosen ones: what stands beside decisions, which reported ends had passed, where there are any, whose owner was found by an address of before, where there is any such account, and the ids
 * of those whom the chosen ones name, since two people may have one name. In Excel the cell of decisions itself says all there is of them; in a text file
 * another one does, `isText`.
 */
export function besides(
  columns: readonly ReportColumn[],
  { hasSecond, formerAddresses, pastEnds, asksSignatures }: ReviewFacts,
  isText = false,
): BesideColumn[] {
  const named = peopleNamed(columns);
  const marks =
    formerAddresses > 0 && namesOwners(columns)
      ? [{ heading: 'Owner matched by', tell: ({ row }: ReportItem) => (row.ownerByFormerAddress ? 'a former address' : '') }]
      : [];
  const ends =
    pastEnds > 0 && columns.some(({ name }) => name === 'ACCESS_REVIEW_REPORT_COLUMN_ENTITLEMENT')
      ? [{ heading: 'Reported end has passed', tell: tellReportedEnd }]
      : [];
  const people = named === undefined ? [] : [{ heading: 'People', tell: (item: ReportItem) => named(item).map(identify).join('; ') }];
  if (!tellsDecisions(columns)) {
    return [...ends, ...marks, ...people];
  }
  return [
    { heading: 'Outcome', tell: ({ row }) => describeOutcome(row.outcome) },
    {
      heading: 'Certified until',
      tell: ({ row }) => row.certifyUntil?.toISOString() ?? '',
      cell: ({ row }) => row.certifyUntil,
    },
    ...(asksSignatures ? [{ heading: 'Signature', tell: ({ signature }: ReportItem) => tellSignature(signature) }] : []),
    ...(isText ? [{ heading: 'Decisions in full', tell: tellDecisionsInFull }] : []),
    { heading: 'Removal', tell: tellRemoval },
    ...(hasSecond ? [{ heading: 'Second review', tell: tellSecond }] : []),
    ...ends,
    ...marks,
    ...people,
  ];
}

/** By this mark spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff';

const csv: RowWriter = {
  begin: (columns, facts = noFacts) =>
    byteOrderMark +
    writeCsv([[...columns.map((column) => column.heading), ...besides(columns, facts, true).map(({ heading }) => heading)]]),
  rows: (columns, items, _isFirst, facts = noFacts) => {
    const beside = besides(columns, facts, true);
    return writeCsv(items.map((item) => [...columns.map((column) => column.text(item)), ...beside.map(({ tell }) => tell(item))]));
  },
  end: () => '',
};

/** An array of objects, one a line. The outcome of an item, until when it was certified, and what became of a denied one, is always there, whatever columns are chosen. */
const json: RowWriter = {
  begin: () => '[',
  rows(columns, items, isFirst) {
    const named = peopleNamed(columns);
    const lines = items.map((item) => {
      const { taskId, state, outcome, endReason, certifyUntil } = item.row;
      const cells = columns.map((column) => [column.member, column.value(item)] as const);
      const { removal, reportedEnd, second } = item.row;
      const removed =
        removal === null ? {} : { removal: { id: removal.id, state: removal.state, outcome: tellRemoval(item), syncId: removal.syncId } };
      return JSON.stringify({
        taskId,
        state,
        outcome,
        endReason,
        ...(certifyUntil === null ? {} : { certifyUntil: certifyUntil.toISOString() }),
        ...(item.signature === undefined ? {} : { signature: item.signature }),
        ...Object.fromEntries(cells),
        ...(item.row.ownerByFormerAddress && namesOwners(columns) ? { ownerByFormerAddress: true } : {}),
        ...(reportedEnd === null ? {} : { reportedEnd }),
        ...(named === undefined ? {} : { people: named(item) }),
        ...removed,
        ...(second === null ? {} : { secondReview: second }),
      });
    });
    return lines.length === 0 ? '' : `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`;
  },
  end: () => '\n]\n',
};

/** The writer of each format that is text; Excel files are written by build-workbook.ts. */
export const rowWriters = { CSV: csv, JSON: json } as const;
