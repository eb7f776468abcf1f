/**
 * Starting a task's policy over, while its review is open: the owners' way to take a decision back. What was decided stays in history.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { enterStep } from './advance.ts';
import { changeTask } from './change-task.ts';
import { checkComment } from './comment.ts';
import { getTask } from './get-task.ts';
import { type Refusal, refuseTasksState, refuseRestarter, refuseRestartOf, refusalError } from './permit.ts';
import { lockTask, type NewAction, type TaskChange } from './store.ts';
import { stepId, type TaskRow } from './task.ts';

/** What is asked: why, and which step is meant (empty for whatever it is). */
export interface Restart {
  readonly taskId: string;
  readonly comment: string;
  readonly policyStepId: string;
}

function refuseRestart(context: Context, task: TaskRow, asked: Restart): Refusal | undefined {
  const refusal = refuseRestarter(context.actor, task) ?? refuseTasksState(task.tasksState) ?? refuseRestartOf(task);
  const current = stepId(task.id, task.stepGeneration);
  if (refusal === undefined && asked.policyStepId !== '' && asked.policyStepId !== current) {
    return {
      code: 'CONFLICT',
      message: `The step '${asked.policyStepId}' is not the current one any more: the current policyStepId is '${current}'.`,
    };
  }
  return refusal;
}

/**
 * Opens the task again at the first step of its policy, asking whoever that step asks now. Returns the id of the action.
 * 400 while its review is not open or where the access is gone, 403 for anybody but owners and Super Administrators.
 */
export async function restartTask(context: Context, asked: Restart): Promise<string> {
  checkComment(asked.comment);
  return inTransaction(context, async (inner) => {
    await lockTask(inner, asked.taskId);
    const task = await getTask(inner, asked.taskId);
    const refusal = refuseRestart(inner, task, asked);
    if (refusal !== undefined) {
      throw refusalError(refusal);
    }
    const entered = await enterStep(inner, task, 0);
    const stepGeneration = task.stepGeneration + 1;
    const action: NewAction = {
      id: newId(inner.now),
      kind: 'RESTARTED',
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: asked.comment,
      data: {
        assignmentId: task.assignmentId,
        previousState: task.state,
        previousOutcome: task.outcome,
        previousEndReason: task.endReason,
        newStepId: stepId(task.id, stepGeneration),
      },
    };
    const change: TaskChange =
      entered.state === 'OPEN'
        ? {
            step: 0,
            stepGeneration,
            assignmentId: entered.assignmentId,
            state: 'OPEN',
            outcome: '',
            endReason: '',
            decidedById: null,
            decidedIssuerId: null,
            endedAt: null,
          }
        : {
            step: 0,
            stepGeneration,
            assignmentId: null,
            state: 'CLOSED',
            outcome: entered.outcome,
            endReason: 'DECIDED',
            decidedById: null,
            decidedIssuerId: null,
            endedAt: inner.now,
          };
    const actions = [action];
    if (entered.state === 'CLOSED') {
      actions.push({
        id: newId(inner.now),
        kind: 'ENDED',
        step: 0,
        stepGeneration,
        comment: '',
        data: { reason: 'POLICY', outcome: entered.outcome, message: entered.byPolicy?.message ?? '' },
      });
    }
    const event = { kind: 'task.restarted', data: { reviewId: task.reviewId, actionId: action.id, previousOutcome: task.outcome } };
    if (!(await changeTask(inner, task, change, actions, event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return action.id;
  });
}
