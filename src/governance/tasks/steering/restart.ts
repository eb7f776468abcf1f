/**
 * Starting a task's policy over, while its review is open: the owners' way to take a decision back. What was decided stays in history. Under which
 * policy a task that is reset starts over is hard-reset.ts.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { enterStep, type RouteRow } from '../policy-engine/index.ts';
import {
  changeTask,
  getTask,
  refusalError,
  accessGone,
  refuseAction,
  refuseStep,
  lockTask,
  type NewAction,
  type TaskChange,
  stepId,
  type Task,
  taskSlot,
  openState,
} from '../task/index.ts';
import { checkComment } from '../decisions/index.ts';
import { hasAccess } from '../batches/index.ts';

/** The request: why, and which step is meant (empty for whatever it is). */
export interface Restart {
  readonly taskId: string;
  readonly comment: string;
  readonly policyStepId: string;
}

/**
 * Opens the task again at the first step of its policy, asking whoever that step asks now. Returns the id of the action.
 * 400 while its review is not open or where the access is gone, 403 for anybody but owners and Super Administrators.
 */
export function restartTask(context: Context, asked: Restart): Promise<string> {
  return startOver(context, asked, { action: 'RESTART', kind: 'RESTARTED', event: 'task.restarted' });
}

/** A way to start over. */
export interface StartingOver {
  readonly action: 'RESTART' | 'HARD_RESET';
  readonly kind: 'RESTARTED' | 'HARD_RESET';
  readonly event: 'task.restarted' | 'task.hard_reset';
  /** The route that the task starts over on; absent where it is the one it is on. */
  readonly chooseRoute?: (context: Context, task: Task) => Promise<{ readonly route: RouteRow; readonly policyId: string }>;
}

/** Opens a task again at the first step of a route. Returns the id of the action. */
export async function startOver(context: Context, asked: Restart, way: StartingOver): Promise<string> {
  checkComment(asked.comment);
  return inTransaction(context, async (inner) => {
    await lockTask(inner, asked.taskId);
    await taskSlot.get().lockRemovals(inner, [asked.taskId]);
    const task = await getTask(inner, asked.taskId);
    const refusal =
      refuseAction(way.action, inner.actor, task, inner.now) ??
      refuseStep(task, asked.policyStepId) ??
      ((await hasAccess(inner, task.id)) ? undefined : accessGone);
    if (refusal !== undefined) {
      throw refusalError(refusal);
    }
    const chosen = await way.chooseRoute?.(inner, task);
    const route = chosen && { routeNo: chosen.route.routeNo, policyId: chosen.policyId };
    const moved = chosen === undefined ? task : { ...task, ...route, policyDocument: chosen.route.document };
    // What was decided before counts no more: whoever approved may be asked again.
    const entered = await enterStep(inner, { ...moved, history: [] }, 0);
    const stepGeneration = task.stepGeneration + 1;
    const action: NewAction = {
      id: newId(inner.now),
      kind: way.kind,
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
    const reopened: TaskChange =
      entered.state === 'OPEN'
        ? {
            step: 0,
            stepGeneration,
            assignmentId: entered.assignmentId,
            ...openState,
            moment: entered.moment,
          }
        : {
            step: 0,
            stepGeneration,
            assignmentId: null,
            state: 'CLOSED',
            outcome: entered.outcome,
            endReason: entered.endReason,
            decidedById: null,
            decidedIssuerId: null,
            endedAt: inner.now,
          };
    const change = route === undefined ? reopened : { ...reopened, route };
    const actions = [action, ...entered.notes];
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
    const data = {
      reviewId: task.reviewId,
      actionId: action.id,
      previousOutcome: task.outcome,
      ...(chosen === undefined ? {} : { policyId: chosen.policyId, version: chosen.route.version }),
    };
    const event = { kind: way.event, data };
    if (!(await changeTask(inner, task, change, actions, event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return action.id;
  });
}
