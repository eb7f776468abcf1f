/** Insights about tasks, in full: asked for together, the one that is looked at with those behind it, so that a decision waits for nothing. */
import { call, queries, type ReplyOf } from '~/data/query.ts';

type Searched = ReplyOf<'TaskService.Search'>;
type TaskView = NonNullable<Searched['list']>[number];

/** Server's reason in no language: a code, and what belongs to it by name. */
export interface Reason {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One thing that stands out. The sentence is in English. */
export interface Insight extends Reason {
  readonly term: string;
  readonly points: number;
  readonly sentence: string;
}

/** Something that is not what it was in the review before. */
export interface Change {
  readonly code: string;
  readonly was: string;
  readonly is: string;
}

/** A rule of access conflicts that the access breaks. */
export interface BrokenRule {
  readonly monitorId: string;
  readonly displayName: string;
}

/** A task as its question shows it. */
export interface TaskDetail {
  readonly taskId: string;
  readonly state: string;
  readonly insights: readonly Insight[];
  readonly commentCount: number;
  readonly actions: readonly string[];
  /** The facts of the snapshot, by name. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly policyStepId: string;
}

const keyOf = (taskId: string): readonly [string, string] => ['task-detail', taskId];
const underway = new Set<string>();
/** Asked for at once. */
const batch = 12;

function read(view: TaskView, insights: ReadonlyMap<string, Insight>): TaskDetail {
  const task = view.task ?? {};
  return {
    taskId: task.id ?? '',
    state: task.state ?? '',
    insights: (task.insightIds ?? []).flatMap((id) => insights.get(id) ?? []),
    commentCount: task.commentCount ?? 0,
    actions: task.actions ?? [],
    facts: task.data ?? {},
    policyStepId: task.policy?.current?.id ?? '',
  };
}

/** The detail of these tasks, from the server, into the cache. */
async function load(taskIds: readonly string[]): Promise<void> {
  const reply = await call('TaskService.Search', {
    refs: taskIds.map((id) => ({ id })),
    expandMask: { paths: ['insight_ids'] },
    pageSize: taskIds.length,
  });
  const insights = new Map(
    (reply.expanded ?? []).map((one) => {
      const { id = '', term = '', points = 0, sentence = '', code = '', parameters = {} } = one as Partial<Insight & { id: string }>;
      return [id, { term, points, sentence, code, parameters }] as const;
    }),
  );
  for (const view of reply.list ?? []) {
    const detail = read(view, insights);
    queries.setQueryData(keyOf(detail.taskId), detail);
  }
}

/** The detail of a task as a query; `ahead` are the tasks that are looked at next. */
export function detailQuery(taskId: string, ahead: readonly string[] = []) {
  return {
    queryKey: keyOf(taskId),
    staleTime: 120_000,
    queryFn: async (): Promise<TaskDetail> => {
      const wanted = [taskId, ...ahead.filter((id) => id !== taskId && queries.getQueryData(keyOf(id)) === undefined)].slice(0, batch);
      await load(wanted);
      const found = queries.getQueryData<TaskDetail>(keyOf(taskId));
      if (found === undefined) {
        throw new Error('the task is gone');
      }
      return found;
    },
  };
}

/** Reads ahead where half of what comes next is not here yet. */
export function readAhead(ahead: readonly string[]): void {
  const near = ahead.slice(0, batch);
  const missing = near.filter((id) => queries.getQueryData(keyOf(id)) === undefined && !underway.has(id));
  if (missing.length === 0 || (missing.length < near.length / 2 && !missing.includes(near[0] ?? ''))) {
    return;
  }
  for (const id of missing) {
    underway.add(id);
  }
  void load(missing)
    .catch(() => undefined)
    .finally(() => {
      for (const id of missing) {
        underway.delete(id);
      }
    });
}

/** After a change of a task: it is read anew. */
export async function forgetDetail(taskId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: keyOf(taskId) });
}
