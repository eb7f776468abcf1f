/**
 * A submission: up to 1000 decisions of one reviewer in one transaction. What can still be decided is decided, and every task has its
 * answer. A process that dies half-way leaves nothing behind: neither decisions nor locks.
 */
import { createHash } from 'node:crypto';
import { AppError, type FieldViolation } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEventWith } from '../audit/index.ts';
import { enterStep } from './advance.ts';
import { maxCommentLength } from './comment.ts';
import { classifyDecision, type Decision, planDecision } from './decide.ts';
import { managesTask, refuseTasksState, refusalError, seesAllTasks, standsFor } from './permit.ts';
import { listTasksByIds } from './store.ts';
import {
  type TaskReviewRow,
  findTaskReview,
  insertSubmission,
  listSubmissionRows,
  lockTasks,
  type SubmissionRow,
  type TaskDecision,
} from './store-submit.ts';

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
async function getTaskReview(context: Context, reviewId: string): Promise<TaskReviewRow> {
  const review = await findTaskReview(context, reviewId, standsFor(context.actor));
  const { actor } = context;
  const knows =
    review !== undefined && (seesAllTasks(actor) || managesTask(actor, review) || (review.isMember && review.state !== 'HIDDEN'));
  if (review === undefined || !knows) {
    throw new AppError('NOT_FOUND', 'There is no review with this id that has tasks for you.');
  }
  return review;
}

function checkDecisions(decisions: readonly Decision[]): void {
  const violations: FieldViolation[] = [];
  if (decisions.length === 0 || decisions.length > maxDecisions) {
    violations.push({ field: 'decisions', description: `must hold 1 to ${maxDecisions} decisions, holds ${decisions.length}` });
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

/**
 * Decides what can still be decided and answers per decision, in the order of the request. 400 for a request that is wrong in itself, or while
 * the review is not open; everything about single tasks is in the results.
 */
export async function submitDecisions(
  context: Context,
  reviewId: string,
  decisions: readonly Decision[],
): Promise<{ submission: SubmissionRow; results: SubmissionResult[] }> {
  checkDecisions(decisions);
  return inTransaction(context, async (inner) => {
    await lockTasks(
      inner,
      reviewId,
      decisions.map(({ taskId }) => taskId),
    );
    // Read behind the locks, so that a close that came first is seen.
    const review = await getTaskReview(inner, reviewId);
    const refusal = refuseTasksState(review.state);
    if (refusal !== undefined) {
      throw refusalError(refusal);
    }
    const rows = await listTasksByIds(
      inner,
      decisions.map(({ taskId }) => taskId),
    );
    const tasks = new Map(rows.filter((row) => row.reviewId === reviewId).map((row) => [row.id, row]));
    const results: SubmissionResult[] = [];
    const writes: TaskDecision[] = [];
    const decided: Decision[] = [];
    const counts = { APPROVE: 0, DENY: 0 };
    for (const decision of decisions) {
      const task = tasks.get(decision.taskId);
      const verdict = classifyDecision(inner, task, decision);
      if (verdict !== 'proceed' && 'refusal' in verdict) {
        results.push({ taskId: decision.taskId, decided: false, code: verdict.refusal.code, message: verdict.refusal.message });
        continue;
      }
      if (verdict === 'proceed' && task !== undefined) {
        const entered = decision.decision === 'DENY' ? undefined : await enterStep(inner, task, task.step + 1);
        writes.push({ taskId: task.id, ...planDecision(inner, task, decision, entered) });
        decided.push(decision);
      }
      counts[decision.decision]++;
      results.push({ taskId: decision.taskId, decided: true, code: '', message: '' });
    }
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
      },
    };
    await recordEventWith(inner, event, (insertEvent) => insertSubmission(inner, reviewId, submission, writes, insertEvent));
    return { submission, results };
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
