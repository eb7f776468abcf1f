/**
 * Timed moves of tasks: waits end, and steps that nobody decided are escalated. The database keeps when the next such moment of each task is
 * (`next_at`); one job of the tenant does those that have come and sleeps as a call until the next. What is due is read again under the lock of the
 * task, so that nothing happens twice, and the job's transaction ends with it, so that nothing is forgotten.
 */
import { isAppError } from '../../../errors.ts';
import { callAgain, type JobKind } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { NewEvent } from '../../../events/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import {
  taskTimersKind,
  changeTask,
  type PlannedChange,
  readStepAt,
  noteAction,
  listTasksByIds,
  lockTask,
  type NewAction,
  type TaskChange,
  stepId,
  type Task,
} from '../task/index.ts';
import { type Overdue, planEscalations } from './escalate.ts';
import { moveAllOn } from './move-on.ts';
import { type DueTask, findNextTaskMoment, listDueTasks, updateNextMoments } from './store-timers.ts';
import { judgeWaits, type Waiting } from './wait.ts';

/** Due tasks of one piece. */
const duePerPiece = 1_000;

const note = (
  context: Context,
  task: Task,
  kind: 'COMMENTED' | 'PASSED' | 'ENDED',
  comment: string,
  data: NewAction['data'],
): NewAction => ({
  id: newId(context.now),
  kind,
  step: task.step,
  stepGeneration: task.stepGeneration,
  comment,
  data: { bySystem: true, ...data },
});

async function commentBySystem(context: Context, task: Task, comment: string): Promise<void> {
  if (comment !== '') {
    const action = note(context, task, 'COMMENTED', comment, {});
    const data = { reviewId: task.reviewId, actionId: action.id };
    const event: NewEvent<'task.commented'> = { kind: 'task.commented', targetId: task.id, reviewId: task.reviewId, data };
    await noteAction(context, task, action, event);
  }
}

function planTimeout(context: Context, { task, step }: Waiting): PlannedChange {
  const change: TaskChange = {
    step: task.step,
    stepGeneration: task.stepGeneration,
    assignmentId: null,
    state: 'CLOSED',
    outcome: 'WAIT_TIMED_OUT',
    endReason: 'WAIT_TIMED_OUT',
    decidedById: null,
    decidedIssuerId: null,
    endedAt: context.now,
  };
  const ended = note(context, task, 'ENDED', step.timeoutComment, { reason: 'WAIT_TIMED_OUT', outcome: 'WAIT_TIMED_OUT' });
  return { change, actions: [ended], event: { kind: 'task.wait_timed_out', data: waitData(task) } };
}

const waitData = (task: Task) => ({ reviewId: task.reviewId, policyStepId: stepId(task.id, task.stepGeneration) });

/** Plans the moves of waiting tasks, by id; for those that go on, the next look is kept. */
async function planWaits(context: Context, waiting: readonly Waiting[]): Promise<Map<string, PlannedChange>> {
  const judged = await judgeWaits(context, waiting);
  const planned = new Map<string, PlannedChange>();
  const looks = new Map<string, Date>();
  const over: Task[] = [];
  for (const [at, one] of waiting.entries()) {
    const { task, step } = one;
    const result = judged[at];
    if (result === 'over') {
      over.push(task);
    } else if (result === 'timed out') {
      planned.set(task.id, planTimeout(context, one));
    } else if (result !== undefined) {
      // The first look at a wait that a review begins with: nobody has said yet that it waits.
      if (task.enteredAt === null || task.nextAt?.getTime() === task.enteredAt.getTime()) {
        await commentBySystem(context, task, step.firstComment);
      }
      looks.set(task.id, result);
    }
  }
  const moved = await moveAllOn(context, over);
  for (const [at, task] of over.entries()) {
    const to = moved[at];
    if (to !== undefined) {
      const { change, behind } = to;
      const message = 'What the policy waits for has come.';
      planned.set(task.id, {
        change,
        actions: [note(context, task, 'PASSED', '', { message, newStepId: stepId(task.id, change.stepGeneration) }), ...behind],
        event: { kind: 'task.wait_passed', data: { ...waitData(task), outcome: change.outcome } },
      });
    }
  }
  await updateNextMoments(context, looks);
  return planned;
}

/**
 * Does what is due on locked tasks, as they stand now. `looks`: a condition that is waited for is looked at although it is not its moment yet.
 */
export async function runDue(context: Context, taskIds: readonly string[], looks: boolean): Promise<void> {
  const waiting: Waiting[] = [];
  const overdue: Overdue[] = [];
  const nothing = new Map<string, null>();
  const tasks = (await listTasksByIds(context, taskIds)).filter(
    (task) => task.state === 'OPEN' && task.tasksState === 'OPEN' && task.nextAt !== null,
  );
  for (const task of tasks) {
    const isDue = task.nextAt !== null && task.nextAt <= context.now;
    const step = readStepAt(task.policyDocument, task.step);
    if (step?.kind === 'wait' && (isDue || looks)) {
      waiting.push({ task, step });
    } else if (isDue && step?.kind === 'approval' && step.escalation !== undefined) {
      overdue.push({ task, step, escalation: step.escalation });
    } else if (isDue) {
      nothing.set(task.id, null);
    }
  }
  const planned = new Map([...(await planWaits(context, waiting)), ...(await planEscalations(context, overdue))]);
  for (const task of tasks) {
    const one = planned.get(task.id);
    if (one !== undefined) {
      await changeTask(context, task, one.change, one.actions, one.event);
    }
  }
  await updateNextMoments(context, nothing);
}

/** Does what is due on one task after the other, so that one whose policy cannot be carried out keeps no other from its moment. */
async function runOneByOne(context: Context, due: readonly DueTask[]): Promise<void> {
  for (const { id, reviewId } of due) {
    try {
      await runDue(context, [id], false);
    } catch (error) {
      if (!isAppError(error, 'FAILED_PRECONDITION')) {
        throw error;
      }
      await updateNextMoments(context, new Map([[id, null]]));
      const data = { reviewId, error: error.message };
      await recordEvent(context, { kind: 'task.timer_failed', targetId: id, reviewId, data });
    }
  }
}

/** Does what is due on these tasks, together where that is possible. */
async function runAllDue(context: Context, due: readonly DueTask[]): Promise<void> {
  for (const { id } of due) {
    await lockTask(context, id);
  }
  try {
    // What cannot be carried out is found before anything is written.
    await runDue(
      context,
      due.map(({ id }) => id),
      false,
    );
  } catch (error) {
    if (!isAppError(error, 'FAILED_PRECONDITION')) {
      throw error;
    }
    await runOneByOne(context, due);
  }
}

/** Does what is due on the tasks of a tenant. */
export const taskTimersJob: JobKind = {
  // Giving up would silently end all that happens by itself.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const due = await listDueTasks(context, duePerPiece);
    // In one order, so that two who lock several tasks never wait for each other in a circle.
    await runAllDue(
      context,
      due.toSorted((one, other) => (one.reviewId + one.id < other.reviewId + other.id ? -1 : 1)),
    );
    if (due.length === duePerPiece) {
      return { cursor: {}, done: job.done + due.length, total: 0 };
    }
    const next = await findNextTaskMoment(context);
    if (next !== undefined) {
      await callAgain(
        context.db,
        { tenantId: context.tenantId, kind: taskTimersKind, subjectId: context.tenantId, runAt: next },
        context.now,
      );
    }
    return 'finished';
  },
};
