/** The first sheet: the review, its dates, its scope in words, its counts, and the checkpoint of the log that it can be held to. */
import type { Cell } from '../../lib/workbook/xlsx-writer.ts';
import { findNewest } from '../../foundation/log-proofs/index.ts';
import {
  describeScope,
  findArrivalCounts,
  findReview,
  listOwners,
  maxOwners,
  type OwnerRow,
  readFigures,
} from '../../governance/reviews/index.ts';
import { countRemovals } from '../../governance/revocations/index.ts';
import { countRevokedAtClose, countSigned, type SignedCounts } from '../../governance/tasks/index.ts';
import { identify, tellsEmployeeIds } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';
import { describeArrivals } from './sheet-arrivals.ts';
import { countFrozen } from './store-left.ts';

/** Rows of a review that asks for signatures; with the open ones they add up to its items. */
function describeSigned(counts: SignedCounts | undefined): (readonly [string, Cell])[] {
  return counts === undefined
    ? []
    : [
        ['Signed by the person who decided', counts.signed],
        ['Not signed by a person', counts.notByPerson],
        ...(counts.notSigned === 0 ? [] : [['NOT SIGNED, although a person is said to have decided', counts.notSigned] as const]),
      ];
}

export const summarySheet: ReportSheet = {
  name: 'Summary',
  isSplit: false,
  columns: () => [
    { heading: 'What', width: 32 },
    { heading: 'Value', width: 80 },
  ],
  async read(context, { report }) {
    const review = await findReview(context, report.reviewId);
    if (review === undefined) {
      return { rows: [], after: undefined };
    }
    const owners = await listOwners(context, review.id, '', maxOwners);
    const { counts, decisions, reviewers, dueAt, unassigned } = await readFigures(context, review);
    const scope = await describeScope(context, review);
    const frozen = await countFrozen(context, review.id);
    const removals = await countRemovals(context, review.id);
    const arrivals = review.preparedRevision === null ? undefined : await findArrivalCounts(context, review);
    const log = await findNewest(context);
    const nameOwner = ({ userId, displayName, email, employeeId }: OwnerRow): string =>
      identify({ id: userId, name: displayName, email, employeeId: tellsEmployeeIds(report) ? employeeId : '' });
    const rows: (readonly [string, Cell])[] = [
      ['Access review', review.document.displayName ?? ''],
      ['Description', review.document.description ?? ''],
      ['Id', review.id],
      ['Owners', owners.map(nameOwner).join('; ')],
      ['State', review.state],
      ['Started (UTC)', review.startedAt],
      ['Due (UTC)', dueAt ?? null],
      ['Closed (UTC)', review.closedAt],
      ['Legal hold', review.legalHold?.reason ?? 'none'],
      ['Report asked for (UTC)', report.createdAt],
      ['Asks about', scope.asked],
      ['Held by', scope.people],
      ['Through accounts', scope.accounts],
      ['Only access that is', scope.grants],
      ['Left out by choice', scope.leftOut],
      ['Revision of the inventory that was frozen', review.preparedRevision],
      ['Hash of the scope (SHA-256)', review.scopeHash],
      ['Hash of the items (SHA-256)', review.itemsHash],
      ['Applications', frozen.apps],
      ['Entitlements asked about', frozen.entitlements],
      ['Entitlements left out by choice', frozen.entitlementsLeftOut],
      ['Accounts that the scope takes in', frozen.accounts],
      ['Accounts left out by a filter', frozen.accountsLeftOut],
      ['Items', counts.total],
      ...describeArrivals(arrivals),
      ['Certified', counts.certified],
      ['Denied or revoked', counts.revoked],
      ['Cancelled', counts.cancelled],
      ['Without an outcome', counts.withoutOutcome],
      ['Open', counts.undecided],
      ['Open with nobody to ask', unassigned],
      ['Decided by people', counts.byPeople],
      ['Denied by people', counts.deniedByPeople],
      ['Decided by the policy', counts.byPolicy],
      ['Carried over from an earlier review', counts.carried],
      ['Skipped when the review was closed', counts.skipped],
      ['Revoked when the review was closed', countRevokedAtClose(counts)],
      ['Ended because the access was gone, or cancelled', counts.cancelled - counts.skipped],
      ['Share decided by people', counts.total === 0 ? null : counts.byPeople / counts.total],
      ...describeSigned(await countSigned(context, review.id)),
      ['Decisions, with those undone or changed later', decisions],
      ['Reviewers who decided', reviewers],
      ['Removals that follow from denials', removals.total],
      ['Removals proven by a sync or by two people', removals.proven],
      ['Removals withdrawn', removals.withdrawn],
      ['Removals requested and open', removals.open],
      ['Removals overdue', removals.overdue],
      ['Log of events', log?.epoch.origin ?? 'no checkpoint was signed yet'],
      ['Checkpoint of the log: events', log?.checkpoint.size ?? null],
      ['Checkpoint of the log: root (SHA-256, base64)', log?.checkpoint.root.toString('base64') ?? null],
      ['Checkpoint of the log: signed (UTC)', log?.checkpoint.signedAt ?? null],
    ];
    return { rows, after: undefined };
  },
};
