/**
 * Working the items of a prepared review out again, from what its snapshot froze and from the grants of that revision, whatever was imported
 * since. Nothing is written.
 */
import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { nameStage, stageOf } from './changeable.ts';
import { itemsOf } from './freeze.ts';
import { readChosen } from './freeze-scope.ts';
import { hashScope } from './hash-scope.ts';
import { mayReadEvidence, requireReview } from './permit.ts';
import type { ReviewRow } from './store.ts';
import { setOneMoment } from './store-freeze.ts';
import { findReplayedPiece, findReplayEnd, type ReplayDifference } from './store-hash.ts';
import type { SnapshotItems } from './store-items.ts';
import { listSetupRows } from './store-setup.ts';

/** What a replay came to. */
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

/** Accounts worked out in one statement. */
const accountsPerPiece = 5_000;

/** Differences that are answered. */
const mostDifferences = 100;

/** The hash of what a review's scope said when its snapshot was taken. */
export async function hashReview(context: Context, review: ReviewRow, revision: number, takenAt: Date): Promise<string> {
  const { entries } = await readChosen(context, review);
  return hashScope(review.document, { ...(await listSetupRows(context, review.id)), entries }, revision, takenAt);
}

/** Goes through the accounts of the snapshot piece by piece. */
async function replayItems(context: Context, items: SnapshotItems) {
  const all = createHash('sha256');
  // Pieces are in the order of ids, and in the hash of an app all its accounts stand before its resources, of which there are few.
  let app: { readonly id: string; readonly hash: Hash; readonly resources: Buffer[] } | undefined;
  const endApp = () => {
    for (const digests of app?.resources ?? []) {
      app?.hash.update(digests);
    }
    all.update(app?.hash.digest() ?? '');
  };
  const differences: ReplayDifference[] = [];
  let count = 0;
  let differenceCount = 0;
  for (let after = { appId: '', accountId: '' }; ; ) {
    const end = await findReplayEnd(context, items.id, after, accountsPerPiece);
    if (end === undefined) {
      break;
    }
    const piece = await findReplayedPiece(context, items, { after, end, limit: mostDifferences });
    for (const { appId, kind, digests, items: found } of piece.apps) {
      if (app?.id !== appId) {
        endApp();
        app = { id: appId, hash: createHash('sha256').update(appId), resources: [] };
      }
      if (kind === 'A') {
        app.hash.update(digests);
      } else {
        app.resources.push(digests);
      }
      count += found;
    }
    differenceCount += piece.differences;
    differences.push(...piece.first.slice(0, mostDifferences - differences.length));
    after = end;
  }
  endApp();
  return { itemsHash: all.digest('hex'), items: count, differenceCount, differences };
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
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stageOf(review))}: it can be replayed only after it is prepared.`);
  }
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    await setOneMoment(inside);
    const chosen = await readChosen(inside, review);
    const place = { id, revision: preparedRevision };
    const found = await replayItems(inside, itemsOf(inside, place, chosen, sourcesFrozenAt, false));
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
