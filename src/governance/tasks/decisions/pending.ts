/**
 * Staged decisions: what a reviewer means to decide, kept until it is submitted. They are their own business: nobody else reads them, and nothing
 * is decided by them.
 */
import { AppError, type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import type { Decision } from './decision.ts';
import { throwRefusal, maySeeTask, refuseAmender, refuseDecider, refuseTasksState, listTasksByIds } from '../task/index.ts';
import { listPendingRows, lockChanges, type PendingRow, readPendingVersion, setPendingRows } from './store-pending.ts';
import { checkDecisions, getTaskReview, lockPendingAs, requireDecidedReview } from './submit.ts';

/** A page of the actor's staged decisions of a review; 404 where they may not know of it. */
export async function listPending(
  context: Context,
  reviewId: string,
  page: { readonly size: number; readonly after: readonly string[] | undefined },
): Promise<{ rows: PendingRow[]; nextKey: readonly string[] | undefined; version: string }> {
  await getTaskReview(context, reviewId);
  // Read first: a list that is newer than its version is refused when it is written back, and one that is older would not be.
  const version = String(await readPendingVersion(context, reviewId));
  const rows = await listPendingRows(context, reviewId, page.after?.[0] ?? '', page.size + 1);
  const shown = rows.slice(0, page.size);
  const last = rows.length > page.size ? shown.at(-1) : undefined;
  return { rows: shown, nextKey: last === undefined ? undefined : [last.taskId], version };
}

/** Names each decision about a task that is not the actor's to decide. Whether it still can be decided shows when it is submitted. */
async function checkTasks(context: Context, reviewId: string, decisions: readonly Decision[]): Promise<void> {
  const rows = await listTasksByIds(
    context,
    decisions.map(({ taskId }) => taskId),
  );
  const tasks = new Map(rows.filter((row) => row.reviewId === reviewId).map((row) => [row.id, row]));
  const violations = decisions.flatMap(({ taskId, amend }, index): FieldViolation[] => {
    const task = tasks.get(taskId);
    const seen = task !== undefined && maySeeTask(context.actor, task);
    const refusal = task === undefined ? undefined : (amend === true ? refuseAmender : refuseDecider)(context.actor, task);
    const description = seen ? refusal?.message : 'is no task of this review that is assigned to you';
    return description === undefined ? [] : [{ field: `decisions[${index}].taskId`, description }];
  });
  refuseInvalid(violations);
}

/**
 * Replaces the actor's staged decisions of an open review; returns how many there are, and their version. A decision keeps when its task was first
 * staged. 404 where they may not know of the review, 403 where they only read it, 400 while it is not open, and naming each task that is not theirs to
 * decide; 409 where they are of another version than the one given, if any is.
 */
export async function setPending(
  context: Context,
  reviewId: string,
  decisions: readonly Decision[],
  version = '',
): Promise<{ count: number; version: string }> {
  checkDecisions(decisions, 0);
  if (context.actor.userId === '') {
    throw new AppError('PERMISSION_DENIED', 'Only a person can stage decisions.');
  }
  return inTransaction(context, async (inner) => {
    await lockChanges(inner, reviewId);
    const review = await requireDecidedReview(inner, reviewId);
    throwRefusal(refuseTasksState(review.state));
    await lockPendingAs(inner, reviewId, version, 'version');
    await checkTasks(inner, reviewId, decisions);
    const rows = decisions.map(({ taskId, decision, comment, policyStepId, certifyUntil, amend = false }) => ({
      taskId,
      decision,
      comment,
      policyStepId,
      certifyUntil: certifyUntil ?? null,
      amend,
    }));
    await setPendingRows(inner, reviewId, rows);
    await recordEvent(inner, {
      kind: 'review.decisions_staged',
      targetId: reviewId,
      data: { staged: rows.length },
    });
    return { count: rows.length, version: String(await readPendingVersion(inner, reviewId)) };
  });
}
