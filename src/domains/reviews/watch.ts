/**
 * Looking after an open review: reviewers who were disabled hand on, tasks whose access is gone end, and a review that closes by itself is
 * closed at its date. A job of its own per open review looks every few seconds; a look costs in proportion to the reviewer sets.
 */
import { enqueueJob, type Job, type JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { findRevision } from '../ledger/index.ts';
import { endGone, handOver } from '../tasks/index.ts';
import { beginClose } from './close.ts';
import { textOf } from './document.ts';
import { findReview, lockReview, type ReviewRow } from './store.ts';

/** The kind of the job that looks after an open review. */
export const watchKind = 'review.watch';

const lookEveryMs = 10_000;

/** Begins to look after a review that was just opened. */
export async function watchReview(context: Context, id: string): Promise<void> {
  const runAt = new Date(context.now.getTime() + lookEveryMs);
  await enqueueJob(context.db, { tenantId: context.tenantId, kind: watchKind, subjectId: id, runAt }, context.now);
}

function isDue(review: ReviewRow, now: Date): boolean {
  const date = textOf(review.document, 'completionDate');
  return review.document.autoCloseCampaign === true && date !== '' && new Date(date).getTime() <= now.getTime();
}

/** Where a watch stands: grants were compared at this revision, or are being compared behind this task. */
interface WatchCursor {
  readonly revision?: number;
  readonly comparing?: number;
  readonly after?: string;
}

/** How an open review is looked after, until it is not open any more. */
export const watchJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context: Context, job: Job) {
    const review = await findReview(context, job.subjectId);
    if (review === undefined || review.state !== 'OPEN' || review.closing) {
      return 'finished';
    }
    if (isDue(review, context.now)) {
      const locked = await lockReview(context, review.id);
      if (locked?.state === 'OPEN' && !locked.closing) {
        await beginClose(context, locked, '');
      }
      return 'finished';
    }
    const cursor = job.cursor as WatchCursor;
    const seen = cursor.revision ?? review.preparedRevision ?? 0;
    const comparing = cursor.comparing ?? (await findRevision(context));
    if (comparing > seen) {
      const piece = await endGone(context, review.id, cursor.after ?? '');
      if (piece.after !== undefined) {
        return { cursor: { revision: seen, comparing, after: piece.after }, done: job.done + piece.ended, total: 0 };
      }
    }
    await handOver(context, review.id);
    return { cursor: { revision: comparing }, done: job.done, total: 0, runAt: new Date(context.now.getTime() + lookEveryMs) };
  },
};
