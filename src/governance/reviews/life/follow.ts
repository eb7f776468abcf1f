/**
 * Following what happens around open reviews: tasks whose access is gone end (whatever a later sync left out only where the review says
 * autoResolve), and those of reviewers who were disabled change hands. One job of
 * the tenant each, called for by the events that can be the reason, and ended when nothing is left to look at.
 */
import type { JobKind } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';
import { endGone, findStaleBatch, type GonePlace, goneStart, handOver } from '../../tasks/index.ts';
import { findOutdatedReview, lockReview, type ReviewRow, updateAccessRevision } from '../record/index.ts';
import { findRevision } from '../../../inventory/ledger/index.ts';

/** The kind of the job that follows the inventory; its subject is the tenant. */
export const accessKind = 'reviews.access';

/** The kind of the job that follows people; its subject is the tenant. */
export const peopleKind = 'reviews.people';

/** The review, locked, if it is open and not being closed. */
async function lockOpenReview(context: Context, id: string): Promise<ReviewRow | undefined> {
  const review = await lockReview(context, id);
  return review?.state === 'OPEN' && !review.closing ? review : undefined;
}

/** Place of following the inventory: behind a review, and within the next one where that has begun. */
interface AccessCursor {
  readonly behind?: string;
  readonly within?: { readonly reviewId: string; readonly from: number; readonly to: number; readonly place: GonePlace };
}

/** Ends tasks of open reviews by the revisions that none of them has followed yet, review by review. */
export const accessJob: JobKind = {
  // Giving up would leave tasks open that nobody should decide any more.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const cursor = job.cursor as AccessCursor;
    const within = cursor.within ?? (await findNext(context, cursor.behind ?? ''));
    if (within === undefined) {
      return 'finished';
    }
    const { reviewId, from, to } = within;
    const review = await lockOpenReview(context, reviewId);
    if (review === undefined) {
      return { cursor: { behind: reviewId }, done: job.done, total: 0 };
    }
    const followed = { id: reviewId, autoResolves: review.document.autoResolve === true };
    const { place, ended } = await endGone(context, followed, { from, to }, within.place);
    if (place !== undefined) {
      return { cursor: { behind: cursor.behind, within: { ...within, place } }, done: job.done + ended, total: 0 };
    }
    await updateAccessRevision(context, reviewId, to);
    return { cursor: { behind: reviewId }, done: job.done + ended, total: 0 };
  },
};

async function findNext(context: Context, behind: string): Promise<AccessCursor['within']> {
  const to = await findRevision(context);
  const next = await findOutdatedReview(context, behind, to);
  return next === undefined ? undefined : { reviewId: next.id, from: next.accessRevision, to, place: goneStart };
}

/** Hands on what disabled reviewers of open reviews were asked, review by review. */
export const peopleJob: JobKind = {
  // Giving up would leave tasks with people who can never decide them.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const reviewId = await findStaleBatch(context, 'CERTIFY', behind);
    if (reviewId === undefined) {
      return 'finished';
    }
    const isOpen = (await lockOpenReview(context, reviewId)) !== undefined;
    const handed = isOpen ? (await handOver(context, 'CERTIFY', reviewId)).handed : 0;
    return { cursor: { behind: reviewId }, done: job.done + handed, total: 0 };
  },
};
