/** Adding an action to a task that stays where it is, together with its event, in one statement. */
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/index.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEventWith } from '../../../foundation/audit/index.ts';
import { actionBy, commitComment, digestActions } from './evidence.ts';
import type { TaskEventKind } from './change-task.ts';
import { insertAction, type NewAction } from './store.ts';
import type { Task } from './task.ts';

/** Adds the action where the review is open; false, and nothing is written, where it is not. */
export function noteAction(
  context: Context,
  task: Pick<Task, 'id' | 'reviewId'>,
  action: NewAction,
  event: NewEvent<TaskEventKind>,
): Promise<boolean> {
  const id = newId(context.now);
  const { userId: actorId, credentialId, issuerId } = context.actor;
  const by = { ...actionBy(context, { taskId: task.id, reviewId: task.reviewId }, commitComment(action)), actorId, credentialId, issuerId };
  const whole = { ...event, id, evidence: { task_actions: digestActions(id, [by]) } };
  return recordEventWith(context, whole, (insertEvent) => insertAction(context, by, id, insertEvent));
}
