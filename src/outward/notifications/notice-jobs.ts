/**
 * Reactions to events here: jobs that write notices down. Which event calls for which job is in src/reactions.ts; reminders by date are remind.ts.
 * Where mail is not configured nothing is written down, and a review that asks for mail says so once.
 */
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { ROLES } from '../../foundation/directory/index.ts';
import { findReview, type ReviewRow } from '../../governance/reviews/index.ts';
import {
  type Notice,
  type NoticeKind,
  type OccurredRow,
  callNotify,
  findPlaceOfTask,
  hasAutomaticReport,
  hasSeveralSteps,
  insertNoticesForAsked,
  insertNoticesForEverybody,
  insertNoticesForNewlyAsked,
  insertNoticesForSets,
  insertNoticesForTask,
  insertNoticesForThemselves,
  listHolders,
  listOccurred,
} from './notices/index.ts';

/** The kinds of job, by what they follow; the subject is the review, or the task for those that end in `task`. */
export const noticeJobKinds = {
  started: 'mail.kickoff',
  decided: 'mail.next-step',
  reminded: 'mail.reminded',
  handedOver: 'mail.handed-over',
  closed: 'mail.closed',
  owners: 'mail.owners',
  closeHeld: 'mail.close-held',
  reported: 'mail.reported',
  task: 'mail.task',
} as const;

/** Notices that may wait for others like them wait until the next of these. */
const batchMs = 5 * 60_000;
/** Age at which an event stops being news. */
const newsMs = 7 * 86_400_000;
const maxEvents = 100;

/** True if mails leave: asked at each turn, since a tenant may bring a way of its own. */
export type IsConfigured = (context: Context) => Promise<boolean>;

type Wish = 'sendKickoff' | 'sendReminders' | 'sendClose';
const wishes: readonly Wish[] = ['sendKickoff', 'sendReminders', 'sendClose'];

function wants(review: ReviewRow, wish: Wish): boolean {
  return review.document.notificationConfig?.[wish] === true;
}

/** Finds when a notice leaves that is not urgent: with all others of these five minutes. */
export function batchAt(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + 1) / batchMs) * batchMs);
}

/** A notice about a review itself. */
function noticeOf(review: ReviewRow, kind: NoticeKind, dueAt: Date, more: Partial<Notice> = {}): Notice {
  return { kind, subjectId: review.id, slot: '', reviewId: review.id, data: {}, dueAt, ...more };
}

/** Events about something that are news, with a notice each: its slot is the event. */
export function listNews<K extends EventKind>(context: Context, kind: K, targetId: string): Promise<OccurredRow<K>[]> {
  return listOccurred(context, kind, targetId, new Date(context.now.getTime() - newsMs), maxEvents);
}

/** A job that does one thing about a review that is there, and calls for mails when something was written down. */
function forReview(
  isConfigured: IsConfigured,
  work: (context: Context, review: ReviewRow) => Promise<Date | undefined>,
  whenNot?: (context: Context, review: ReviewRow) => Promise<void>,
): JobKind {
  return {
    // Giving up would silently leave people without their mails.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context, job) {
      const review = await findReview(context, job.subjectId);
      if (review === undefined || review.state === 'DELETED') {
        return 'finished';
      }
      if (!(await isConfigured(context))) {
        await whenNot?.(context, review);
        return 'finished';
      }
      const dueAt = await work(context, review);
      if (dueAt !== undefined) {
        await callNotify(context, dueAt);
      }
      return 'finished';
    },
  };
}

/** A review that asks for mail where none leaves: the event shows it, and the review goes on. */
async function recordMissing(context: Context, review: ReviewRow): Promise<void> {
  const asked = wishes.filter((wish) => wants(review, wish));
  if (asked.length > 0) {
    await recordEvent(context, { kind: 'mail.not_configured', targetId: review.id, data: { asked } });
  }
}

async function informStarted(context: Context, review: ReviewRow): Promise<Date | undefined> {
  if (!wants(review, 'sendKickoff')) {
    return undefined;
  }
  await insertNoticesForAsked(context, noticeOf(review, 'KICKOFF', context.now));
  return context.now;
}

async function informReminded(context: Context, review: ReviewRow): Promise<Date> {
  for (const { id, data } of await listNews(context, 'review.reminded', review.id)) {
    const notice = noticeOf(review, 'REVIEW_REMINDED', context.now, { slot: id });
    await insertNoticesForAsked(context, notice, { named: data.userIds, leftOut: data.leftOutUserIds });
  }
  return context.now;
}

async function informHandedOver(context: Context, review: ReviewRow): Promise<Date> {
  const dueAt = batchAt(context.now);
  for (const { id, data } of await listNews(context, 'review.reviewer_handed_over', review.id)) {
    await insertNoticesForSets(context, noticeOf(review, 'HANDED_OVER', dueAt, { slot: id }), data.assignmentIds ?? []);
    if (data.nobodyLeft === true) {
      const holders = await listHolders(context, ROLES.SUPER_ADMINISTRATOR.id);
      await insertNoticesForThemselves(context, noticeOf(review, 'UNASSIGNED', dueAt, { slot: id }), holders);
    }
  }
  return dueAt;
}

async function informClosed(context: Context, review: ReviewRow): Promise<Date | undefined> {
  if (review.state !== 'CLOSED' || !wants(review, 'sendClose')) {
    return undefined;
  }
  await insertNoticesForEverybody(context, noticeOf(review, 'CLOSED', context.now), review.ownerIds);
  return context.now;
}

const ownersNews = [
  ['review.prepare_failed', 'PREPARE_FAILED'],
  ['review.start_failed', 'START_FAILED'],
  ['review.start_held', 'START_HELD'],
] as const satisfies readonly (readonly [EventKind, NoticeKind])[];

async function informOwners(context: Context, review: ReviewRow): Promise<Date> {
  for (const [event, kind] of ownersNews) {
    for (const { id, data } of await listNews(context, event, review.id)) {
      const error = ('error' in data ? data.error : '') ?? '';
      await insertNoticesForThemselves(
        context,
        noticeOf(review, kind, context.now, { slot: id, data: { error: error.slice(0, 1000) } }),
        review.ownerIds,
      );
    }
  }
  return context.now;
}

async function informCloseHeld(context: Context, review: ReviewRow): Promise<Date> {
  for (const { id, data } of await listNews(context, 'review.close_held', review.id)) {
    const people = [...(data.userIds ?? []), ...review.ownerIds];
    await insertNoticesForThemselves(context, noticeOf(review, 'ACKNOWLEDGEMENT_MISSING', context.now, { slot: id }), people);
  }
  return context.now;
}

async function informReported(context: Context, review: ReviewRow): Promise<Date> {
  for (const { data } of await listNews(context, 'report.generated', review.id)) {
    const { reportId = '' } = data;
    if (await hasAutomaticReport(context, reportId)) {
      const notice = noticeOf(review, 'REPORT_READY', context.now, { subjectId: reportId });
      await insertNoticesForThemselves(context, notice, review.ownerIds);
    }
  }
  return context.now;
}

/** A task that somebody was reminded of or asked by anew: the people it asks now, but for those it asked before. */
const taskNews = [
  ['task.reminded', 'TASK_REMINDED'],
  ['task.reassigned', 'ASSIGNED'],
  ['task.restarted', 'ASSIGNED'],
  ['task.hard_reset', 'ASSIGNED'],
  ['task.escalated', 'ESCALATED'],
] as const satisfies readonly (readonly [EventKind, NoticeKind])[];

async function informOfTask(context: Context, taskId: string, reviewId: string): Promise<Date> {
  let first = batchAt(context.now);
  for (const [event, kind] of taskNews) {
    // Only the latest of a kind: people are those whom the task asks now.
    const latest = (await listNews(context, event, taskId)).at(-1);
    if (latest !== undefined) {
      const dueAt = kind === 'TASK_REMINDED' ? context.now : batchAt(context.now);
      const notice: Notice = { kind, subjectId: taskId, slot: latest.id, reviewId, data: {}, dueAt };
      const added = await insertNoticesForTask(context, notice, {
        named: kind === 'TASK_REMINDED' && 'userIds' in latest.data ? latest.data.userIds : undefined,
        leftOut: 'oldUserIds' in latest.data ? latest.data.oldUserIds : undefined,
      });
      first = added > 0 && dueAt < first ? dueAt : first;
    }
  }
  return first;
}

/** Informs whom the task of a removal asks, and says how many notices are new. */
export type InformOfRemovalTask = (context: Context, taskId: string, removalId: string, dueAt: Date) => Promise<number>;

function taskJob(isConfigured: IsConfigured, informOfRemovalTask: InformOfRemovalTask): JobKind {
  return {
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context, job) {
      const place = await findPlaceOfTask(context, job.subjectId);
      if (place === undefined || !(await isConfigured(context))) {
        return 'finished';
      }
      if (place.removalId === null) {
        await callNotify(context, await informOfTask(context, job.subjectId, place.reviewId));
      } else if ((await informOfRemovalTask(context, job.subjectId, place.removalId, context.now)) > 0) {
        await callNotify(context, context.now);
      }
      return 'finished';
    },
  };
}

/**
 * A decision may ask those of the next step. They are looked for once in five minutes, however many decide, and only where a review has more than one
 * step and wants its people to be informed that they are asked.
 */
function nextStepJob(isConfigured: IsConfigured): JobKind {
  return {
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context: Context, job: Job): Promise<ChunkResult> {
      const review = await findReview(context, job.subjectId);
      const isWanted = review?.state === 'OPEN' && wants(review, 'sendKickoff') && (await hasSeveralSteps(context, review.id));
      if (!isWanted || !(await isConfigured(context))) {
        return 'finished';
      }
      if (job.cursor.hasWaited !== true) {
        return { cursor: { hasWaited: true }, done: 0, total: 0, runAt: batchAt(context.now) };
      }
      await insertNoticesForNewlyAsked(context, noticeOf(review, 'ASSIGNED', context.now));
      await callNotify(context, context.now);
      return 'finished';
    },
  };
}

/** The jobs that follow events. */
export function createNoticeJobs(isConfigured: IsConfigured, informOfRemovalTask: InformOfRemovalTask): ReadonlyMap<string, JobKind> {
  return new Map([
    [noticeJobKinds.started, forReview(isConfigured, informStarted, recordMissing)],
    [noticeJobKinds.decided, nextStepJob(isConfigured)],
    [noticeJobKinds.reminded, forReview(isConfigured, informReminded)],
    [noticeJobKinds.handedOver, forReview(isConfigured, informHandedOver)],
    [noticeJobKinds.closed, forReview(isConfigured, informClosed)],
    [noticeJobKinds.owners, forReview(isConfigured, informOwners)],
    [noticeJobKinds.closeHeld, forReview(isConfigured, informCloseHeld)],
    [noticeJobKinds.reported, forReview(isConfigured, informReported)],
    [noticeJobKinds.task, taskJob(isConfigured, informOfRemovalTask)],
  ]);
}
