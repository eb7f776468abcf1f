/**
 * Ending tasks whose access is gone from the inventory: those of a review by what ended since a revision, and one that was opened again.
 */
import type { JobKind } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import type { BulkResult } from './store-bulk.ts';
import {
  type EndedGrant,
  type EndedLink,
  type FollowedReview,
  listDeletedApps,
  type Revisions,
  updateGoneTask,
  updateTasksOfApps,
  updateTasksOfEnded,
  updateTasksOfEndedLinks,
} from './store-gone.ts';

/** The kind of the job that looks at one task; its subject is the task. */
export const checkTaskKind = 'task.check';

/** Tasks, or grants that ended, of one transaction. */
const perChunk = 10_000;

/**
 * Place of a look at a review: behind a task about a deleted app, behind a grant that ended once those are through, and then behind a link. Kept as
 * JSON.
 */
export type GonePlace = { readonly taskId: string } | { readonly grant: EndedGrant | undefined } | { readonly link: EndedLink | null };

/** Before the first. */
export const goneStart: GonePlace = { taskId: '' };

/**
 * Ends the next open tasks of a review whose grant or app went by one of these revisions; `place` is undefined when nothing is left. One event for
 * the piece. The review is locked and open.
 */
export async function endGone(
  context: Context,
  review: FollowedReview,
  revisions: Revisions,
  place: GonePlace,
): Promise<{ place: GonePlace | undefined; ended: number }> {
  if ('taskId' in place) {
    const appIds = await listDeletedApps(context, revisions);
    if (appIds.length > 0) {
      const piece = await updateTasksOfApps(context, review.id, appIds, place.taskId, perChunk);
      await recordGone(context, review.id, piece);
      return { place: piece.last === null ? { grant: undefined } : { taskId: piece.last }, ended: piece.count };
    }
  }
  if ('link' in place) {
    const piece = await updateTasksOfEndedLinks(context, review, revisions, place.link ?? undefined, perChunk);
    await recordGone(context, review.id, piece);
    return { place: piece.last === null ? undefined : { link: piece.last }, ended: piece.count };
  }
  const piece = await updateTasksOfEnded(context, review, revisions, 'grant' in place ? place.grant : undefined, perChunk);
  await recordGone(context, review.id, piece);
  return { place: piece.last === null ? { link: null } : { grant: piece.last }, ended: piece.count };
}

/** Tasks that were ended, and how many of them because an object is deleted. */
type GoneResult = BulkResult & { readonly objectGone?: number };

async function recordGone(context: Context, reviewId: string, { count, digest, objectGone = 0 }: GoneResult): Promise<void> {
  if (count > 0) {
    await recordEvent(context, {
      kind: 'review.tasks_ended',
      targetId: reviewId,
      data: { count, digest, outcome: 'CANCELLED', reason: objectGone === count ? 'OBJECT_GONE' : 'GRANT_GONE', objectGone },
    });
  }
}

/** Ends a task that was opened again although its access had gone meanwhile: no revision will report that any more. */
export const checkTaskJob: JobKind = {
  async handler(context, job) {
    await endGoneTask(context, job.subjectId);
    return 'finished';
  },
};

/** Ends one open task of an open review if its access is gone, with its event. Only in a transaction. */
export async function endGoneTask(context: Context, taskId: string): Promise<void> {
  const { reviewId, ...piece } = await updateGoneTask(context, taskId);
  if (reviewId !== undefined) {
    await recordGone(context, reviewId, piece);
  }
}
