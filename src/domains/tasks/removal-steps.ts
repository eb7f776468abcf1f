/**
 * How the task of a removal goes from step to step: who may allow or refuse it, who says that it is done or cannot be done. Each answers what that
 * means for the removal, which its own module then moves; its task follows.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEventWith } from '../audit/index.ts';
import { enterStep, nextEntry } from './advance.ts';
import { changeTask } from './change-task.ts';
import { checkComment } from './comment.ts';
import type { Decision } from './decide.ts';
import { lockTaskFor, throwRefusal } from './locked-task.ts';
import { findDelegator } from './permit.ts';
import { refuseBlank, refuseStep } from './permit-actions.ts';
import { rawSteps, readApprovalAt } from './policy-steps.ts';
import { findTask, insertAction, lockTask, type NewAction, type TaskChange } from './store.ts';
import { type ActionKind, currentDecisions, stepId, type TaskRow } from './task.ts';

/** What a word about a removal comes to: another step, that it may begin, that it is refused, said to be done, or failed. */
export type RemovalTurn = 'STEP' | 'BEGIN' | 'REFUSE' | 'CLAIM' | 'FAIL';

/** What was recorded, and what it means for the removal. */
export interface RemovalStep {
  readonly actionId: string;
  readonly turn: RemovalTurn;
  /** Why the policy itself refuses it, behind an approval; undefined for a person's refusal. */
  readonly byPolicy?: string;
}

const kindOf = (isProvision: boolean, decision: Decision['decision']): ActionKind =>
  isProvision ? (decision === 'APPROVE' ? 'PROVISIONED' : 'ERRORED') : decision === 'APPROVE' ? 'APPROVED' : 'DENIED';

const eventOf: Partial<Record<ActionKind, string>> = {
  APPROVED: 'task.removal_approved',
  DENIED: 'task.removal_refused',
  PROVISIONED: 'task.removal_done',
  ERRORED: 'task.removal_failed',
  RETRIED: 'task.removal_retried',
};

function recordOf(context: Context, task: TaskRow, kind: ActionKind, comment: string): NewAction {
  const delegatorId = findDelegator(context.actor, task);
  const data = { assignmentId: task.assignmentId, ...(delegatorId === undefined ? {} : { delegatorId }) };
  return { id: newId(context.now), kind, step: task.step, stepGeneration: task.stepGeneration, comment, data };
}

function eventFor(task: TaskRow, action: NewAction) {
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
  return { kind: eventOf[action.kind] ?? '', targetType: 'task', targetId: task.id, data };
}

const overtaken = () => new AppError('CONFLICT', 'This task is being changed by others at the same time. Try again.');

/** Notes what was said beside the task, which stays where it is. */
async function noteAction(context: Context, task: TaskRow, action: NewAction): Promise<void> {
  if (!(await recordEventWith(context, eventFor(task, action), (insertEvent) => insertAction(context, task, action, insertEvent)))) {
    throw overtaken();
  }
}

function refuseByRules(context: Context, task: TaskRow, decision: Decision): void {
  const step = readApprovalAt(task.policyDocument, task.step);
  throwRefusal(refuseStep(task, decision.policyStepId));
  const isDenial = decision.decision === 'DENY';
  if (step.requireDistinctApprovers && currentDecisions(task).some(({ actorId }) => actorId === context.actor.userId)) {
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

const open = { state: 'OPEN', outcome: '', endReason: '', decidedById: null, decidedIssuerId: null, endedAt: null } as const;

/** Enters a step, or says that the policy refuses the removal there; the actions that led there are recorded with it. */
async function moveTo(context: Context, task: TaskRow, index: number, action: NewAction): Promise<RemovalStep> {
  const from = action.kind === 'APPROVED' ? nextEntry(context, task).task : task;
  const entered = await enterStep(context, from, index);
  if (entered.state === 'CLOSED') {
    await noteAction(context, task, action);
    return { actionId: action.id, turn: 'REFUSE', byPolicy: entered.byPolicy?.message ?? '' };
  }
  const stepGeneration = task.stepGeneration + 1;
  const change: TaskChange = { ...open, step: entered.step, stepGeneration, assignmentId: entered.assignmentId, moment: entered.moment };
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
  checkComment(decision.comment);
  const task = await lockTaskFor(context, decision.taskId, decision.decision);
  refuseByRules(context, task, decision);
  const { isProvision } = readApprovalAt(task.policyDocument, task.step);
  const action = recordOf(context, task, kindOf(isProvision, decision.decision), decision.comment);
  if (decision.decision === 'DENY') {
    await noteAction(context, task, action);
    return { actionId: action.id, turn: isProvision ? 'FAIL' : 'REFUSE' };
  }
  if (!isProvision || rawSteps(task.policyDocument)[task.step + 1] !== undefined) {
    return moveTo(context, task, task.step + 1, action);
  }
  await noteAction(context, task, action);
  return { actionId: action.id, turn: 'CLAIM' };
}

/** Notes in the task of a removal that somebody said elsewhere that it is done. */
export async function noteRemovalClaim(context: Context, taskId: string, comment: string): Promise<void> {
  await lockTask(context, taskId);
  const task = await findTask(context, taskId);
  if (task !== undefined) {
    await noteAction(context, task, recordOf(context, task, 'PROVISIONED', comment));
  }
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

/** Refuses a retry that this actor may not make of this task, or that its removal does not allow; 404 where they may not know of it. */
export async function requireRemovalRetry(context: Context, taskId: string, policyStepId: string): Promise<void> {
  const task = await lockTaskFor(context, taskId, 'RETRY_PROVISIONING');
  throwRefusal(refuseStep(task, policyStepId));
}
