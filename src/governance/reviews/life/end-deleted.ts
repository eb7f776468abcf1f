/**
 * The job that ends the open tasks of a deleted review: cancelled, with the reason that the review was deleted. Nothing of them has been
 * decidable since the delete itself.
 */
import type { JobKind } from '../../../jobs/index.ts';
import { endUndecided } from '../../tasks/index.ts';

/** The name of the job; its subject is the review. */
export const endDeletedKind = 'review.end-deleted';

/** Ends the tasks piece by piece. */
export const endDeletedJob: JobKind = {
  async handler(context, job) {
    const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
    const piece = await endUndecided(context, job.subjectId, after, { outcome: 'CANCELLED', reason: 'DELETED' });
    const done = job.done + piece.ended;
    return piece.after === undefined ? 'finished' : { cursor: { after: piece.after }, done, total: Math.max(done, job.total) };
  },
};
