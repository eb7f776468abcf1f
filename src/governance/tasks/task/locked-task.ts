/**
 * The way most actions on one task take: lock it, read it as the actor may see it, ask whether the action is allowed, and change it. What an
 * action makes of a task is in its own file.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { type ChangeEvent, changeTask } from './change-task.ts';
import { getTask } from './get-task.ts';
import { type Refusal, refusalError } from './permit.ts';
import { type ActionName, refuseAction } from './permit-actions.ts';
import { lockTask, type NewAction, type TaskChange } from './store.ts';
import type { Task } from './task.ts';

/** Effect of an action on a task: a change with the actions that record it, the first of them its own, and its event. */
export interface PlannedChange {
  readonly change: TaskChange;
  readonly actions: readonly [NewAction, ...NewAction[]];
  readonly event: ChangeEvent;
}

/** The locked task, where this action is allowed: 404, then 403, then its state. Only in a transaction. */
export async function lockTaskFor(context: Context, taskId: string, action: ActionName): Promise<Task> {
  await lockTask(context, taskId);
  const task = await getTask(context, taskId);
  throwRefusal(refuseAction(action, context.actor, task, context.now));
  return task;
}

/** Throws the error of a refusal, if there is one. */
export function throwRefusal(refusal: Refusal | undefined): void {
  if (refusal !== undefined) {
    throw refusalError(refusal);
  }
}

/** Runs an action on a locked task and returns the id of the action that records it. */
export function runAction(
  context: Context,
  taskId: string,
  action: ActionName,
  plan: (inner: Context, task: Task) => Promise<PlannedChange | { readonly holds: string }>,
): Promise<string> {
  return inTransaction(context, async (inner) => {
    const task = await lockTaskFor(inner, taskId, action);
    const planned = await plan(inner, task);
    if ('holds' in planned) {
      return planned.holds;
    }
    if (!(await changeTask(inner, task, planned.change, planned.actions, planned.event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return planned.actions[0].id;
  });
}

/** Refuses an action that no certify task has: 404 and 403 as for any other, then why there is none. */
export async function refuseUnserved(context: Context, action: ActionName, taskId: string): Promise<never> {
  const task = await getTask(context, taskId);
  const refusal = refuseAction(action, context.actor, task, context.now);
  throw refusalError(refusal ?? { code: 'FAILED_PRECONDITION', message: 'This task does not take this action.' });
}
