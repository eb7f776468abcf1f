/** Columns that a review chooses for its reviewers: which there are, in the order that they are offered, and how the chosen ones are written. */
import type { PlainTextKey } from '~/text/text.ts';
import type { Review } from '~/data/reviews/review.ts';

type Config = NonNullable<Review['columnConfig']>;
type Chosen = NonNullable<Config['orderedColumns']>[number];
/** A column that comes with the product. */
export type Builtin = NonNullable<Chosen['builtin']> & string;

/** Those that a reviewer's screen can show, each with its name. Others of the contract are stored and shown nowhere here. */
export const shownColumns = {
  ACCESS_REVIEW_TASK_COLUMN_ACCOUNT: 'columns.account',
  ACCESS_REVIEW_TASK_COLUMN_ACCOUNT_OWNER: 'columns.accountOwner',
  ACCESS_REVIEW_TASK_COLUMN_APP: 'columns.app',
  ACCESS_REVIEW_TASK_COLUMN_ENTITLEMENT: 'columns.entitlement',
  ACCESS_REVIEW_TASK_COLUMN_ENTITLEMENT_DESCRIPTION: 'columns.description',
  ACCESS_REVIEW_TASK_COLUMN_RESOURCE: 'columns.resource',
  ACCESS_REVIEW_TASK_COLUMN_DEPARTMENT: 'columns.department',
  ACCESS_REVIEW_TASK_COLUMN_JOB_TITLE: 'columns.jobTitle',
  ACCESS_REVIEW_TASK_COLUMN_LAST_LOGIN: 'columns.lastUsed',
  ACCESS_REVIEW_TASK_COLUMN_RISK_LEVEL: 'columns.risk',
  ACCESS_REVIEW_TASK_COLUMN_ACCESS_HOLDER_TYPE: 'columns.accountType',
  ACCESS_REVIEW_TASK_COLUMN_STATUS: 'columns.accountStatus',
  ACCESS_REVIEW_TASK_COLUMN_RECOMMENDATION: 'columns.recommendation',
  ACCESS_REVIEW_TASK_COLUMN_CREATED_ON: 'columns.granted',
} as const satisfies Partial<Record<Builtin, PlainTextKey>>;

export type ShownColumn = keyof typeof shownColumns;

/** True if a reviewer's screen can show this column. */
export function isShown(column: string): column is ShownColumn {
  return Object.hasOwn(shownColumns, column);
}

/** The chosen columns in order; the ordered ones hold where there are any. */
export function chosenColumns(review: Pick<Review, 'columnConfig'>): readonly Chosen[] {
  const { orderedColumns = [], columns = [] } = review.columnConfig ?? {};
  return orderedColumns.length > 0 ? orderedColumns : columns.map((builtin) => ({ builtin }));
}

/** The change that makes these the chosen columns, in this order. */
export function withColumns(chosen: readonly Chosen[]): Pick<Review, 'columnConfig'> {
  return { columnConfig: { orderedColumns: [...chosen] } };
}
