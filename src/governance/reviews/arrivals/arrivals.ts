/**
 * Access that came into the scope of a review after its snapshot: grants that were added since, that the scope would choose now, and that the review did
 * not ask about. The snapshot stays as it was sealed; a supplementary review asks about them. Counted on demand until the review closes, then kept.
 */
import { AppError, isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { RowDigest } from '../../../lib/log/row-digest.ts';
import { newId } from '../../../wire/ids.ts';
import { findRevision } from '../../../inventory/ledger/index.ts';
import { readArrivals, removeSnapshot, type SnapshotPlace, withThrownAway } from '../../snapshots/index.ts';
import { changeStage, findReview, mayManageReview, nameStage, requireReview, type ReviewRow } from '../record/index.ts';
import { readChosen, toFreeze } from '../scope/index.ts';
import {
  type ArrivalKey,
  type ArrivalRow,
  countArrived,
  insertArrived,
  insertKept,
  listArrived,
  listSupplements,
  listUnaskedKeys,
  removeArrived,
  type Supplement,
} from './store-arrivals.ts';
import { findArrivalDigest } from './store-evidence.ts';

/** Counts of what came after the snapshot of a review. */
export interface ArrivalCounts {
  /** False where an earlier release closed the review, and where its scope could not be evaluated. */
  readonly counted: boolean;
  /** Counted at the close. */
  readonly final: boolean;
  readonly arrived: number;
  /** Those of them that supplementary reviews ask about. */
  readonly supplemented: number;
  readonly unasked: number;
  readonly supplements: readonly Supplement[];
  readonly supplementOf: Supplement | undefined;
}

const isFinal = ({ state }: ReviewRow): boolean => state === 'CLOSED';

/** True if a supplementary review can be made of a review: people are or were asked, and it is not about to close. */
export const isSupplementable = ({ state, closing }: ReviewRow): boolean => state === 'CLOSED' || (state === 'OPEN' && !closing);

/** Refuses reviews without a snapshot. */
function requireCountable(review: ReviewRow): void {
  if (review.preparedRevision === null || review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The review is ${nameStage(changeStage(review))}: what comes after its snapshot is counted once it is prepared.`,
    );
  }
}

/** Works out what came until now under the id of a snapshot that the caller lets go again, and returns the id. */
async function workOutArrived(context: Context, review: ReviewRow, place: SnapshotPlace): Promise<string> {
  const after = review.preparedRevision ?? 0;
  if (place.revision > after) {
    const arrivals = await readArrivals(context, toFreeze(context, review), place, await readChosen(context, review), after);
    if (arrivals !== undefined) {
      await insertArrived(context, place.id, review.id, arrivals, after);
    }
  }
  return place.id;
}

/** Does `work` with what came after the snapshot of a review: kept at its close, else worked out under an id that goes again. */
async function withArrived<T>(context: Context, review: ReviewRow, work: (context: Context, arrivedId: string) => Promise<T>): Promise<T> {
  if (isFinal(review)) {
    return work(context, review.id);
  }
  return context.db.inTransaction
    ? withRemoved(context, async (place) => work(context, await workOutArrived(context, review, place)))
    : withThrownAway(context, async (inside, place) => work(inside, await workOutArrived(inside, review, place)));
}

/** Does `work` with a place for a snapshot in the open transaction, and removes what was put there. */
async function withRemoved<T>(context: Context, work: (place: SnapshotPlace) => Promise<T>): Promise<T> {
  const place = { id: newId(context.now), revision: await findRevision(context) };
  const remove = async (): Promise<void> => {
    await removeSnapshot(context, place.id);
    await removeArrived(context, place.id);
  };
  let done: T;
  try {
    done = await work(place);
  } catch (error) {
    // After a fault of the database nothing can be done in the transaction any more, and nothing stays of it.
    if (isAppError(error, 'FAILED_PRECONDITION')) {
      await remove();
    }
    throw error;
  }
  await remove();
  return done;
}

async function findSupplementOf(context: Context, { id, supplementOfId }: ReviewRow): Promise<Supplement | undefined> {
  const of = supplementOfId === null ? undefined : await findReview(context, supplementOfId);
  if (of === undefined) {
    return undefined;
  }
  const own = (await listSupplements(context, of.id)).find(({ accessReviewId }) => accessReviewId === id);
  return { accessReviewId: of.id, displayName: of.document.displayName ?? '', items: own?.items ?? 0 };
}

/** Counts what came after the snapshot of a review, whoever asks. */
export async function findArrivalCounts(context: Context, review: ReviewRow): Promise<ArrivalCounts> {
  const beside = {
    final: isFinal(review),
    supplements: await listSupplements(context, review.id),
    supplementOf: await findSupplementOf(context, review),
  };
  const uncounted = { counted: false, arrived: 0, supplemented: 0, unasked: 0, ...beside };
  if (isFinal(review) && review.arrived === null) {
    return uncounted;
  }
  try {
    const { arrived, supplemented } = await withArrived(context, review, (inside, from) => countArrived(inside, review.id, from));
    return { counted: true, arrived, supplemented, unasked: arrived - supplemented, ...beside };
  } catch (error) {
    if (isAppError(error, 'FAILED_PRECONDITION')) {
      return uncounted;
    }
    throw error;
  }
}

/** Counts it for whoever may read the review, with whether the caller may have the rest asked about now. */
export async function readArrivalCounts(context: Context, id: string): Promise<ArrivalCounts & { readonly maySupplement: boolean }> {
  const review = await requireReview(context, id, 'read');
  requireCountable(review);
  const counts = await findArrivalCounts(context, review);
  return { ...counts, maySupplement: counts.unasked > 0 && isSupplementable(review) && mayManageReview(context.actor, review) };
}

/** A page of it, behind a key, whoever asks. */
export const listArrivals = (context: Context, review: ReviewRow, after: ArrivalKey | undefined, limit: number): Promise<ArrivalRow[]> =>
  withArrived(context, review, (inside, from) => listArrived(inside, review.id, from, after, limit));

/** A page of it, for whoever may read the review. */
export async function readArrivalPage(context: Context, id: string, after: ArrivalKey | undefined, limit: number): Promise<ArrivalRow[]> {
  const review = await requireReview(context, id, 'read');
  requireCountable(review);
  return listArrivals(context, review, after, limit);
}

/** The first of it that no review asks about, and how many there are. */
export const listUnasked = (context: Context, review: ReviewRow, limit: number) =>
  withArrived(context, review, (inside, from) => listUnaskedKeys(inside, review.id, from, limit));

/** What a close keeps, and the digest of it for its event. */
export interface KeptArrivals {
  /** Null where the scope could not be evaluated any more: that must not keep a review from closing. */
  readonly arrived: number | null;
  readonly evidence: Readonly<Record<string, RowDigest>>;
}

/** Keeps what came until now with a review that closes, in the open transaction. */
export async function keepArrivals(context: Context, review: ReviewRow, eventId: string): Promise<KeptArrivals> {
  try {
    const arrived = await withArrived(context, review, (inside, from) => insertKept(inside, review.id, eventId, from));
    return { arrived, evidence: await findArrivalDigest(context, eventId) };
  } catch (error) {
    if (isAppError(error, 'FAILED_PRECONDITION')) {
      context.log.error({ err: error, review: review.id }, 'what came after the snapshot of a review could not be counted');
      return { arrived: null, evidence: {} };
    }
    throw error;
  }
}
