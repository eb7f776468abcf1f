/**
 * Events of a review at a date: it is prepared and started, or it closes. The database keeps when the next such moment of each review is
 * (`next_at`); one job of the tenant finds those that have come and sleeps as a call until the next.
 */
import { AppError, isAppError } from '../../../errors.ts';
import { callDue, callJobs, type JobKind } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';
import type { EventKind, OccurredEvent } from '../../../events/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { findDraftAccuracy, flaggedSources, isAcknowledged, nameSources } from '../evidence/index.ts';
import {
  type ReviewRow,
  type SourceAccuracy,
  changesSchedule,
  findNextMoment,
  findRunningBefore,
  freshSchedule,
  isReviewDue,
  listDueReviews,
  lockReview,
  updateHeldDrafts,
  updateReview,
} from '../record/index.ts';
import { beginClose } from './close.ts';
import { checkScope } from '../scope/index.ts';
import { beginPrepare } from './prepare.ts';
import { beginStart } from './start.ts';

/** The kind of the job that finds the reviews whose moment has come; its subject is the tenant. */
export const timersKind = 'reviews.timers';

/** The kind of the job that does what is due; its subject is the review. */
export const dueKind = 'review.due';

/** The kind of the job that looks again at drafts that wait for their data; its subject is the tenant. */
export const heldKind = 'reviews.held';

/** Time a draft waits for its data before the next look, whatever happens in between. */
const dataPauseMs = 15 * 60_000;

/** Time a close waits for its acknowledgement before it is said again. */
const closePauseMs = 86_400_000;

/** Events after which something may be due, whatever they changed. */
export const timerEvents: readonly EventKind[] = [
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

/** True if an update may have changed when something happens to a review by itself, or what kept it from happening. */
export function changesDates({ data }: OccurredEvent<'review.updated'>): boolean {
  return (data?.fields ?? []).some(changesSchedule);
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
    // Two looks may call for one review: the first did what was due, or said why it stopped.
    if (review === undefined || !(await isReviewDue(context, review.id))) {
      return 'finished';
    }
    // Nothing else is due by itself than a start, in these two states, and the close of what is open (`review_next_at`).
    if (review.state === 'OPEN') {
      await closeByDate(context, review);
    } else if ((await findRunningBefore(context, review.id)) === undefined) {
      await (review.state === 'DRAFT' ? prepareByDate : startByDate)(context, review);
    }
    return 'finished';
  },
};

/** True if old data holds what happens by date; else it goes on, and the event of the start names the sources. */
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
  await callJobs(db, [{ tenantId, kind: timersKind, subjectId: tenantId, runAt: lookAt, calledAt: now }]);
}

async function recordHeld(context: Context, review: ReviewRow, flagged: readonly SourceAccuracy[]): Promise<void> {
  await recordEvent(context, {
    kind: 'review.start_held',
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

/** Stops trying what was refused until somebody changes the review. Throws what is no refusal. */
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
