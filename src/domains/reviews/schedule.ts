/**
 * Starting a staged review at the date it names: a job that waits until then and looks again, so that a changed date holds.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { isAppError } from '../../errors.ts';
import { enqueueJob, type JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { textOf } from './document.ts';
import { beginStart } from './start.ts';
import { lockReview, updateReview } from './store.ts';

/** The kind of the job that waits for the date. */
export const scheduleKind = 'review.schedule';

/** How often a waiting review is looked at, at least: a date that was moved forward holds within this time. */
const lookEveryMs = 30_000;

/** When a review starts by itself: its scheduledStartDate, if autoStartCampaign is on. */
export function findScheduledStart(document: JsonObject): Date | undefined {
  const text = textOf(document, 'scheduledStartDate');
  return document.autoStartCampaign === true && text !== '' ? new Date(text) : undefined;
}

function nextLook(now: Date, startAt: Date): Date {
  return new Date(Math.min(startAt.getTime(), now.getTime() + lookEveryMs));
}

/** Puts the waiting job into the queue. */
export async function scheduleStart(context: Context, id: string, startAt: Date): Promise<void> {
  await enqueueJob(
    context.db,
    { tenantId: context.tenantId, kind: scheduleKind, subjectId: id, runAt: nextLook(context.now, startAt) },
    context.now,
  );
}

/** Waits while the review is PENDING; starts it at its date, or back to REVIEW where the date is gone or the start is refused. */
export const scheduleJob: JobKind = {
  async handler(context, job) {
    const review = await lockReview(context, job.subjectId);
    if (review === undefined || review.state !== 'PENDING') {
      return 'finished';
    }
    const startAt = findScheduledStart(review.document);
    if (startAt === undefined) {
      await updateReview(context, review.id, { state: 'REVIEW' });
      await recordEvent(context, { kind: 'review.unscheduled', targetType: 'access_review', targetId: review.id, data: {} });
      return 'finished';
    }
    if (startAt.getTime() > context.now.getTime()) {
      return { cursor: {}, done: 0, total: 0, runAt: nextLook(context.now, startAt) };
    }
    try {
      await beginStart(context, review);
    } catch (error) {
      if (!isAppError(error, 'FAILED_PRECONDITION')) {
        throw error;
      }
      await updateReview(context, review.id, { state: 'REVIEW', phase: 'START', phaseError: error.message });
      await recordEvent(context, {
        kind: 'review.start_failed',
        targetType: 'access_review',
        targetId: review.id,
        data: { error: error.message },
      });
    }
    return 'finished';
  },
};
