/**
 * Moves of a removal's task from step to step: who may allow or refuse it, who says that it is done or cannot be done. Each answers what that means
 * for the removal, which its own module then moves.
 */
import { AppError } from '../../../errors.ts';
import { hasActed } from '../../../foundation/authority/index.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { EventKind } from '../../../events/index.ts';
import { enterStep, nextEntry } from '../policy-engine/index.ts';
import {
  changeTask,
  lockTaskFor,
  refuseUnserved,
  throwRefusal,
  findDelegator,
  refuseBlank,
  refuseStep,
  rawSteps,
  readApprovalAt,
  findTask,
  noteAction,
  lockTask,
  type NewAction,
  type TaskChange,
  type ActionKind,
  currentDecisions,
  stepId,
  type Task,
  openState,
} from '../task/index.ts';
import type { Decision, FollowRemoval, RemovalStep } from './decision.ts';

const kindOf = (isProvision: boolean, decision: Decision['decision']): SaidKind =>
  isProvision ? (decision === 'APPROVE' ? 'PROVISIONED' : 'ERRORED') : decision === 'APPROVE' ? 'APPROVED' : 'DENIED';

const eventOf = {
  APPROVED: 'task.removal_approved',
  DENIED: 'task.removal_refused',
  PROVISIONED: 'task.removal_done',
  ERRORED: 'task.removal_failed',
  RETRIED: 'task.removal_retried',
} as const satisfies Partial<Record<ActionKind, EventKind>>;

/** Kind of statement on a removal. */
type SaidKind = keyof typeof eventOf;
type SaidAction = NewAction & { readonly kind: SaidKind };

function recordOf(context: Context, task: Task, kind: SaidKind, comment: string): SaidAction {
  const delegatorId = findDelegator(context.actor, task);
  const data = { assignmentId: task.assignmentId, ...(delegatorId === undefined ? {} : { delegatorId }) };
  return { id: newId(context.now), kind, step: task.step, stepGeneration: task.stepGeneration, comment, data };
}

function eventFor(task: Task, action: SaidAction) {
  const data = {
    reviewId: task.revocation?.reviewId ?? '',
    revocationId: task.revocation?.id ?? '',
    actionId: action.id,
    policyStepId: stepId(task.id, task.stepGeneration),
    appId: task.appId,
    entitlementId: task.entitlementId,
    personReviewedId: task.userId ?? '',
    comment: action.comment,
  };
  return { kind: eventOf[action.kind], targetId: task.id, data };
}

const overtaken = () => new AppError('CONFLICT', 'This task is being changed by others at the same time. Try again.');

/** Notes what was said beside the task, which stays where it is. */
async function noteSaid(context: Context, task: Task, action: SaidAction): Promise<void> {
  if (!(await noteAction(context, task, action, eventFor(task, action)))) {
    throw overtaken();
  }
}

function refuseByRules(context: Context, task: Task, decision: Decision): void {
  const step = readApprovalAt(task.policyDocument, task.step);
  throwRefusal(refuseStep(task, decision.policyStepId));
  const isDenial = decision.decision === 'DENY';
  if (step.requireDistinctApprovers && currentDecisions(task).some((past) => hasActed(context.actor, past))) {
    const message = 'You decided an earlier step of this task, and its policy asks for different people.';
    throwRefusal({ code: 'PERMISSION_DENIED', message });
  }
  if (isDenial || step.requireApprovalReason) {
    const doing = step.isProvision
      ? isDenial
        ? 'a removal that failed'
        : 'a removal'
      : isDenial
        ? 'refusing a removal'
        : 'approving a removal';
    throwRefusal(refuseBlank(decision.comment, doing));
  }
}

/** Enters a step, or says that the policy refuses the removal there; the actions that led there are recorded with it. */
async function moveTo(context: Context, task: Task, index: number, action: SaidAction): Promise<RemovalStep> {
  const from = action.kind === 'APPROVED' ? nextEntry(context, task).task : task;
  const entered = await enterStep(context, from, index);
  if (entered.state === 'CLOSED') {
    await noteSaid(context, task, action);
    return { actionId: action.id, turn: 'REFUSE', byPolicy: entered.byPolicy?.message ?? '' };
  }
  const stepGeneration = task.stepGeneration + 1;
  const change: TaskChange = {
    ...openState,
    step: entered.step,
    stepGeneration,
    assignmentId: entered.assignmentId,
    moment: entered.moment,
  };
  const noted = { ...action, data: { ...action.data, newStepId: stepId(task.id, stepGeneration) } };
  const { kind, data } = eventFor(task, action);
  if (!(await changeTask(context, task, change, [noted], { kind, data }))) {
    throw overtaken();
  }
  const begins = action.kind === 'APPROVED' && readApprovalAt(task.policyDocument, entered.step).isProvision;
  return { actionId: action.id, turn: begins ? 'BEGIN' : 'STEP' };
}

/**
 * Records what somebody says about a removal at the current step of its task, which the caller locked behind the removal itself. Allowed as a
 * decision about access is; a refusal and a failure need a comment.
 */
export async function decideRemovalStep(context: Context, decision: Decision): Promise<RemovalStep> {
  const task = await lockTaskFor(context, decision.taskId, decision.decision);
  refuseByRules(context, task, decision);
  const { isProvision } = readApprovalAt(task.policyDocument, task.step);
  const action = recordOf(context, task, kindOf(isProvision, decision.decision), decision.comment);
  if (decision.decision === 'DENY') {
    await noteSaid(context, task, action);
    return { actionId: action.id, turn: isProvision ? 'FAIL' : 'REFUSE' };
  }
  if (!isProvision || rawSteps(task.policyDocument)[task.step + 1] !== undefined) {
    return moveTo(context, task, task.step + 1, action);
  }
  await noteSaid(context, task, action);
  return { actionId: action.id, turn: 'CLAIM' };
}

/** Notes in the task of a removal that somebody said elsewhere that it is done. */
export async function noteRemovalClaim(context: Context, taskId: string, comment: string): Promise<void> {
  await lockTask(context, taskId);
  const task = await findTask(context, taskId);
  if (task !== undefined) {
    await noteSaid(context, task, recordOf(context, task, 'PROVISIONED', comment));
  }
}

/** Records in the task of a removal that a program carried out its current step, or could not; returns what that means for the removal. */
export async function endProvision(context: Context, taskId: string, isDone: boolean, comment: string): Promise<'CLAIM' | 'FAIL' | 'STEP'> {
  await lockTask(context, taskId);
  const task = await findTask(context, taskId);
  if (task === undefined) {
    return isDone ? 'CLAIM' : 'FAIL';
  }
  const action = recordOf(context, task, isDone ? 'PROVISIONED' : 'ERRORED', comment);
  if (isDone && rawSteps(task.policyDocument)[task.step + 1] !== undefined) {
    await moveTo(context, task, task.step + 1, action);
    return 'STEP';
  }
  await noteSaid(context, task, action);
  return isDone ? 'CLAIM' : 'FAIL';
}

/** Asks again those who remove the access, from the first step that does; returns the id of the action. Who may is for the caller. */
export async function restartRemovalTask(context: Context, taskId: string, comment: string): Promise<string> {
  await lockTask(context, taskId);
  const task = await findTask(context, taskId);
  if (task === undefined) {
    throw overtaken();
  }
  const first = rawSteps(task.policyDocument).findIndex((_, index) => readApprovalAt(task.policyDocument, index).isProvision);
  const { actionId } = await moveTo(context, task, Math.max(first, 0), recordOf(context, task, 'RETRIED', comment));
  return actionId;
}

/**
 * Tries a removal anew that failed or whose access reappeared, by its task; returns the id of the action. 404 where the actor may not know of the
 * task, 403 where they may not, 400 for tasks of reviews, which have nothing to try.
 */
export async function retryRemovalTask(
  context: Context,
  asked: { readonly taskId: string; readonly comment: string; readonly policyStepId: string },
  follow: FollowRemoval,
): Promise<string> {
  const { taskId, comment, policyStepId } = asked;
  if ((await findTask(context, taskId))?.kind !== 'REVOKE') {
    return refuseUnserved(context, 'RETRY_PROVISIONING', taskId);
  }
  return follow(context, asked, async (inner) => {
    throwRefusal(refuseStep(await lockTaskFor(inner, taskId, 'RETRY_PROVISIONING'), policyStepId));
    return { actionId: await restartRemovalTask(inner, taskId, comment), turn: 'RETRY' };
  });
}
