/**
 * Reminding the people whom an open task waits for. The reminder itself is sent by whoever follows its event.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { NewEvent } from '../../../events/index.ts';
import { lockTaskFor, noteAction } from '../task/index.ts';

/**
 * Records a reminder of a task to those it is assigned to, and returns the id of the action. 403 for all but owners of the review and Super
 * Administrators; 400 within an hour of the last one, for a closed task, or where nobody is assigned.
 */
export function remindTask(context: Context, taskId: string): Promise<string> {
  return inTransaction(context, async (inner) => {
    const task = await lockTaskFor(inner, taskId, 'SEND_REMINDER');
    const { reviewId, assigneeIds } = task;
    const action = {
      id: newId(inner.now),
      kind: 'REMINDED' as const,
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: '',
      data: { assignmentId: task.assignmentId, userIds: assigneeIds },
    };
    const event: NewEvent<'task.reminded'> = {
      kind: 'task.reminded',
      targetId: taskId,
      reviewId,
      data: { reviewId, actionId: action.id, userIds: assigneeIds },
    };
    if (!(await noteAction(inner, task, action, event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return action.id;
  });
}
