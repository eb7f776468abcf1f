/** Cells of one row in the columns that a review chose for its reviewers. */
import { isShown, type ShownColumn, shownColumns } from '~/data/queue/columns.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';

/** Columns that say something of who holds the access; the others are of the access. */
const ofHolder: readonly ShownColumn[] = [
  'ACCESS_REVIEW_TASK_COLUMN_ACCOUNT',
  'ACCESS_REVIEW_TASK_COLUMN_ACCOUNT_OWNER',
  'ACCESS_REVIEW_TASK_COLUMN_DEPARTMENT',
  'ACCESS_REVIEW_TASK_COLUMN_JOB_TITLE',
  'ACCESS_REVIEW_TASK_COLUMN_ACCESS_HOLDER_TYPE',
  'ACCESS_REVIEW_TASK_COLUMN_STATUS',
];

/** A name of the contract as words, such as "Service account" for APP_USER_TYPE_SERVICE_ACCOUNT. */
function wordsOf(name: string | undefined): string {
  const words = (name ?? '')
    .replace(/^(APP_USER_TYPE|STATUS|APP_USER_STATUS)_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The value of a column; '' where it is not known. */
function columnValue(column: ShownColumn, row: QueueRow): string {
  switch (column) {
    case 'ACCESS_REVIEW_TASK_COLUMN_ACCOUNT':
      return row.account ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_ACCOUNT_OWNER':
      return row.person ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_APP':
      return row.appDisplayName ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_ENTITLEMENT':
      return row.entitlement ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_ENTITLEMENT_DESCRIPTION':
      return row.entitlementDescription ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_RESOURCE':
      return row.resource ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_DEPARTMENT':
      return row.department ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_JOB_TITLE':
      return row.jobTitle ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_LAST_LOGIN':
      return row.lastUsedAt ? date(row.lastUsedAt) : '';
    case 'ACCESS_REVIEW_TASK_COLUMN_RISK_LEVEL':
      return row.riskLevel ?? '';
    case 'ACCESS_REVIEW_TASK_COLUMN_ACCESS_HOLDER_TYPE':
      return wordsOf(row.accountType);
    case 'ACCESS_REVIEW_TASK_COLUMN_STATUS':
      return wordsOf(row.accountStatus);
    case 'ACCESS_REVIEW_TASK_COLUMN_RECOMMENDATION':
      return wordsOf(row.recommendation);
    case 'ACCESS_REVIEW_TASK_COLUMN_CREATED_ON':
      return row.grantedAt ? date(row.grantedAt) : '';
  }
}

/** The second line of a row, of who or of what, by the chosen columns; undefined where none of them says anything there. */
export function chosenLine(columns: readonly string[], row: QueueRow, of: 'who' | 'what'): string | undefined {
  const own = columns.filter(isShown).filter((column) => ofHolder.includes(column) === (of === 'who'));
  return own.length === 0
    ? undefined
    : own
        .map((column) => columnValue(column, row))
        .filter(Boolean)
        .join(' · ');
}

/** Each chosen column with its value, and each attribute of the account, in order; '' for what is not known. */
export function chosenRows(columns: readonly string[], row: QueueRow, attributes: Readonly<Record<string, unknown>>) {
  return [
    ...columns.filter(isShown).map((column) => ({ term: text(shownColumns[column]), children: columnValue(column, row) })),
    ...Object.entries(attributes).map(([term, value]) => ({ term, children: typeof value === 'string' ? value : JSON.stringify(value) })),
  ];
}
