/**
 * The columns of a report: one entry for each AccessReviewReportColumn, with its heading, its member name in JSON and what it holds.
 * How many decisions and who made them is reported by item-history.ts; writing files is write-rows.ts.
 */
import type { AccessReviewReportColumnJson } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import {
  type Comment,
  type Decision,
  describeCertifier,
  describeDecision,
  describeEnd,
  describeReassignment,
  type ItemHistory,
  nameActor,
  nameOf,
  type Person,
  tellDecision,
} from './item-history.ts';
import type { ItemSignature } from '../../../governance/tasks/index.ts';
import type { Cell } from '../../../lib/workbook/cells.ts';
import type { ReviewItemRow } from './store-items.ts';

/** The columns that exist, without the contract's long prefix. */
type ColumnName = Exclude<AccessReviewReportColumnJson, 'ACCESS_REVIEW_REPORT_COLUMN_UNSPECIFIED'>;

/** An item with what was done to it. */
export interface ReportItem {
  readonly row: ReviewItemRow;
  readonly history: ItemHistory;
  /** Whether what became of it is signed; null while it is open, absent where the review asks for no signatures. */
  readonly signature?: ItemSignature | null;
}

/** One column: `value` for JSON, `text` for CSV, `cell` for Excel. */
export interface ReportColumn {
  readonly name: ColumnName;
  readonly heading: string;
  readonly member: string;
  readonly value: (item: ReportItem) => unknown;
  readonly text: (item: ReportItem) => string;
  readonly cell: (item: ReportItem) => Cell;
  /** People whom it names; absent where it names nobody. */
  readonly people?: (item: ReportItem) => readonly Person[];
}

/** A column whose text is its value. */
function plain(name: ColumnName, heading: string, member: string, value: (item: ReportItem) => string | number): ReportColumn {
  return { name, heading, member, value, text: (item) => String(value(item)), cell: value };
}

/** A column of a moment, which is a date in Excel. */
function moment(name: ColumnName, heading: string, member: string, read: (row: ReviewItemRow) => Date | null): ReportColumn {
  const text = ({ row }: ReportItem): string => read(row)?.toISOString() ?? '';
  return { name, heading, member, value: text, text, cell: ({ row }) => read(row) };
}

/** A column of several things, joined by semicolons in CSV. */
function list<T>(
  name: ColumnName,
  heading: string,
  member: string,
  value: (item: ReportItem) => readonly T[],
  text: (one: T) => string,
  peopleIn?: (one: T) => readonly (Person | undefined)[],
): ReportColumn {
  const join = (item: ReportItem): string => value(item).map(text).join('; ');
  const column = { name, heading, member, value, text: join, cell: join };
  return peopleIn === undefined ? column : { ...column, people: (item) => isThere(value(item).flatMap(peopleIn)) };
}

const isThere = (people: readonly (Person | undefined)[]): Person[] => people.filter((one) => one !== undefined);

/** The owner of the account, as the snapshot has them. */
const ownerOf = ({ row }: ReportItem): Person[] =>
  row.ownerId === '' ? [] : [{ id: row.ownerId, name: row.ownerName, email: row.ownerEmail, employeeId: row.employeeId }];

const tellDecisions =
  (tell: (decision: Decision) => string) =>
  ({ row, history }: ReportItem): string =>
    [...history.decisions.map(tell), describeEnd(row)].filter((text) => text !== '').join('; ');

/** Each decision with its time, who made it at which step of the policy, in whose place, and what it changed. */
export const tellDecisionsInFull = tellDecisions(tellDecision);
const namePerson = (person: Person): string => nameOf(person);
const tellComment = (comment: Comment): string => `${nameActor(comment)} on ${comment.at}: ${comment.text}`;

export const reportColumns: readonly ReportColumn[] = [
  plain('ACCESS_REVIEW_REPORT_COLUMN_TASK', 'Task', 'task', ({ row }) => row.numericId),
  plain('ACCESS_REVIEW_REPORT_COLUMN_ACCOUNT', 'Account', 'account', ({ row }) => row.account),
  // The account's name in the app is what sources deliver as `account`: there is no second name.
  plain('ACCESS_REVIEW_REPORT_COLUMN_USER_NAME', 'User name', 'userName', ({ row }) => row.account),
  plain('ACCESS_REVIEW_REPORT_COLUMN_IDENTITY_TYPE', 'Identity type', 'identityType', ({ row }) => row.accountType),
  {
    ...plain('ACCESS_REVIEW_REPORT_COLUMN_ACCOUNT_OWNER', 'Account owner', 'accountOwner', ({ row }) => row.ownerName),
    people: ownerOf,
  },
  {
    ...plain('ACCESS_REVIEW_REPORT_COLUMN_ACCOUNT_OWNER_EMAIL', 'Account owner email', 'accountOwnerEmail', ({ row }) => row.ownerEmail),
    people: ownerOf,
  },
  plain('ACCESS_REVIEW_REPORT_COLUMN_APPLICATION', 'Application', 'application', ({ row }) => row.appName),
  plain('ACCESS_REVIEW_REPORT_COLUMN_RESOURCE', 'Resource', 'resource', ({ row }) => row.resourceName),
  plain('ACCESS_REVIEW_REPORT_COLUMN_RESOURCE_TYPE', 'Resource type', 'resourceType', ({ row }) => row.resourceTypeName),
  plain('ACCESS_REVIEW_REPORT_COLUMN_ENTITLEMENT', 'Entitlement', 'entitlement', ({ row }) => row.entitlementName),
  plain('ACCESS_REVIEW_REPORT_COLUMN_DESCRIPTION', 'Description', 'description', ({ row }) => row.description),
  plain('ACCESS_REVIEW_REPORT_COLUMN_CERTIFICATION_POLICY', 'Certification policy', 'certificationPolicy', ({ row }) => row.policyName),
  list(
    'ACCESS_REVIEW_REPORT_COLUMN_ASSIGNED_TO',
    'Assigned to',
    'assignedTo',
    ({ history }) => history.assignedTo,
    namePerson,
    (person) => [person],
  ),
  list(
    'ACCESS_REVIEW_REPORT_COLUMN_REASSIGNMENTS',
    'Reassignments',
    'reassignments',
    ({ history }) => history.reassignments,
    describeReassignment,
    ({ by, issuedBy, instead = [], to }) => [by, issuedBy, ...instead, ...to],
  ),
  list(
    'ACCESS_REVIEW_REPORT_COLUMN_CERTIFIERS',
    'Certifiers',
    'certifiers',
    ({ history }) => history.certifiers,
    describeCertifier,
    (certifier) => [certifier, certifier.inPlaceOf, certifier.issuedBy],
  ),
  {
    name: 'ACCESS_REVIEW_REPORT_COLUMN_DECISIONS',
    heading: 'Decisions',
    member: 'decisions',
    value: ({ history }) => history.decisions,
    text: tellDecisions(describeDecision),
    cell: tellDecisionsInFull,
    people: ({ history }) => [
      ...isThere(history.decisions.flatMap(({ by, inPlaceOf, issuedBy }) => [by, inPlaceOf, issuedBy])),
      ...history.later,
    ],
  },
  moment('ACCESS_REVIEW_REPORT_COLUMN_RESOLVED_ON', 'Resolved on', 'resolvedOn', ({ endedAt }) => endedAt),
  list(
    'ACCESS_REVIEW_REPORT_COLUMN_COMMENTS',
    'Comments',
    'comments',
    ({ history }) => history.comments,
    tellComment,
    ({ by, issuedBy }) => [by, issuedBy],
  ),
  moment('ACCESS_REVIEW_REPORT_COLUMN_LAST_LOGIN', 'Last used', 'lastLogin', ({ lastUsedAt }) => lastUsedAt),
  plain('ACCESS_REVIEW_REPORT_COLUMN_EMPLOYEE_ID', 'Employee id', 'employeeId', ({ row }) => row.employeeId),
  plain('ACCESS_REVIEW_REPORT_COLUMN_JOB_TITLE', 'Job title', 'jobTitle', ({ row }) => row.jobTitle),
  plain('ACCESS_REVIEW_REPORT_COLUMN_DEPARTMENT', 'Department', 'department', ({ row }) => row.department),
  plain('ACCESS_REVIEW_REPORT_COLUMN_EMPLOYMENT_STATUS', 'Employment status', 'employmentStatus', ({ row }) => row.employmentStatus),
  plain('ACCESS_REVIEW_REPORT_COLUMN_EMPLOYMENT_TYPE', 'Employment type', 'employmentType', ({ row }) => row.employmentType),
  plain('ACCESS_REVIEW_REPORT_COLUMN_MANAGER', 'Manager', 'manager', ({ row }) => row.managerEmail),
  list(
    'ACCESS_REVIEW_REPORT_COLUMN_SUBMISSIONS',
    'Submissions',
    'submissions',
    ({ history }) => history.submissionIds,
    (id) => id,
  ),
  // Tickets elsewhere are not known yet; the columns exist so that a configuration that names them works.
  plain('ACCESS_REVIEW_REPORT_COLUMN_EXTERNAL_TICKET', 'External ticket', 'externalTicket', () => ''),
  plain('ACCESS_REVIEW_REPORT_COLUMN_EXTERNAL_TICKET_STATUS', 'External ticket status', 'externalTicketStatus', () => ''),
];

const byName = new Map<string, ReportColumn>(reportColumns.map((column) => [column.name, column]));

/** Columns of a report when none are chosen: everything but personnel data, submissions and tickets. */
export const defaultColumns: readonly string[] = reportColumns.slice(0, 19).map((column) => column.name);

/** The column with this name, or undefined. */
export function findColumn(name: string): ReportColumn | undefined {
  return byName.get(name);
}

/** People whom the chosen columns name, each with each of their words once, in the order in which they are named; undefined where no column names anybody. */
export function peopleNamed(columns: readonly ReportColumn[]): ((item: ReportItem) => Person[]) | undefined {
  const naming = columns.flatMap(({ people }) => (people === undefined ? [] : [people]));
  const hasNumbers = columns.some(({ name }) => name === 'ACCESS_REVIEW_REPORT_COLUMN_EMPLOYEE_ID');
  if (naming.length === 0) {
    return undefined;
  }
  return (item) => {
    const found = new Map<string, Person>();
    for (const { id, name, email, employeeId } of naming.flatMap((people) => people(item))) {
      const person = { id, name, email, employeeId: hasNumbers ? employeeId : '' };
      found.set(JSON.stringify(person), person);
    }
    return [...found.values()];
  };
}
