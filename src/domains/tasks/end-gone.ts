/**
 * Ending tasks whose access is gone from the inventory: those of a review by what ended since a revision, and one that was opened again.
 */
import type { JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import type { BulkResult } from './store-bulk.ts';
import { type EndedGrant, listDeletedApps, type Revisions, updateGoneTask, updateTasksOfApps, updateTasksOfEnded } from './store-gone.ts';

/** The kind of the job that looks at one task; its subject is the task. */
export const checkTaskKind = 'task.check';

/** Tasks, or grants that ended, of one transaction. */
const perChunk = 10_000;

/** Where a look at a review stands: behind a task about a deleted app, or behind a grant that ended once those are through. */
export type GonePlace = { readonly taskId: string } | { readonly grant: EndedGrant | undefined };

/** Before the first. */
export const goneStart: GonePlace = { taskId: '' };

/**
 * Ends the next open tasks of a review whose grant or app went by one of these revisions; `place` is undefined when nothing is left. One event for
 * the piece. The review is locked and open.
 */
export async function endGone(
  context: Context,
  reviewId: string,
  revisions: Revisions,
  place: GonePlace,
): Promise<{ place: GonePlace | undefined; ended: number }> {
  if ('taskId' in place) {
    const appIds = await listDeletedApps(context, revisions);
    if (appIds.length > 0) {
      const piece = await updateTasksOfApps(context, reviewId, appIds, place.taskId, perChunk);
      await recordGone(context, reviewId, piece);
      return { place: piece.last === null ? { grant: undefined } : { taskId: piece.last }, ended: piece.count };
    }
  }
  const piece = await updateTasksOfEnded(context, reviewId, revisions, 'grant' in place ? place.grant : undefined, perChunk);
  await recordGone(context, reviewId, piece);
  return { place: piece.last === null ? undefined : { grant: piece.last }, ended: piece.count };
}

async function recordGone(context: Context, reviewId: string, { count, digest }: BulkResult): Promise<void> {
  if (count > 0) {
    await recordEvent(context, {
      kind: 'review.tasks_ended',
      targetType: 'access_review',
      targetId: reviewId,
      data: { count, digest, outcome: 'CANCELLED', reason: 'GRANT_GONE' },
    });
  }
}

/** Ends a task that was opened again although its access had gone meanwhile: no revision will report that any more. */
export const checkTaskJob: JobKind = {
  async handler(context, job) {
    const { reviewId, ...piece } = await updateGoneTask(context, job.subjectId);
    if (reviewId !== undefined) {
      await recordGone(context, reviewId, piece);
    }
    return 'finished';
  },
};
