/**
 * Folding what changed into the counters of progress, so that reading them stays fast whatever was decided since. Nothing but speed depends on it.
 */
import { type Context, inTransaction } from '../../../context.ts';
import { callJobs, type JobKind } from '../../../jobs/index.ts';
import { findUnfoldedReview, hasUnfolded, updateProgress } from './store-progress.ts';

/** The kind of the job that folds; its subject is the tenant. */
export const foldKind = 'tasks.progress';

/** Changes of one chunk: one row for each decision made alone, several for a piece of bulk work. */
const changesPerChunk = 20_000;

/** From how many changes on a reader calls for the job: below, adding them up costs less than that. */
const manyChanges = 2_000;

/** Calls for the job where a review has many changes that nobody folded: decisions made one by one call for nothing. */
export async function foldWhereMany(context: Context, reviewId: string): Promise<void> {
  if (await hasUnfolded(context, reviewId, manyChanges)) {
    const { tenantId, now } = context;
    await inTransaction(context, ({ db }) => callJobs(db, [{ tenantId, kind: foldKind, subjectId: tenantId, runAt: now }]));
  }
}

/** Folds the changes of one review after another. */
export const foldJob: JobKind = {
  async handler(context, job) {
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const reviewId = await findUnfoldedReview(context, behind);
    if (reviewId === undefined) {
      return 'finished';
    }
    const folded = await updateProgress(context, reviewId, changesPerChunk);
    return { cursor: { behind: folded < changesPerChunk ? reviewId : behind }, done: job.done + folded, total: 0 };
  },
};
