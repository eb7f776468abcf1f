/** Escalation of steps that nobody decided in time: once for each time one is entered. When that is, is timers.ts. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { enterSteps } from './advance.ts';
import { assignTasksToSteps, findEligible } from './assign.ts';
import { chooseRoutes } from './choose-route.ts';
import { type PlannedChange, type ApprovalStep, type Escalation, type NewAction, stepId, type Task, openState } from '../task/index.ts';
import { changeByMachine, type MovedOn, moveAllOn } from './move-on.ts';
import { insertAssignment, listAssignees } from './store-assign.ts';

/** A task and the step of it that nobody decided in time. */
export interface Overdue {
  readonly task: Task;
  readonly step: ApprovalStep;
  readonly escalation: Escalation;
}

/** Reassigns: to those named who can be asked, else along the fallbacks of the step. */
async function reassign(context: Context, overdue: readonly Overdue[]): Promise<MovedOn[]> {
  const sets = new Map<string, string>();
  const assignmentIds: (string | null)[] = [];
  const left: { readonly at: number; readonly task: Task }[] = [];
  const eligible = await findEligible(
    context,
    overdue.map(({ task, escalation }) => ({
      task,
      userIds: escalation.how === 'REASSIGN' ? escalation.userIds : [],
    })),
  );
  for (const [at, { task }] of overdue.entries()) {
    const ids = eligible[at] ?? [];
    const key = `${task.reviewId}/${ids.join()}`;
    if (ids.length === 0) {
      left.push({ at, task });
    } else {
      const setId = sets.get(key) ?? (await insertAssignment(context, task.reviewId, ids, 'ESCALATED', false));
      sets.set(key, setId);
      assignmentIds[at] = setId;
    }
  }
  const found = await assignTasksToSteps(
    context,
    left.map(({ task }) => ({ task, step: task.step })),
    'fallbacks',
  );
  for (const [n, { at }] of left.entries()) {
    assignmentIds[at] = found[n] ?? null;
  }
  const moment = { nextAt: null, enteredAt: null };
  return overdue.map(({ task: { step, stepGeneration } }, at) => ({
    change: { ...openState, step, stepGeneration: stepGeneration + 1, assignmentId: assignmentIds[at] ?? null, moment },
    behind: [],
  }));
}

/** Puts tasks on the routes that another policy of their review has for them, at their first steps. */
async function replacePolicy(context: Context, overdue: readonly Overdue[]): Promise<MovedOn[]> {
  const policyOf = ({ escalation }: Overdue): string => (escalation.how === 'REPLACE_POLICY' ? escalation.policyId : '');
  const moved: Task[] = [];
  for (const group of Map.groupBy(overdue.entries(), ([, one]) => `${one.task.reviewId}/${policyOf(one)}`).values()) {
    const [reviewId = '', policyId = ''] = group.slice(0, 1).flatMap(([, one]) => [one.task.reviewId, policyOf(one)]);
    const tasks = group.map(([, { task }]) => task);
    const routes = await chooseRoutes(context, reviewId, policyId, tasks);
    for (const [n, [at, { task }]] of group.entries()) {
      const { routeNo = task.routeNo, document = {} } = routes[n] ?? {};
      moved[at] = { ...task, policyId, routeNo, policyDocument: document };
    }
  }
  const entered = await enterSteps(
    context,
    moved.map((task) => ({ task, index: 0 })),
  );
  return moved.flatMap((task, at) => {
    const to = entered[at];
    if (to === undefined) {
      return [];
    }
    const { change, behind } = changeByMachine(context, task, to);
    return [{ change: { ...change, route: { routeNo: task.routeNo, policyId: task.policyId } }, behind }];
  });
}

async function changeBy(context: Context, how: Escalation['how'], overdue: readonly Overdue[]): Promise<MovedOn[]> {
  switch (how) {
    case 'CANCEL':
      return overdue.map(({ task: { step, stepGeneration, assignmentId } }) => {
        const end = { state: 'CLOSED', outcome: 'CANCELLED', endReason: 'ESCALATED', endedAt: context.now } as const;
        return { change: { ...openState, ...end, step, stepGeneration, assignmentId }, behind: [] };
      });
    case 'SKIP':
      return moveAllOn(
        context,
        overdue.map(({ task }) => task),
      );
    case 'REASSIGN':
      return reassign(context, overdue);
    case 'REPLACE_POLICY':
      return replacePolicy(context, overdue);
  }
}

function planOne(context: Context, { task, escalation }: Overdue, { change, behind }: MovedOn, asked: readonly string[]): PlannedChange {
  const action: NewAction = {
    id: newId(context.now),
    kind: 'ESCALATED',
    step: task.step,
    stepGeneration: task.stepGeneration,
    comment: escalation.comment,
    data: {
      bySystem: true,
      how: escalation.how,
      assignmentId: task.assignmentId,
      message: 'Nobody decided in time, so the step was escalated as its policy says.',
      ...(change.state === 'OPEN' ? { newStepId: stepId(task.id, change.stepGeneration), newUserIds: asked } : { outcome: change.outcome }),
    },
  };
  const data = {
    reviewId: task.reviewId,
    actionId: action.id,
    how: escalation.how,
    outcome: change.outcome,
    oldUserIds: task.assigneeIds,
    newUserIds: asked,
  };
  return { change, actions: [action, ...behind], event: { kind: 'task.escalated', data } };
}

/** Plans escalations of the current steps of tasks, by their ids, with the system comments. */
export async function planEscalations(context: Context, overdue: readonly Overdue[]): Promise<Map<string, PlannedChange>> {
  const planned = new Map<string, PlannedChange>();
  for (const [how, group] of Map.groupBy(overdue, ({ escalation }) => escalation.how)) {
    const moved = await changeBy(context, how, group);
    const askedNow = await listAssignees(
      context,
      moved.flatMap((one) => (one?.change.state === 'OPEN' ? (one.change.assignmentId ?? []) : [])),
    );
    for (const [at, one] of group.entries()) {
      const to = moved[at];
      if (to !== undefined) {
        planned.set(one.task.id, planOne(context, one, to, askedNow.get(to.change.assignmentId ?? '') ?? []));
      }
    }
  }
  return planned;
}
