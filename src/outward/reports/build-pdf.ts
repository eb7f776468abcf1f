/**
 * Writes a report as a PDF file: what a person reads and signs. It has twenty pages at most, however large the review: a list stops where its pages
 * are full, and the rest is counted in words. Lists are those of the Excel file, with fewer columns.
 */
import type { Context } from '../../context.ts';
import { sayPercent } from '../../lib/shares/percent.ts';
import { createPaper, type Paper } from '../../lib/pdf/paper.ts';
import type { Cell } from '../../lib/workbook/xlsx-writer.ts';
import {
  type AcknowledgementView,
  findAcknowledgement,
  findArrivalCounts,
  findReview,
  type ReviewRow,
} from '../../governance/reviews/index.ts';
import { countRevocations } from '../../governance/revocations/index.ts';
import { countSignatures } from '../../foundation/signatures/index.ts';
import type { BuildCursor, WrittenPiece } from './build-cursor.ts';
import { identify, listPeople, personAt } from './items/index.ts';
import type { ReportSheet, SheetPlace } from './report-sheet.ts';
import { arrivalsSheet } from './sheet-arrivals.ts';
import { exceptionsSheet } from './sheet-exceptions.ts';
import { exclusionsSheet } from './sheet-exclusions.ts';
import { revocationsSheet } from './sheet-revocations.ts';
import { signaturesSheet } from './sheet-signatures.ts';
import { sourcesSheet } from './sheet-sources.ts';
import { summarySheet } from './sheet-summary.ts';
import { countExceptions, countExclusions } from './store-left.ts';
import { countReportRows, insertChunk, type ReportRow } from './store.ts';

/** A list in the file. */
interface PdfList {
  readonly heading: string;
  /** Says what is in it. */
  readonly about: string;
  readonly sheet: ReportSheet;
  /** Reads the facts that are said before its rows. */
  readonly facts?: (context: Context, place: SheetPlace) => Promise<readonly (readonly [name: string, value: string])[]>;
  /** Columns of the sheet by their headings, and their shares of the width. */
  readonly columns: Readonly<Record<string, number>>;
  /** Pages that it may fill. */
  readonly maxPages: number;
  /** Says that it is empty. */
  readonly none: string;
  /** Counts all there are, where the sheet is not read whole. */
  readonly count?: (context: Context, reviewId: string) => Promise<number>;
}

/** Rows that are read for a list: more than its pages can hold. */
const maxRows = 500;
/** Facts that are said before the rows of a list. */
const maxFacts = 20;

/** The lists in their order: sixteen pages at most. What stands around them takes four. */
const lists: readonly PdfList[] = [
  {
    heading: 'Sources',
    about: 'Where the access came from, as the inventory was when it was frozen.',
    sheet: sourcesSheet,
    columns: {
      Source: 2.6,
      Application: 2.6,
      'Ended on (UTC)': 2.2,
      Rows: 1.6,
      Accepted: 2,
      'Named again': 1.5,
      Rejected: 1.9,
      'Held when frozen': 1.9,
      'Disputed records': 2.3,
      'Age in days': 1.3,
      'SHA-256 of the file': 4.6,
    },
    maxPages: 2,
    none: 'No source delivered the access that this review asks about.',
  },
  {
    heading: 'Exclusions',
    about: 'Accounts and entitlements of the chosen applications that nobody was asked about.',
    sheet: exclusionsSheet,
    columns: { Application: 3, Account: 3, 'Account owner': 3, 'Account owner (id)': 3, Entitlement: 3, Reason: 4 },
    maxPages: 3,
    none: 'Nothing in the chosen applications was left out.',
    count: countExclusions,
  },
  {
    heading: 'Exceptions',
    about: 'Items that no person decided.',
    sheet: exceptionsSheet,
    facts: listFacts,
    columns: { Task: 1.4, Account: 3, Application: 3, Entitlement: 4, Outcome: 2, Why: 5 },
    maxPages: 4,
    none: 'A person decided every item.',
    count: countExceptions,
  },
  {
    heading: 'After the snapshot',
    about: 'Access that came into the scope while the review was open. This review asked nobody about it.',
    sheet: arrivalsSheet,
    columns: { Application: 3, Account: 3, 'Account owner': 3, Entitlement: 4, 'Added on (UTC)': 2.4, 'Asked about by': 4 },
    maxPages: 1,
    none: 'None came after the snapshot.',
    count: countArrivals,
  },
  {
    heading: 'Revocations',
    about: 'Access that was denied, and what became of it as far as there is evidence.',
    sheet: revocationsSheet,
    columns: {
      Task: 1.4,
      Account: 3,
      Application: 3,
      Entitlement: 4,
      'Denied by': 3,
      'Denied by (id)': 3,
      'Denied on (UTC)': 2.4,
      Outcome: 4,
      'Denied by signature (id)': 3,
    },
    maxPages: 3,
    none: 'No access was denied.',
    count: async (context, reviewId) => (await countRevocations(context, true, { reviewId })).reduce((sum, { total }) => sum + total, 0),
  },
  {
    heading: 'Signatures',
    about:
      'Submissions and acknowledgements that were signed: by whom, with what meaning, when, and the hash of the record that the signature is over.',
    sheet: signaturesSheet,
    columns: {
      Submission: 3,
      'Printed name': 3,
      'Signer (id)': 3,
      Meaning: 5,
      'Signed on (UTC)': 2,
      'Record (SHA-256)': 5,
      'Signature (id)': 3,
    },
    maxPages: 3,
    none: 'No submission of this review was signed.',
    count: async (context, reviewId) => [...(await countSignatures(context, reviewId)).values()].reduce((sum, count) => sum + count, 0),
  },
];

/** Counts what came after the snapshot of a review. */
async function countArrivals(context: Context, reviewId: string): Promise<number> {
  const review = await findReview(context, reviewId);
  return review === undefined ? 0 : (await findArrivalCounts(context, review)).arrived;
}

/** Writes the whole file as one piece. */
export async function writePdf(context: Context, report: ReportRow, cursor: BuildCursor): Promise<WrittenPiece> {
  const pieces = cursor.pieces + 1;
  await insertChunk(context, report.id, cursor.pieces, await makePdf(context, { report, ...cursor }));
  const items = await countReportRows(context, report.reviewId);
  return { rows: items, items, cursor: { pieces, isWritten: true } };
}

/** Makes the file, for a report or as the summary in a bundle of evidence. */
export async function makePdf(context: Context, place: SheetPlace): Promise<Buffer> {
  const { report } = place;
  const isOfBundle = report.format === 'BUNDLE';
  const review = await findReview(context, report.reviewId);
  const name = review?.document.displayName ?? '';
  const paper = await createPaper({
    title: `Access review: ${name}`,
    foot: `Countersign · ${name} · ${isOfBundle ? 'evidence' : 'report'} ${report.id}`,
    createdAt: report.createdAt,
  });
  paper.title(`Access review: ${name}`);
  const { rows } = await summarySheet.read(context, place, '');
  writeFacts(paper, rows.slice(1));
  for (const list of lists) {
    await writeList(context, paper, list, place);
  }
  if (review !== undefined) {
    await writeAcknowledgement(context, paper, report, review);
  }
  writeHashes(paper, report);
  return paper.finish();
}

/** Headings of the PDF file before these rows of the sheet of figures. */
const chapters: Readonly<Record<string, string>> = { 'Asks about': 'Scope', Applications: 'Counts', 'Log of events': 'Log' };

/** Writes the rows of the sheet of figures that say anything. */
function writeFacts(paper: Paper, rows: readonly (readonly Cell[])[]): void {
  for (const [fact = '', value = null] of rows) {
    const name = say(fact);
    const chapter = chapters[name];
    if (chapter !== undefined) {
      paper.heading(chapter);
    }
    if (value !== null && value !== '') {
      paper.facts([[name, typeof value === 'number' ? sayNumber(name, value) : say(value)]]);
    }
  }
}

async function writeList(context: Context, paper: Paper, list: PdfList, place: SheetPlace): Promise<void> {
  const { heading, about, sheet, facts, columns, maxPages, none, count } = list;
  paper.heading(heading);
  paper.facts((await facts?.(context, place)) ?? []);
  const { rows, total } = await readRows(context, sheet, place);
  if (rows.length === 0) {
    paper.paragraph(none);
    return;
  }
  paper.paragraph(about);
  const headings = sheet.columns(place).map((column) => column.heading);
  const shown = Object.entries(columns).filter(([name]) => headings.includes(name));
  const written = paper.table(
    shown.map(([name, weight]) => ({ heading: name, weight })),
    rows.map((row) => shown.map(([name]) => say(row[headings.indexOf(name)] ?? null))),
    maxPages,
  );
  const all = total ?? (await count?.(context, place.report.reviewId)) ?? rows.length;
  if (all > written) {
    paper.paragraph(
      `And ${(all - written).toLocaleString('en')} more. ${place.report.format === 'BUNDLE' ? 'The other files of the bundle have' : 'The report as an Excel file lists'} them all.`,
    );
  }
}

/** The first rows of a sheet, and how many there are; undefined where that is not known yet. */
async function readRows(
  context: Context,
  sheet: ReportSheet,
  place: SheetPlace,
): Promise<{ rows: (readonly Cell[])[]; total: number | undefined }> {
  const rows: (readonly Cell[])[] = [];
  let after: string | undefined = '';
  while (after !== undefined && rows.length < maxRows) {
    const page: Awaited<ReturnType<ReportSheet['read']>> = await sheet.read(context, place, after);
    rows.push(...page.rows);
    after = page.after;
  }
  return { rows: rows.slice(0, maxRows), total: after === undefined ? rows.length : undefined };
}

/** Lists accounts and reviewers that deserve a look, and sources with something wrong about them when the review was prepared. */
async function listFacts(context: Context, { report, flagsOf, formerAddresses, pastEnds }: SheetPlace): Promise<[string, string][]> {
  const review = await findReview(context, report.reviewId);
  const name = await nameAll(context, report, Object.keys(flagsOf), review?.closedAt ?? null);
  const sources = (review?.accuracy?.sources ?? []).filter(({ flags }) => flags.length > 0);
  const accounts = formerAddresses === 0 ? [] : [`${formerAddresses} matched by an address that their owner had before`];
  return [
    ...(pastEnds === 0 ? [] : [['Access to look at', sayPastEnds(pastEnds)] satisfies [string, string]]),
    ...accounts.map((said): [string, string] => ['Accounts to look at', said]),
    ...Object.entries(flagsOf).map(([id, flags]): [string, string] => ['Reviewer to look at', `${name(id)}: ${sayFlags(flags)}`]),
    ...sources.map(({ displayName, flags }): [string, string] => ['Source to look at', `${displayName}: ${sayFlags(flags)}`]),
  ].slice(0, maxFacts);
}

const sayPastEnds = (count: number): string =>
  count === 1
    ? '1 item whose reported end has passed, and that is still reported'
    : `${count} items whose reported end has passed, and that are still reported`;

const sayFlags = (flags: readonly string[]): string => flags.map((flag) => flag.toLowerCase().replaceAll('_', ' ')).join(', ');

/** Returns the names that these people had at a moment, each with the id; today's at none. */
async function nameAll(context: Context, report: ReportRow, ids: readonly string[], at: Date | null): Promise<(id: string) => string> {
  const people = await listPeople(context, report, ids);
  return (id) => identify(personAt(people, id, at));
}

/** Writes who confirmed all decisions, or lines for doing so by hand. */
async function writeAcknowledgement(context: Context, paper: Paper, report: ReportRow, review: ReviewRow): Promise<void> {
  const { acknowledgement, isValid }: AcknowledgementView = await findAcknowledgement(context, review);
  const { signature, required = false } = acknowledgement;
  paper.heading('Acknowledgement');
  if (signature === undefined) {
    paper.paragraph(
      required
        ? 'The decisions have to be acknowledged before the review closes, and nobody has done so yet.'
        : 'Nobody acknowledged the decisions in Countersign. Who does so on paper signs here.',
    );
    paper.blanks(['Name', 'Position', 'Signature', 'Date']);
    return;
  }
  const name = await nameAll(context, report, [signature.userId, signature.issuerId], new Date(signature.at));
  paper.facts([
    ['Acknowledged by', name(signature.userId)],
    ...(signature.issuerId === '' ? [] : [['Credential issued by', name(signature.issuerId)] as const]),
    ['On (UTC)', say(new Date(signature.at))],
    ['Comment', signature.comment || (review.emptiedAt === null ? 'none' : 'none, or erased')],
    ['Decisions as acknowledged (SHA-256)', signature.digest],
    ...(signature.signatureId === undefined ? [] : [['Signed', `yes: signature ${signature.signatureId}`] as const]),
    ['Holds', isValid ? 'yes: no decision changed since' : 'no: decisions changed since'],
  ]);
}

/** Writes what this file can be checked by. */
function writeHashes(paper: Paper, report: ReportRow): void {
  paper.heading('This file');
  const isOfBundle = report.format === 'BUNDLE';
  paper.paragraph(
    isOfBundle
      ? 'This file is part of a bundle of evidence, whose manifest holds its hash; the event log proves the manifest. It is checked with the bundle.'
      : `The event report.generated of report ${report.id} holds the SHA-256 of this file, and the event log proves that event. Compute the hash of the file that you have, and compare them.`,
  );
  if (paper.replaced() > 0) {
    paper.paragraph(
      'Some names and texts hold characters that the font of this file lacks. They stand here as code points, such as [U+738B]. The other ' +
        `${isOfBundle ? 'files of the bundle' : 'formats of the report'} hold them as they are.`,
    );
  }
}

function say(cell: Cell): string {
  return cell instanceof Date ? cell.toISOString().slice(0, 16).replace('T', ' ') : String(cell ?? '');
}

const sayNumber = (name: string, value: number): string =>
  name.startsWith('Share ') ? sayPercent(value, 1, 1) : value.toLocaleString('en');
