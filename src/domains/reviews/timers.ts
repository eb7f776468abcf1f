/**
 * What happens to a review at a date: it is prepared and started, or it closes. The database keeps when the next such moment of each review is (`next_at`); one job
 * of the tenant finds those that have come and sleeps as a call until the next.
 */
import { AppError, isAppError } from '../../errors.ts';
import { callDue, callJobs, type JobKind } from '../../jobs/index.ts';
import type { Context, OccurredEvent } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { findDraftAccuracy, flaggedSources, nameSources } from './accuracy.ts';
import { isAcknowledged } from './acknowledge.ts';
import { changesSchedule } from './changeable.ts';
import { beginClose } from './close.ts';
import { checkScope } from './freeze-scope.ts';
import { beginPrepare } from './prepare.ts';
import { findScheduledClose, findScheduledStart, hasCome } from './schedule.ts';
import { beginStart } from './start.ts';
import { findRunningBefore } from './store-predecessor.ts';
import {
  findNextMoment,
  freshSchedule,
  listDueReviews,
  lockReview,
  type ReviewRow,
  type SourceAccuracy,
  updateHeldDrafts,
  updateReview,
} from './store.ts';

/** The kind of the job that finds the reviews whose moment has come; its subject is the tenant. */
export const timersKind = 'reviews.timers';

/** The kind of the job that does what is due; its subject is the review. */
export const dueKind = 'review.due';

/** The kind of the job that looks again at drafts that wait for their data; its subject is the tenant. */
export const heldKind = 'reviews.held';

/** How long a draft waits for its data before the next look, whatever happens in between. */
const dataPauseMs = 15 * 60_000;

/** How long a close waits for its acknowledgement before it is said again. */
const closePauseMs = 86_400_000;

/** Events after which something may be due, whatever they changed. */
export const timerEvents: readonly string[] = [
  'review.prepared',
  'review.scheduled',
  'review.started',
  // What waits for its predecessor goes on.
  'review.closed',
  'review.deleted',
  'review.created',
  'review.reset',
  'review.scope_changed',
  'review.owners_changed',
  'review.acknowledged',
  'review.acknowledgement_set',
];

/** Whether an update may have changed when something happens to a review by itself, or what kept it from happening. */
export function changesDates({ data = {} }: OccurredEvent): boolean {
  const { fields } = data as { readonly fields?: readonly string[] };
  return (fields ?? []).some(changesSchedule);
}

/** Calls for what is due of each review, then for itself at the next moment there is. */
export const timersJob: JobKind = {
  // Giving up would silently end all that happens by itself.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  handler: (context, job) => callDue(context, job, { kind: timersKind, dueKind, list: listDueReviews, findNextMoment }),
};

/**
 * Prepares, starts or closes the review, if that is due as its state and dates are now. What begins by date waits while an earlier review of the same
 * template runs: its close looks again.
 */
export const dueJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const review = await lockReview(context, job.subjectId);
    const { now } = context;
    if (review === undefined) {
      return 'finished';
    }
    const mayStart = hasCome(findScheduledStart(review.document), now) && (await findRunningBefore(context, review.id)) === undefined;
    if (review.state === 'DRAFT' && mayStart) {
      await prepareByDate(context, review);
    } else if (review.state === 'PENDING' && mayStart) {
      await startByDate(context, review);
    } else if (review.state === 'OPEN' && !review.closing && hasCome(findScheduledClose(review.document), now)) {
      await closeByDate(context, review);
    }
    return 'finished';
  },
};

/** Whether old data holds what happens by date; else it goes on, and the event of the start names the sources. */
function waitsForData(review: ReviewRow): boolean {
  return review.document.accuracyIssueAction === 'ACCURACY_ISSUE_ACTION_WAIT';
}

/** Leaves what is due for a later look, with an event the first time. */
async function hold(context: Context, review: ReviewRow, flagged: readonly SourceAccuracy[]): Promise<void> {
  await lookLater(context, review, dataPauseMs);
  if (review.heldAt === null) {
    await recordHeld(context, review, flagged);
  }
}

async function lookLater(context: Context, review: ReviewRow, pauseMs: number): Promise<void> {
  const { db, tenantId, now } = context;
  const lookAt = new Date(now.getTime() + pauseMs);
  await updateReview(context, review.id, { lookAt, heldAt: review.heldAt ?? now });
  await callJobs(db, [{ tenantId, kind: timersKind, subjectId: tenantId, runAt: lookAt }]);
}

async function recordHeld(context: Context, review: ReviewRow, flagged: readonly SourceAccuracy[]): Promise<void> {
  await recordEvent(context, {
    kind: 'review.start_held',
    targetType: 'access_review',
    targetId: review.id,
    data: { state: review.state, displayName: review.document.displayName, sources: flagged },
  });
}

/** Prepares a draft, which starts once it is staged; holds it while its data is old and it waits for that; says why where it is refused. */
async function prepareByDate(context: Context, review: ReviewRow): Promise<void> {
  const flagged = waitsForData(review) ? flaggedSources(await findDraftAccuracy(context, review)) : [];
  if (flagged.length > 0) {
    await hold(context, review, flagged);
    return;
  }
  try {
    await checkScope(context, review);
  } catch (error) {
    await stopSchedule(context, review, 'PREPARE', error);
    return;
  }
  await updateReview(context, review.id, freshSchedule);
  await beginPrepare(context, review.id);
}

/** Starts the review, or takes it back to REVIEW where the start is refused or its snapshot is of old data. */
async function startByDate(context: Context, review: ReviewRow): Promise<void> {
  const flagged = waitsForData(review) ? flaggedSources(review.accuracy) : [];
  if (flagged.length > 0) {
    await recordHeld(context, review, flagged);
    const message = `The snapshot was taken while sources were not up to date: ${nameSources(flagged)}. Sync them, reset the review, and prepare it again.`;
    await stopSchedule(context, review, 'START', new AppError('FAILED_PRECONDITION', message));
    return;
  }
  try {
    await beginStart(context, review);
  } catch (error) {
    await stopSchedule(context, review, 'START', error);
  }
}

/** What was refused is not tried again before somebody changes the review. Throws what is no refusal. */
async function stopSchedule(context: Context, review: ReviewRow, phase: 'PREPARE' | 'START', error: unknown): Promise<void> {
  if (!isAppError(error, 'FAILED_PRECONDITION')) {
    throw error;
  }
  const state = phase === 'PREPARE' ? 'DRAFT' : 'REVIEW';
  await updateReview(context, review.id, {
    ...freshSchedule,
    state,
    phase,
    phaseError: error.message,
    scheduleStopped: phase === 'PREPARE',
  });
  await recordEvent(context, {
    kind: phase === 'PREPARE' ? 'review.prepare_failed' : 'review.start_failed',
    targetType: 'access_review',
    targetId: review.id,
    data: { error: error.message, byDate: true },
  });
}

/** Closes the review; waits day by day, with an event each, while its decisions have to be acknowledged. */
async function closeByDate(context: Context, review: ReviewRow): Promise<void> {
  if (await isAcknowledged(context, review)) {
    await beginClose(context, review, '');
    return;
  }
  await lookLater(context, review, closePauseMs);
  await recordEvent(context, {
    kind: 'review.close_held',
    targetType: 'access_review',
    targetId: review.id,
    data: {
      displayName: review.document.displayName,
      userIds: review.acknowledgement.userIds ?? [],
      since: (review.heldAt ?? context.now).toISOString(),
    },
  });
}

/** Looks at drafts that wait for their data at once: something was synced. */
export const heldJob: JobKind = {
  async handler(context) {
    if ((await updateHeldDrafts(context)) > 0) {
      await callJobs(context.db, [{ tenantId: context.tenantId, kind: timersKind, subjectId: context.tenantId, runAt: context.now }]);
    }
    return 'finished';
  },
};
