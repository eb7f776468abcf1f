/** Reads the items of a review for its report, each with its history, a piece at a time. */
import type { Context } from '../../../context.ts';
import { mapSubmissionSignatures } from '../../../foundation/signatures/index.ts';
import { listPersonWords, type PersonWords } from '../../../foundation/directory/index.ts';
import { findColumn, type ReportColumn, type ReportItem } from './columns.ts';
import { type FlagsOf, idsInItem, tellHistory } from './item-history.ts';
import { judgeItem } from './item-signature.ts';
import { listReviewItems } from './store-items.ts';

/** Rows of one piece of a file: what is written and forgotten soon never gets to where V8 keeps what lasts. */
export const rowsPerPiece = 250;

/** The review whose items a report tells, and its columns. */
interface ItemsOf {
  readonly reviewId: string;
  readonly columns: readonly string[];
}

/** The next items after the one with the task `after`; fewer than `rowsPerPiece` are the last. */
export async function readItems(
  context: Context,
  report: ItemsOf,
  after: string,
  { flagsOf, asksSignatures }: { readonly flagsOf: FlagsOf; readonly asksSignatures: boolean },
): Promise<ReportItem[]> {
  const rows = await listReviewItems(context, report.reviewId, after, rowsPerPiece);
  const people = await listPeople(context, report, rows.flatMap(idsInItem));
  const submissionIds = new Set(rows.flatMap(({ actions }) => actions.map(({ submissionId }) => submissionId)));
  const signatures = asksSignatures ? await mapSubmissionSignatures(context, [...submissionIds]) : undefined;
  return rows.map((row) => {
    const history = tellHistory(row, people, flagsOf, signatures);
    return { row, history, ...(asksSignatures ? { signature: judgeItem(row, history.decisions) } : {}) };
  });
}

/** True if a report tells employee ids, which only people who read the inventory ask for. */
export const tellsEmployeeIds = ({ columns }: Pick<ItemsOf, 'columns'>): boolean =>
  columns.includes('ACCESS_REVIEW_REPORT_COLUMN_EMPLOYEE_ID');

/** The words of these people by their ids; without employee ids where the report tells none. */
export async function listPeople(
  context: Context,
  report: Pick<ItemsOf, 'columns'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PersonWords>> {
  const people = await listPersonWords(context, ids);
  if (tellsEmployeeIds(report)) {
    return people;
  }
  const hide = <T extends { readonly employeeId: string }>(words: T): T => ({ ...words, employeeId: '' });
  return new Map([...people].map(([id, person]) => [id, { ...hide(person), former: person.former.map(hide) }]));
}

/** The columns with these names, without those that are no more. */
export function columnsNamed(names: readonly string[]): ReportColumn[] {
  return names.map(findColumn).filter((column): column is ReportColumn => column !== undefined);
}
