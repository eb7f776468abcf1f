/**
 * What happens to a review at a date: it starts, or it closes. The database keeps when the next such moment of each review is (`next_at`); one job
 * of the tenant finds those that have come and sleeps as a call until the next.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { isAppError } from '../../errors.ts';
import { callAgain, callJobs, type JobKind } from '../../jobs/index.ts';
import type { Context, OccurredEvent } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { beginClose } from './close.ts';
import { textOf } from './document.ts';
import { beginStart } from './start.ts';
import { findNextMoment, listDueReviews, lockReview, type ReviewRow, updateReview } from './store.ts';

/** The kind of the job that finds the reviews whose moment has come; its subject is the tenant. */
export const timersKind = 'reviews.timers';

/** The kind of the job that does what is due; its subject is the review. */
export const dueKind = 'review.due';

/** Due reviews of one chunk. */
const duePerChunk = 1000;

const dates: readonly string[] = ['autoStartCampaign', 'scheduledStartDate', 'autoCloseCampaign', 'completionDate'];

/** Whether an update may have changed when something happens to a review by itself. */
export function changesDates({ data = {} }: OccurredEvent): boolean {
  const { fields } = data as { readonly fields?: readonly string[] };
  return (fields ?? []).some((field) => dates.includes(field));
}

/** When a staged review starts by itself: its scheduledStartDate, if autoStartCampaign is on. */
export function findScheduledStart(document: JsonObject): Date | undefined {
  return findDate(document, 'autoStartCampaign', 'scheduledStartDate');
}

function findDate(document: JsonObject, flag: string, member: string): Date | undefined {
  const text = textOf(document, member);
  return document[flag] === true && text !== '' ? new Date(text) : undefined;
}

/** Calls for what is due of each review, then for itself at the next moment there is. */
export const timersJob: JobKind = {
  // Giving up would silently end all that happens by itself.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { tenantId, now } = context;
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const due = await listDueReviews(context, behind, duePerChunk);
    await callJobs(
      context.db,
      due.map((id) => ({ tenantId, kind: dueKind, subjectId: id, runAt: now })),
    );
    const last = due.at(-1);
    if (last !== undefined && due.length === duePerChunk) {
      return { cursor: { behind: last }, done: job.done + due.length, total: 0 };
    }
    const next = await findNextMoment(context);
    if (next !== undefined) {
      await callAgain(context.db, { tenantId, kind: timersKind, subjectId: tenantId, runAt: next });
    }
    return 'finished';
  },
};

function isPast(date: Date | undefined, now: Date): boolean {
  return date !== undefined && date.getTime() <= now.getTime();
}

/** Starts or closes the review, if that is due as its state and dates are now. */
export const dueJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const review = await lockReview(context, job.subjectId);
    if (review?.state === 'PENDING' && isPast(findScheduledStart(review.document), context.now)) {
      await startByDate(context, review);
    } else if (
      review?.state === 'OPEN' &&
      !review.closing &&
      isPast(findDate(review.document, 'autoCloseCampaign', 'completionDate'), context.now)
    ) {
      await beginClose(context, review, '');
    }
    return 'finished';
  },
};

/** Starts the review, or takes it back to REVIEW where the start is refused. */
async function startByDate(context: Context, review: ReviewRow): Promise<void> {
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
}
