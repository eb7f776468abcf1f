/**
 * Reading one task as the actor may see it.
 */
import type { Context } from '../../../context.ts';
import { maySeeTask, refusalError, taskNotFound } from './permit.ts';
import { findTask, findTaskIdByNumber } from './store.ts';
import type { Task } from './task.ts';

/** A number as people read it off a task; an id has 27 characters, so it is never one. */
const numberPattern = /^[0-9]{1,15}$/;

/** The id of the task that a path names by its id or by its `numericId`. Whether there is one, and for whom, is for whoever reads it. */
export async function resolveTaskId(context: Context, named: string): Promise<string> {
  return numberPattern.test(named) ? ((await findTaskIdByNumber(context, Number(named))) ?? named) : named;
}

/** The task; 404 where it does not exist, is hidden, or is none of the actor's business. */
export async function getTask(context: Context, taskId: string): Promise<Task> {
  const task = await findTask(context, taskId);
  if (task === undefined || !maySeeTask(context.actor, task)) {
    throw refusalError(taskNotFound);
  }
  return task;
}
