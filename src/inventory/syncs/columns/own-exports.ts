/**
 * Files that Countersign wrote itself. A report of a review names accounts and entitlements, so it can be read as an export of an app; what was reviewed in
 * spring would then be held again in autumn. Such a file is refused by its name, unless a mapping says what its columns are.
 */
import { quote, refuseFile } from '../values/index.ts';

interface OwnExport {
  readonly what: string;
  /** Headings of its own. So many of them as `enough` says, all where it is absent, make a header one of such a file. */
  readonly headings: readonly string[];
  readonly enough?: number;
  /** Headings beside these; where they are given, a header of such names alone is one with a single heading of its own. */
  readonly others?: readonly string[];
}

const report = 'a report of a review';

/** What each of our files is, by headings that no other system gives its columns together. Reports can have any of their columns. */
const ownExports: readonly OwnExport[] = [
  {
    what: report,
    headings: [
      'Task',
      'Certification policy',
      'Assigned to',
      'Reassignments',
      'Certifiers',
      'Decisions',
      'Resolved on',
      'Submissions',
      'External ticket status',
      'Certified until',
      'Decisions in full',
      'Owner matched by',
      'Reported end has passed',
    ],
    enough: 3,
    others: [
      'Account',
      'User name',
      'Account owner',
      'Account owner email',
      'Identity type',
      'Application',
      'Resource',
      'Resource type',
      'Entitlement',
      'Description',
      'Comments',
      'Last used',
      'Employee id',
      'Job title',
      'Department',
      'Employment status',
      'Employment type',
      'Manager',
      'External ticket',
      'Outcome',
      'Removal',
      'Second review',
      'People',
    ],
  },
  { what: report, headings: ['Denied by', 'Denied on (UTC)', 'Said removed by'] },
  { what: report, headings: ['Reviewer', 'Figures to look at', 'Reminders'] },
  { what: report, headings: ['SHA-256 of the file', 'Data from (UTC)'] },
  { what: report, headings: ['Record (SHA-256)', 'Printed name'] },
  { what: report, headings: ['Account owner (id)', 'Entitlement', 'Reason'] },
  { what: 'a list of grants (grant list --csv)', headings: ['account', 'how', 'appeared_at', 'ended_at'] },
  { what: 'a list of grants', headings: ['Who', 'Right', 'What it allows'] },
  { what: 'a list of grants', headings: ['Wer', 'Recht', 'Was es erlaubt'] },
  { what: 'a list of removals (revocation export)', headings: ['also_held', 'review_name', 'denied_at', 'last_seen_sync'] },
  { what: 'a list of removals', headings: ['Who', 'Reviewer', 'Said by'] },
  { what: 'a list of removals', headings: ['Wer', 'Geprüft von', 'Gemeldet von'] },
  { what: 'a list of events', headings: ['Position', 'Object', 'Object kind'] },
  { what: 'a list of events', headings: ['Position', 'Objekt', 'Objektart'] },
  { what: 'a second review', headings: ['firstDecision', 'secondDecision'] },
  { what: 'a sample of a review', headings: ['place', 'taskId', 'rank'] },
  { what: 'a sample of a review', headings: ['place', 'task_id', 'rank_sha256'] },
  { what: 'figures of reviewers', headings: ['secondsPerDecision', 'approvalRate'] },
  { what: 'days without a review', headings: ['appUserId', 'appearedAt', 'gaps'] },
  { what: 'days without a review', headings: ['account_id', 'gap_from', 'gap_until'] },
];

function isOwn(header: ReadonlySet<string>, { headings, enough = headings.length, others = [] }: OwnExport): boolean {
  const count = headings.filter((name) => header.has(name)).length;
  return count >= enough || (count > 0 && header.size > 3 && [...header].every((name) => headings.includes(name) || others.includes(name)));
}

/** What file of ours has this header; undefined for none. */
export function findOwnExport(header: readonly string[]): string | undefined {
  const names = new Set(header.map((name) => name.trim()).filter((name) => name !== ''));
  // The first sheet of a report as an Excel file has two columns.
  const isSummary = names.size === 2 && names.has('What') && names.has('Value');
  return isSummary ? report : ownExports.find((one) => isOwn(names, one))?.what;
}

/** Refuses a header of a file that Countersign wrote. */
export function refuseOwnExport(header: readonly string[], line: number): void {
  const what = findOwnExport(header);
  if (what !== undefined) {
    const names = header.slice(0, 3).map((name) => quote(name.trim()));
    const why = `this file is ${what} that Countersign wrote, and no export of an app or of people: its columns are ${names.join(', ')}${header.length > 3 ? ', ...' : ''}`;
    throw refuseFile(
      `${why}. Import the file that the app or the directory itself exports. If another system wrote this one, say what its columns are, such as map=account=COLUMN`,
      line,
    );
  }
}
