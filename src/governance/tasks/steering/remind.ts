/**
 * Reminding the people whom an open task waits for. The reminder itself is sent by whoever follows its event.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { NewEvent } from '../../../events/index.ts';
import { lockTaskFor, noteAction } from '../task/index.ts';
import { findReminded, nobodyReminded } from './reminded.ts';

/** A reminder of a task. */
export interface TaskReminder {
  /** Empty where nobody was left to remind: nothing was sent. */
  readonly actionId: string;
  readonly remindedUserIds: readonly string[];
  /** Those who were reminded of the review, or of another of its tasks, less than 15 minutes ago. */
  readonly leftOutUserIds: readonly string[];
}

/**
 * Records a reminder of a task to those it is assigned to, but for those who were reminded of its review in the last 15 minutes. 403 for all but owners of
 * the review and Super Administrators; 400 within an hour of the last one, for a closed task, or where nobody is assigned.
 */
export function remindTask(context: Context, taskId: string): Promise<TaskReminder> {
  return inTransaction(context, async (inner) => {
    const task = await lockTaskFor(inner, taskId, 'SEND_REMINDER');
    const { reviewId, assigneeIds } = task;
    // A mail about a review names all that waits; one about removals, those of an app.
    const reminded = task.kind === 'CERTIFY' ? await findReminded(inner, reviewId) : nobodyReminded;
    const remindedUserIds = assigneeIds.filter((id) => !reminded.has(id));
    const leftOutUserIds = assigneeIds.filter((id) => reminded.has(id));
    if (remindedUserIds.length === 0) {
      // Several tasks of one reviewer are often reminded of at once: the others are no failure.
      return { actionId: '', remindedUserIds, leftOutUserIds };
    }
    const action = {
      id: newId(inner.now),
      kind: 'REMINDED' as const,
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: '',
      data: { assignmentId: task.assignmentId, userIds: remindedUserIds },
    };
    const event: NewEvent<'task.reminded'> = {
      kind: 'task.reminded',
      targetId: taskId,
      reviewId,
      data: { reviewId, actionId: action.id, userIds: remindedUserIds },
    };
    if (!(await noteAction(inner, task, action, event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return { actionId: action.id, remindedUserIds, leftOutUserIds };
  });
}
