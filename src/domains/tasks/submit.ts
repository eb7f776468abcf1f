/**
 * A submission: up to 1000 decisions of one reviewer in one transaction. What can still be decided is decided, and every task has its
 * answer. A process that dies half-way leaves nothing behind: neither decisions nor locks.
 */
import { createHash } from 'node:crypto';
import { AppError, type FieldViolation } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent, recordEventWith } from '../audit/index.ts';
import { enterSteps, nextEntry } from './advance.ts';
import { maxCommentLength } from './comment.ts';
import { classifyDecision, type Decision, type PlannedDecision, planDecision } from './decide.ts';
import { throwRefusal } from './locked-task.ts';
import { managesTask, refuseTasksState, seesAllTasks, standsFor } from './permit.ts';
import { findStandings } from './relations.ts';
import { remediatesAtOnce } from './policy-steps.ts';
import { listTasksByIds } from './store.ts';
import { listStagedAt, lockChanges, lockPendingRows, removePendingRows } from './store-pending.ts';
import {
  type TaskReviewRow,
  findTaskReview,
  insertSubmission,
  listSubmissionRows,
  lockSubmission,
  lockTasks,
  type SubmissionRow,
  type TaskDecision,
} from './store-submit.ts';
import type { TaskRow } from './task.ts';

/** The most decisions of one submission. */
const maxDecisions = 1000;

/** The answer to one decision: whether the task holds it now, and if not, why. */
export interface SubmissionResult {
  readonly taskId: string;
  readonly decided: boolean;
  readonly code: string;
  readonly message: string;
}

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

/** SHA-256 over what was decided, in the order of the request: the event proves the submission without repeating it. */
function digestOf(decided: readonly Decision[]): string {
  const lines = decided.map(({ taskId, decision, policyStepId, comment }) => JSON.stringify([taskId, decision, policyStepId, comment]));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** What somebody submits. */
export interface Submission {
  readonly reviewId: string;
  readonly decisions: readonly Decision[];
  /** Instead: all that they staged. */
  readonly all: boolean;
  /** Empty for none. */
  readonly idempotencyKey: string;
}

/** What is answered. */
export interface Submitted {
  readonly submission: SubmissionRow;
  readonly results: readonly SubmissionResult[];
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
    throw new AppError(
      'CONFLICT',
      'You sent another submission with this idempotencyKey. Use a new key for a new submission, or repeat the first one unchanged.',
    );
  }
  return before === undefined ? undefined : { submission: before, results: before.results as readonly SubmissionResult[] };
}

/** What is submitted, with when each was first staged: what the request holds, or all that the actor staged. */
async function readSubmitted(context: Context, { reviewId, decisions, all }: Submission): Promise<readonly Decision[]> {
  if (!all) {
    const stagedAt = await listStagedAt(
      context,
      reviewId,
      decisions.map(({ taskId }) => taskId),
    );
    return decisions.map((decision) => ({ ...decision, stagedAt: stagedAt.get(decision.taskId) }));
  }
  const staged = await lockPendingRows(context, reviewId);
  if (staged.length === 0) {
    throw new AppError('FAILED_PRECONDITION', 'You have no staged decisions in this review: stage some, or send decisions.');
  }
  return staged.map(({ certifyUntil, ...row }) => ({ ...row, certifyUntil: certifyUntil ?? undefined }));
}

/**
 * Decides what can still be decided and answers per decision, in the order of the request. What it decided is no longer staged. 400 for a request
 * that is wrong in itself, or while the review is not open; 409 for a key that another request had; everything about single tasks is in the
 * results.
 */
export async function submitDecisions(context: Context, asked: Submission): Promise<Submitted> {
  checkSubmission(asked);
  const { reviewId, idempotencyKey } = asked;
  const requestDigest = idempotencyKey === '' ? '' : digestRequest(asked);
  return inTransaction(context, async (inner) => {
    if (idempotencyKey !== '') {
      await getTaskReview(inner, reviewId);
      const answered = await findAnswered(inner, asked, requestDigest);
      if (answered !== undefined) {
        return answered;
      }
    }
    // A close that came first is seen behind this, and one that comes later waits.
    await lockChanges(inner, reviewId);
    const review = await getTaskReview(inner, reviewId);
    throwRefusal(refuseTasksState(review.state));
    const decisions = await readSubmitted(inner, asked);
    const { writes, results, decided, counts, remediates } = await decideAll(inner, reviewId, decisions);
    const submission: SubmissionRow = {
      id: newId(inner.now),
      userId: inner.actor.userId,
      issuerId: inner.actor.issuerId,
      submitted: decisions.length,
      certified: counts.APPROVE,
      denied: counts.DENY,
      refused: decisions.length - counts.APPROVE - counts.DENY,
      createdAt: inner.now,
    };
    const event = {
      kind: 'review.submitted',
      targetType: 'access_review',
      targetId: reviewId,
      data: {
        submissionId: submission.id,
        submitted: submission.submitted,
        certified: submission.certified,
        denied: submission.denied,
        refused: submission.refused,
        written: writes.length,
        sha256: digestOf(decided),
        ...(remediates ? { remediates } : {}),
        ...(decided.some(({ certifyUntil }) => certifyUntil !== undefined) ? { hasCertifyUntil: true } : {}),
      },
    };
    const key = idempotencyKey === '' ? undefined : { idempotencyKey, requestDigest, results };
    await recordEventWith(inner, event, (insertEvent) => insertSubmission(inner, reviewId, submission, writes, key, insertEvent));
    await removePendingRows(
      inner,
      reviewId,
      results.filter((result) => result.decided).map(({ taskId }) => taskId),
    );
    return { submission, results };
  });
}

/** The verdict on each decision, with what is to be written. The tasks are locked to the end of the transaction. */
async function decideAll(context: Context, reviewId: string, decisions: readonly Decision[]) {
  const taskIds = decisions.map(({ taskId }) => taskId);
  await lockTasks(context, reviewId, taskIds);
  const rows = await listTasksByIds(context, taskIds);
  const tasks = new Map(rows.filter((row) => row.reviewId === reviewId).map((row) => [row.id, row]));
  const classified = decisions.map((decision) => {
    const task = tasks.get(decision.taskId);
    return { decision, task, verdict: classifyDecision(context, task, decision) };
  });
  const decidable = classified.filter(({ verdict }) => verdict === 'proceed').map(({ decision }) => decision.taskId);
  const standingOf = await findStandings(context, reviewId, decidable);
  const judged = classified.map(({ decision, task, verdict }) => {
    const { refusal } = standingOf(decision.taskId);
    return { decision, task, verdict: refusal === undefined ? verdict : { refusal } };
  });
  const approved = judged.flatMap(({ decision, task, verdict }) =>
    verdict === 'proceed' && task !== undefined && decision.decision !== 'DENY' ? [nextEntry(context, task)] : [],
  );
  const entered = await enterSteps(context, approved);
  const enteredBy = new Map(approved.map(({ task }, at) => [task.id, entered[at]]));
  const results: SubmissionResult[] = [];
  const writes: TaskDecision[] = [];
  const decided: Decision[] = [];
  const counts = { APPROVE: 0, DENY: 0 };
  let remediates = false;
  for (const { decision, task, verdict } of judged) {
    if (verdict !== 'proceed' && 'refusal' in verdict) {
      results.push({ taskId: decision.taskId, decided: false, code: verdict.refusal.code, message: verdict.refusal.message });
      continue;
    }
    if (verdict === 'proceed' && task !== undefined) {
      const planned = planDecision(context, task, decision, enteredBy.get(task.id), standingOf(task.id).relations);
      writes.push({ taskId: task.id, ...planned });
      decided.push(decision);
      remediates ||= decision.decision === 'DENY' && remediatesAtOnce(task.policyDocument);
      if (decision.amend === true) {
        await recordAmendment(context, task, decision, planned);
      }
    }
    counts[decision.decision]++;
    results.push({ taskId: decision.taskId, decided: true, code: '', message: '' });
  }
  return { results, writes, decided, counts, remediates };
}

/** The event of an amendment: whoever vouched for the decisions as they were has to know. */
async function recordAmendment(context: Context, task: TaskRow, decision: Decision, { change, actions }: PlannedDecision): Promise<void> {
  await recordEvent(context, {
    kind: 'task.amended',
    targetType: 'task',
    targetId: task.id,
    reviewId: task.reviewId,
    data: {
      reviewId: task.reviewId,
      actionId: actions[0].id,
      decision: decision.decision,
      previousOutcome: task.outcome,
      outcome: change.outcome,
      personReviewedId: task.userId ?? '',
    },
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
