/** Progress of the work behind a review's last action, and of its tasks. */
import { findJob } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';
import { countDroppedPending, countOutcomes, type TaskCounts } from '../../tasks/index.ts';
import { type ReviewRow, requireReview } from '../record/index.ts';

/** Work that runs or ran last, and how far; `error` is empty while it goes well. */
export interface Progress {
  readonly phase: ReviewRow['phase'];
  readonly done: number;
  readonly total: number;
  readonly error: string;
  readonly running: boolean;
  readonly updatedAt: Date | undefined;
}

/** The progress of a review the caller may see. */
export async function readProgress(context: Context, review: ReviewRow): Promise<Progress> {
  const job = review.phaseJobId === '' ? undefined : await findJob(context.db, context.tenantId, review.phaseJobId);
  const running = job?.state === 'WAITING';
  return {
    phase: review.phase,
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    error: review.phaseError || (running ? (job?.error ?? '') : ''),
    running,
    updatedAt: job?.updatedAt,
  };
}

/** Counts the tasks of a review that the caller may see; NOT_FOUND for others. */
export async function readCounts(context: Context, id: string): Promise<TaskCounts & { readonly droppedPending: number }> {
  const review = await requireReview(context, id, 'read');
  return { ...(await countOutcomes(context, review.id)), droppedPending: await countDroppedPending(context, review.id) };
}
