/**
 * The job that reminds people with open tasks: it looks at the open reviews that want it, writes down what is due, and is called again at the next
 * moment there is. After a time in which nobody ran it, only the latest reminder of a review goes out.
 */
import type { Context } from '../../context.ts';
import type { OccurredEvent } from '../../events/index.ts';
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { findTimeZone } from '../../foundation/tenants/index.ts';
import { callNotify, insertNoticesForAsked } from './notices/index.ts';
import { latestReminder, nextReminder } from './reminder-days.ts';
import { listRemindedReviews, type RemindedReview, removeReminders, updateRemindedTo } from './store-reminders.ts';

/** The kind of job; its subject is the tenant. */
export const remindersKind = 'mail.reminders';

/** Reviews of one transaction. */
const reviewsPerChunk = 50;

/** True if an update of a review may have changed when its people are reminded. */
export function changesReminders({ data }: OccurredEvent<'review.updated'>): boolean {
  return (data?.fields ?? []).some((field) => field.startsWith('notificationConfig') || field === 'completionDate');
}

/** Looks at the open reviews. */
export const remindersJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { db, tenantId } = context;
    const after = typeof job.cursor.after === 'string' ? job.cursor.after : '';
    let next = typeof job.cursor.next === 'number' ? job.cursor.next : Number.POSITIVE_INFINITY;
    const timeZone = await findTimeZone(db, tenantId);
    const reviews = await listRemindedReviews(context, after, reviewsPerChunk);
    for (const review of reviews) {
      next = Math.min(next, (await remindOf(context, review, timeZone)).getTime());
    }
    const last = reviews.at(-1);
    if (last !== undefined && reviews.length === reviewsPerChunk) {
      return { cursor: { after: last.id, next }, done: job.done + reviews.length, total: 0 };
    }
    await removeReminders(context);
    if (Number.isFinite(next)) {
      await callAgain(db, { tenantId, kind: remindersKind, subjectId: tenantId, runAt: new Date(next) }, context.now);
    }
    return 'finished';
  },
};

/** Writes down what is due of one review; returns when something is due again. */
async function remindOf(context: Context, review: RemindedReview, timeZone: string): Promise<Date> {
  const { now } = context;
  const { id: reviewId, startedAt, completionDate, remindedTo } = review;
  const plan = { startedAt, dueAt: completionDate === '' ? undefined : new Date(completionDate), timeZone };
  const due = remindedTo === null ? undefined : latestReminder(plan, remindedTo, now);
  if (due !== undefined) {
    await insertNoticesForAsked(context, { kind: 'REMINDER', subjectId: reviewId, slot: due.slot, reviewId, data: {}, dueAt: now });
    await callNotify(context, now);
  }
  if (due !== undefined || remindedTo === null) {
    await updateRemindedTo(context, reviewId, now);
  }
  return nextReminder(plan, now);
}
