/**
 * Working the items of a prepared review out again, from what its snapshot froze and from the grants of that revision, whatever was imported
 * since. Nothing is written.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { getAccountItemsSql } from '../../tasks/index.ts';
import { type ReviewRow, mayReadEvidence, nameStage, pickMembers, requireReview, changeStage } from '../record/index.ts';
import {
  hashScope,
  snapshotItems,
  listSetupRows,
  type ReplayDifference,
  replayItems,
  setOneMoment,
  writeScopeText,
  type SnapshotItems,
} from '../../snapshots/index.ts';
import { readChosen } from './choose-scope.ts';
import { wantedScopeType } from './read-what.ts';

/** Result of a replay. */
export interface Replay {
  readonly recordedInputHash: string;
  readonly recordedItemsHash: string;
  readonly inputHash: string;
  readonly itemsHash: string;
  readonly matches: boolean;
  readonly items: number;
  readonly differenceCount: number;
  readonly differences: readonly ReplayDifference[];
  readonly takenAsRecorded: readonly string[];
}

/** The text of what a review's scope said when its snapshot was taken. */
async function writeReviewScope(context: Context, review: ReviewRow, revision: number, takenAt: Date): Promise<string> {
  const { entries } = await readChosen(context, review);
  // The marker says nothing that the lists do not.
  const { bindings: _marker, ...members } = pickMembers(review.document, ({ group }) => group === 'scope');
  return writeScopeText(
    wantedScopeType(review.document),
    members,
    { ...(await listSetupRows(context, review.id)), entries },
    revision,
    takenAt,
  );
}

/** Returns that text of a prepared review as the event of its preparation has the hash of it; '' where it cannot be written so any more. */
export async function writePreparedScope(context: Context, review: ReviewRow): Promise<string> {
  const { preparedRevision: revision, sourcesFrozenAt: takenAt } = review;
  const text = revision === null || takenAt === null ? '' : await writeReviewScope(context, review, revision, takenAt);
  return hashScope(text) === review.scopeHash ? text : '';
}

/** The hash of that text. */
export const hashReview = async (context: Context, review: ReviewRow, revision: number, takenAt: Date): Promise<string> =>
  hashScope(await writeReviewScope(context, review, revision, takenAt));

/** The items of a prepared review's snapshot, for who reads what it froze. FAILED_PRECONDITION where it has none. */
export async function readSnapshotItems(context: Context, review: ReviewRow): Promise<SnapshotItems> {
  const { preparedRevision, sourcesFrozenAt } = review;
  if (preparedRevision === null || sourcesFrozenAt === null) {
    throw new AppError('FAILED_PRECONDITION', 'The access review has no snapshot.');
  }
  const chosen = await readChosen(context, review);
  return snapshotItems(context, { id: review.id, revision: preparedRevision }, chosen, sourcesFrozenAt, false);
}

/**
 * Both hashes of a prepared review as they come to now, beside those recorded, and where items and tasks differ. For its owners, Super
 * Administrators and Read-Only Administrators; FAILED_PRECONDITION where the review has no snapshot.
 */
export async function replayReview(context: Context, id: string): Promise<Replay> {
  const review = await requireReview(context, id, 'read');
  if (!mayReadEvidence(context.actor, review)) {
    throw new AppError('PERMISSION_DENIED', 'Only the owners of this access review and administrators who see all reviews may do this.');
  }
  const { preparedRevision, sourcesFrozenAt } = review;
  if (preparedRevision === null || sourcesFrozenAt === null || review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The review is ${nameStage(changeStage(review))}: it can be replayed only after it is prepared.`,
    );
  }
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    await setOneMoment(inside);
    const chosen = await readChosen(inside, review);
    const place = { id, revision: preparedRevision };
    const found = await replayItems(
      inside,
      snapshotItems(inside, place, chosen, sourcesFrozenAt, false),
      getAccountItemsSql(inside.tenantId, id),
    );
    const inputHash = await hashReview(inside, review, preparedRevision, sourcesFrozenAt);
    const isSame = inputHash === review.scopeHash && found.itemsHash === review.itemsHash;
    return {
      recordedInputHash: review.scopeHash,
      recordedItemsHash: review.itemsHash,
      inputHash,
      matches: isSame && found.differenceCount === 0,
      takenAsRecorded: ['which entitlements were chosen', 'which filter left an account out', 'what was reviewed before'],
      ...found,
    };
  });
}
