/**
 * Commenting on a task, and what every comment must be.
 */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { NewEvent } from '../../../events/index.ts';
import { getTask, refuseTasksState, refusalError, refuseAction, noteAction } from '../task/index.ts';

/** The longest comment, in UTF-16 units. */
export const maxCommentLength = 10_000;

/** Refuses a comment that is too long, with 400 naming the field. */
export function checkComment(comment: string, field = 'comment'): void {
  if (comment.length > maxCommentLength) {
    throw invalidField(field, `must have at most ${maxCommentLength} characters, has ${comment.length}`);
  }
}

/** Adds a comment and returns the id of its action. 400 for an empty one or while the review is not open, 403 for those who only read. */
export async function commentOnTask(context: Context, taskId: string, comment: string): Promise<string> {
  const task = await getTask(context, taskId);
  const refusal = refuseAction('COMMENT', context.actor, task, context.now);
  if (refusal !== undefined) {
    throw refusalError(refusal);
  }
  if (comment.trim() === '') {
    throw invalidField('comment', 'must not be empty');
  }
  checkComment(comment);
  const action = {
    id: newId(context.now),
    kind: 'COMMENTED' as const,
    step: task.step,
    stepGeneration: task.stepGeneration,
    comment,
    data: {},
  };
  const { reviewId } = task;
  const event: NewEvent<'task.commented'> = { kind: 'task.commented', targetId: taskId, reviewId, data: { reviewId, actionId: action.id } };
  if (!(await noteAction(context, task, action, event))) {
    throw refusalError(
      refuseTasksState((await getTask(context, taskId)).tasksState) ?? {
        code: 'CONFLICT',
        message: 'The review changed at the same time. Try again.',
      },
    );
  }
  return action.id;
}
