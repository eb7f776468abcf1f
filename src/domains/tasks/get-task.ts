/**
 * Reading one task as the actor may see it.
 */
import type { Context } from '../../context.ts';
import { maySeeTask, refusalError, taskNotFound } from './permit.ts';
import { findTask } from './store.ts';
import type { TaskRow } from './task.ts';

/** The task; 404 where it does not exist, is hidden, or is none of the actor's business. */
export async function getTask(context: Context, taskId: string): Promise<TaskRow> {
  const task = await findTask(context, taskId);
  if (task === undefined || !maySeeTask(context.actor, task)) {
    throw refusalError(taskNotFound);
  }
  return task;
}
