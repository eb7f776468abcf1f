/**
 * Cancelling one task, for Super Administrators: it ends with a comment, and nothing is decided about the access.
 */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { checkComment } from '../decisions/index.ts';
import { runAction, throwRefusal, refuseBlank, type NewAction } from '../task/index.ts';

/**
 * Cancels a task and returns the id of the action; said again, the id of the first. 403 for all but Super Administrators, and for their own
 * access; 409 for a task that ended otherwise; 400 without a comment or while the review is not open.
 */
export async function cancelTask(context: Context, asked: { taskId: string; comment: string }): Promise<string> {
  checkComment(asked.comment);
  return runAction(context, asked.taskId, 'CLOSE', async (inner, task) => {
    if (task.endReason === 'CANCELLED') {
      return { holds: task.history.findLast(({ kind }) => kind === 'ENDED')?.id ?? '' };
    }
    throwRefusal(refuseBlank(asked.comment, 'cancelling a task'));
    const action: NewAction = {
      id: newId(inner.now),
      kind: 'ENDED',
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: asked.comment,
      data: { assignmentId: task.assignmentId, reason: 'CANCELLED', outcome: 'CANCELLED' },
    };
    return {
      change: {
        step: task.step,
        stepGeneration: task.stepGeneration,
        assignmentId: task.assignmentId,
        state: 'CLOSED',
        outcome: 'CANCELLED',
        endReason: 'CANCELLED',
        decidedById: null,
        decidedIssuerId: null,
        endedAt: inner.now,
      },
      actions: [action],
      event: { kind: 'task.cancelled', data: { reviewId: task.reviewId, actionId: action.id } },
    };
  });
}
