/** Changing one task together with its event, in one statement. What a change may be is decided by those who call. */
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEventWith } from '../audit/index.ts';
import { type NewAction, type TaskChange, updateTask } from './store.ts';
import type { TaskRow } from './task.ts';

/** The event of a change: what happened to the task. */
export interface ChangeEvent {
  readonly kind: string;
  readonly data: object;
}

/** Makes the change if the task still is as it was read and its batch is open; false, and nothing is written, where it is not. */
export function changeTask(
  context: Context,
  task: TaskRow,
  change: TaskChange,
  actions: readonly NewAction[],
  { kind, data }: ChangeEvent,
): Promise<boolean> {
  // The first one led to the others, whichever was thought of first: the history is in the order of their ids.
  const inOrder = actions.map((action, place) => (place === 0 ? action : { ...action, id: newId(context.now) }));
  const event = { kind, targetType: 'task', targetId: task.id, reviewId: task.reviewId, data };
  return recordEventWith(context, event, (insertEvent) => updateTask(context, task, change, inOrder, insertEvent));
}
