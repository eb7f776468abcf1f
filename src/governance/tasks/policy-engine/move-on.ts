/**
 * Moving a task on without a decision: its step was skipped, is over, or was escalated. What moves it is for those who call; a skip never certifies
 * what nobody approved.
 */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { type Entered, enterSteps } from './advance.ts';
import { readStepAt, type NewAction, type TaskChange, currentDecisions, type Task, openState } from '../task/index.ts';

/** Ends a task whose last step was skipped: certified by whoever approved last, or cancelled where nobody did. */
function endBehindSkip(task: Task, now: Date): TaskChange {
  const approval = currentDecisions(task).findLast(({ kind }) => kind === 'APPROVED');
  return {
    step: task.step,
    stepGeneration: task.stepGeneration,
    assignmentId: task.assignmentId,
    state: 'CLOSED',
    outcome: approval === undefined ? 'CANCELLED' : 'CERTIFIED',
    endReason: approval === undefined ? 'STEP_SKIPPED' : 'DECIDED',
    decidedById: approval?.actorId ?? null,
    decidedIssuerId: approval === undefined || approval.issuerId === '' ? null : approval.issuerId,
    endedAt: now,
  };
}

/** Task moved on by no decision: the change, and what is noted behind whatever moved it. */
export interface MovedOn {
  readonly change: TaskChange;
  readonly behind: readonly NewAction[];
}

/** Change of a task that entered a step without a decision. */
export function changeByMachine(context: Context, task: Task, entered: Entered): MovedOn {
  const stepGeneration = task.stepGeneration + 1;
  if (entered.state === 'OPEN') {
    const { step, assignmentId, moment, notes } = entered;
    return { change: { ...openState, step, stepGeneration, assignmentId, moment }, behind: notes };
  }
  const { outcome, endReason, byPolicy, notes } = entered;
  if (byPolicy === undefined) {
    return { change: { ...endBehindSkip(task, context.now), stepGeneration }, behind: notes };
  }
  const change: TaskChange = {
    step: task.step + 1,
    stepGeneration,
    assignmentId: null,
    state: 'CLOSED',
    outcome,
    endReason,
    decidedById: null,
    decidedIssuerId: null,
    endedAt: context.now,
  };
  const data = { reason: 'POLICY', outcome, message: byPolicy.message } as const;
  return {
    change,
    behind: [...notes, { id: newId(context.now), kind: 'ENDED', step: task.step + 1, stepGeneration, comment: '', data }],
  };
}

/** Leaves the current steps of tasks for the next ones; behind the last, for the end. In their order. */
export async function moveAllOn(context: Context, tasks: readonly Task[]): Promise<MovedOn[]> {
  const going = tasks.filter((task) => readStepAt(task.policyDocument, task.step + 1) !== undefined);
  const entered = await enterSteps(
    context,
    going.map((task) => ({ task, index: task.step + 1 })),
  );
  const byTask = new Map(going.map(({ id }, at) => [id, entered[at]]));
  return tasks.map((task) => {
    const to = byTask.get(task.id);
    return to === undefined ? { change: endBehindSkip(task, context.now), behind: [] } : changeByMachine(context, task, to);
  });
}

/** Leaves the current step of one task. */
export async function moveOn(context: Context, task: Task): Promise<MovedOn> {
  const [moved] = await moveAllOn(context, [task]);
  return moved ?? { change: endBehindSkip(task, context.now), behind: [] };
}
