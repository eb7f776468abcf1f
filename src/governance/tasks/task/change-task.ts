/** Changing one task together with its event, in one statement. What a change may be is decided by those who call. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { EventKind, EventMap } from '../../../events/index.ts';
import { recordEventWith } from '../../../foundation/audit/index.ts';
import { actionBy, commitComment, digestActions } from './evidence.ts';
import { type NewAction, type TaskChange, updateTask } from './store.ts';
import type { Task } from './task.ts';

/** The kinds of events about tasks. */
export type TaskEventKind = Extract<EventKind, `task.${string}`>;

/** The event of a change: what happened to the task. */
export type ChangeEvent = { [K in TaskEventKind]: { readonly kind: K; readonly data: EventMap[K] } }[TaskEventKind];

/** Makes the change if the task still is as it was read and its batch is open; false, and nothing is written, where it is not. */
export function changeTask(
  context: Context,
  task: Task,
  change: TaskChange,
  actions: readonly NewAction[],
  event: ChangeEvent,
): Promise<boolean> {
  // The first one led to the others, whichever was thought of first: the history is in the order of their ids.
  const inOrder = actions.map((action, place) => commitComment(place === 0 ? action : { ...action, id: newId(context.now) }));
  const { id: taskId, reviewId } = task;
  const id = newId(context.now);
  const evidence = {
    task_actions: digestActions(
      id,
      inOrder.map((action) => actionBy(context, { taskId, reviewId }, action)),
    ),
  };
  const whole = { ...event, id, targetId: taskId, reviewId, evidence };
  return recordEventWith(context, whole, (insertEvent) => updateTask(context, task, change, inOrder, id, insertEvent));
}
