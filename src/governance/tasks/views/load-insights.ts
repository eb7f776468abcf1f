/**
 * Insights as expanded objects of other replies, for whoever sees their tasks.
 */
import type { TaskInsight } from '../../../gen/countersign/v1/tasks_pb.js';
import type { Loader } from '../../../wire/expand.ts';
import { listInsights } from './insights.ts';
import { maySeeTask } from '../task/index.ts';
import { listShownTasks } from './store.ts';

/** Insights by id, which is that of the task and the term; those of tasks that the caller may not know of are left out. */
export const insightLoader: Loader<TaskInsight> = async (context, ids) => {
  const taskIds = [...new Set(ids.map((id) => id.split('-', 1)[0] ?? ''))];
  const tasks = (await listShownTasks(context, taskIds)).filter((task) => maySeeTask(context.actor, task));
  const wanted = new Set(ids);
  return new Map(
    tasks
      .flatMap(listInsights)
      .filter(({ id }) => wanted.has(id ?? ''))
      .map((insight) => [insight.id ?? '', insight]),
  );
};
