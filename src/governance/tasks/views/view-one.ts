/** One task as the contract shows it, by itself or behind an act on it. */
import type { Context } from '../../../context.ts';
import type { Call } from '../../../wire/service.ts';
import { maySeeTask, refusalError, resolveTaskId, taskNotFound } from '../task/index.ts';
import { findShownTask } from './store.ts';
import { viewTasks } from './view.ts';

/** The task with what was asked to be expanded; 404 where it does not exist, is hidden, or is none of the actor's business. */
export async function viewOne(context: Context, call: Call, taskId: string, requested: readonly string[] | undefined) {
  const task = await findShownTask(context, taskId);
  if (task === undefined || !maySeeTask(context.actor, task)) {
    throw refusalError(taskNotFound);
  }
  const { views, expanded } = await viewTasks(context, call, [task], requested);
  return { taskView: views[0], expanded };
}

/** Acts on the task that a request names by its id or number; returns what `act` does, and the task as it stands then. */
export async function actOnTask<T>(
  context: Context,
  call: Call,
  request: { readonly taskId: string; readonly expandMask?: { readonly paths: readonly string[] } | undefined },
  act: (taskId: string) => Promise<T>,
) {
  const taskId = await resolveTaskId(context, request.taskId);
  const ticketActionId = await act(taskId);
  return { ...(await viewOne(context, call, taskId, request.expandMask?.paths)), ticketActionId };
}
