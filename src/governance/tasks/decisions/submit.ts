/**
 * A submission: up to 1000 decisions of one reviewer in one transaction. What can still be decided is decided, and every task has its
 * answer. A process that dies half-way leaves nothing behind: neither decisions nor locks.
 */
import { createHash } from 'node:crypto';
import { AppError, type FieldViolation } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { managesTask, refuseTasksState, seesAllTasks, standsFor, throwRefusal } from '../task/index.ts';
import { maxCommentLength } from './comment.ts';
import type { Decision } from './decision.ts';
import { answerAll, judgeAll, type SubmissionResult } from './judge.ts';
import { findOriginToSign, findPrepared, otherSubmission, type Prepared, prepareSubmission } from './prepare-submission.ts';
import { lockChanges, lockPendingRows, lockPendingVersion, mapPendingRows, type PendingRow, readPendingVersion } from './store-pending.ts';
import { findTaskReview, listSubmissionRows, lockSubmission, type SubmissionRow, type TaskReviewRow } from './store-submit.ts';
import { writeSubmission } from './write-submission.ts';

/** The most decisions of one submission. */
const maxDecisions = 1000;

/** The review as the actor may know of it: 404 where it does not exist, has no tasks, or is hidden from this actor. */
export async function getTaskReview(context: Context, reviewId: string): Promise<TaskReviewRow> {
  const review = await findTaskReview(context, reviewId, standsFor(context.actor));
  const { actor } = context;
  const knows =
    review !== undefined &&
    review.state !== 'CANCELLED' &&
    (seesAllTasks(actor) || managesTask(actor, review) || (review.isMember && review.state !== 'HIDDEN'));
  if (review === undefined || !knows) {
    throw new AppError('NOT_FOUND', 'There is no review with this id that has tasks for you.');
  }
  return review;
}

/** The same for somebody who decides in it: PERMISSION_DENIED for who reads it alone. */
export async function requireDecidedReview(context: Context, reviewId: string): Promise<TaskReviewRow> {
  const review = await getTaskReview(context, reviewId);
  if (!managesTask(context.actor, review) && !review.isMember) {
    throw new AppError(
      'PERMISSION_DENIED',
      'Only the reviewers of this review, their delegates, its owners and Super Administrators may decide in it: you read it.',
    );
  }
  return review;
}

/** Refuses a list of decisions that is too long or short, names a task twice or none, or has too long comments; every violation at once. */
export function checkDecisions(
  decisions: readonly Pick<Decision, 'taskId' | 'comment'>[],
  fewest: 0 | 1,
  besides: readonly FieldViolation[] = [],
): void {
  const violations: FieldViolation[] = [...besides];
  if (decisions.length < fewest || decisions.length > maxDecisions) {
    violations.push({ field: 'decisions', description: `must hold ${fewest} to ${maxDecisions} decisions, holds ${decisions.length}` });
  }
  const firstAt = new Map<string, number>();
  decisions.forEach(({ taskId, comment }, index) => {
    const before = firstAt.get(taskId);
    if (taskId === '') {
      violations.push({ field: `decisions[${index}].taskId`, description: 'must name a task' });
    } else if (before !== undefined) {
      violations.push({ field: `decisions[${index}].taskId`, description: `names the same task as decisions[${before}]` });
    } else {
      firstAt.set(taskId, index);
    }
    if (comment.length > maxCommentLength) {
      violations.push({ field: `decisions[${index}].comment`, description: `must have at most ${maxCommentLength} characters` });
    }
  });
  if (violations.length > 0) {
    throw new AppError(
      'INVALID_ARGUMENT',
      violations
        .slice(0, 5)
        .map(({ field, description }) => `${field} ${description}`)
        .join('; '),
      { violations },
    );
  }
}

/** Keeps the actor's staged decisions as they are to the end of the transaction; CONFLICT where they are of another version than is asked for. */
export async function lockPendingAs(context: Context, reviewId: string, version: string, field: string): Promise<void> {
  const current = String(await lockPendingVersion(context, reviewId));
  if (version !== '' && version !== current) {
    throw new AppError(
      'CONFLICT',
      `Your staged decisions of this review were changed elsewhere: they are of version ${current} by now, and not of ${version}. List them again, and send yours with that version.`,
      { violations: [{ field, description: `is not ${current}, the version by now` }] },
    );
  }
}

/** Decisions to submit. */
export interface Submission {
  readonly reviewId: string;
  readonly decisions: readonly Decision[];
  /** Instead: all that they staged. */
  readonly all: boolean;
  /** Empty for none. */
  readonly idempotencyKey: string;
  /** The version of what is staged that these were read from; absent or empty where it does not matter. */
  readonly pendingVersion?: string;
}

/** Answer to it. */
export interface Submitted {
  readonly submission: SubmissionRow;
  readonly results: readonly SubmissionResult[];
  /** The version of what is staged behind it; empty where it was answered before. */
  readonly pendingVersion: string;
}

const maxKeyLength = 200;

function checkSubmission({ decisions, all, idempotencyKey }: Submission): void {
  const besides: FieldViolation[] =
    idempotencyKey.length > maxKeyLength ? [{ field: 'idempotencyKey', description: `must have at most ${maxKeyLength} characters` }] : [];
  if (all && decisions.length > 0) {
    besides.push({ field: 'all', description: 'submits what is staged, so no decisions belong beside it' });
  }
  checkDecisions(decisions, all ? 0 : 1, besides);
}

/** SHA-256 over a request as it was meant: the same key with another request is a mistake of the client. */
function digestRequest({ decisions, all }: Submission): string {
  const lines = decisions.map(({ taskId, decision, policyStepId, comment, certifyUntil, amend = false }) =>
    JSON.stringify([taskId, decision, policyStepId, comment, certifyUntil?.toISOString() ?? '', amend]),
  );
  return createHash('sha256')
    .update([String(all), ...lines].join('\n'))
    .digest('hex');
}

/** The answer that the submission with this key got before; undefined where it is the first. CONFLICT where it was another request. */
async function findAnswered(context: Context, asked: Submission, requestDigest: string): Promise<Submitted | undefined> {
  const before = await lockSubmission(context, asked.reviewId, asked.idempotencyKey);
  if (before !== undefined && before.requestDigest !== requestDigest) {
    throw otherSubmission();
  }
  return before === undefined
    ? undefined
    : { submission: before, results: before.results as readonly SubmissionResult[], pendingVersion: '' };
}

/** When it was first staged, and a fingerprint of what is staged. */
function stagingOf(row: PendingRow | undefined): Pick<Decision, 'stagedAt' | 'stagedAs'> {
  return { stagedAt: row?.stagedAt, stagedAs: row === undefined ? '' : digestStaged(row) };
}

/** Tells what is staged about a task from what was staged about it before. */
export function digestStaged({ decision, comment, policyStepId, certifyUntil, amend }: PendingRow): string {
  return createHash('sha256')
    .update(JSON.stringify([decision, comment, policyStepId, certifyUntil?.toISOString() ?? '', amend]))
    .digest('hex');
}

/** Reads decisions, with when each was first staged: what the request holds, or all that the actor staged. */
async function readSubmitted(context: Context, { reviewId, decisions, all }: Submission): Promise<readonly Decision[]> {
  if (!all) {
    const staged = await mapPendingRows(
      context,
      reviewId,
      decisions.map(({ taskId }) => taskId),
    );
    return decisions.map((decision) => ({ ...decision, ...stagingOf(staged.get(decision.taskId)) }));
  }
  const staged = await lockPendingRows(context, reviewId);
  if (staged.length === 0) {
    throw new AppError('FAILED_PRECONDITION', 'You have no staged decisions in this review: stage some, or send decisions.');
  }
  return staged.map((row) => ({ ...row, certifyUntil: row.certifyUntil ?? undefined, ...stagingOf(row) }));
}

/**
 * Decides what can still be decided and answers per decision, in the order of the request. What it decided is no longer staged. In a review that
 * asks for signatures it decides nothing, and prepares what is to be signed. 400 for a request that is wrong in itself, or while the review is not
 * open; 409 for a key that another request had, and for another version of what is staged; everything about single tasks is in the results.
 */
export async function submitDecisions(context: Context, asked: Submission): Promise<Submitted | Prepared> {
  checkSubmission(asked);
  const { reviewId, idempotencyKey } = asked;
  const requestDigest = idempotencyKey === '' ? '' : digestRequest(asked);
  const origin = await findOriginToSign(context, await requireDecidedReview(context, reviewId));
  return inTransaction(context, async (inner) => {
    if (idempotencyKey !== '') {
      const answered =
        (await findAnswered(inner, asked, requestDigest)) ?? (await findPrepared(inner, reviewId, idempotencyKey, requestDigest));
      if (answered !== undefined) {
        return answered;
      }
    }
    // A close that came first is seen behind this, and one that comes later waits.
    await lockChanges(inner, reviewId);
    const review = await requireDecidedReview(inner, reviewId);
    throwRefusal(refuseTasksState(review.state));
    await lockPendingAs(inner, reviewId, asked.pendingVersion ?? '', 'pendingVersion');
    const judged = await judgeAll(inner, reviewId, await readSubmitted(inner, asked), { decidesNow: review.signature === null });
    const results = answerAll(judged);
    if (review.signature !== null && judged.some(({ verdict }) => verdict === 'proceed')) {
      return prepareSubmission(inner, { ...review, id: reviewId }, origin, judged, { idempotencyKey, requestDigest });
    }
    const key = idempotencyKey === '' ? undefined : { idempotencyKey, requestDigest, results };
    const submission = await writeSubmission(inner, reviewId, judged, { submissionId: newId(inner.now), submitted: judged.length, key });
    return { submission, results, pendingVersion: String(await readPendingVersion(inner, reviewId)) };
  });
}

/** A page of submissions: one's own; those who manage the review or read everything see all. 404 as for submitting. */
export async function listSubmissions(
  context: Context,
  reviewId: string,
  page: { readonly size: number; readonly after: readonly string[] | undefined },
): Promise<{ submissions: SubmissionRow[]; nextKey: readonly string[] | undefined }> {
  const review = await getTaskReview(context, reviewId);
  const everybodys = seesAllTasks(context.actor) || managesTask(context.actor, review);
  const rows = await listSubmissionRows(context, reviewId, everybodys ? undefined : context.actor.userId, page.after?.[0], page.size + 1);
  const shown = rows.slice(0, page.size);
  const last = rows.length > page.size ? shown.at(-1) : undefined;
  return { submissions: shown, nextKey: last === undefined ? undefined : [last.id] };
}
