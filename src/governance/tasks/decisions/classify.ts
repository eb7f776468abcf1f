/** May a task be decided, by this person, now: the questions that a decision by itself and each of a submission are asked. Pure. */
import { hasActed } from '../../../foundation/authority/index.ts';
import type { Context } from '../../../context.ts';
import {
  currentDecisions,
  maySeeTask,
  readApprovalAt,
  readStepAt,
  type Refusal,
  refuseAction,
  refuseAmender,
  refuseBlank,
  refuseRemoved,
  refuseStep,
  refuseTasksState,
  stepId,
  taskNotFound,
  type Task,
} from '../task/index.ts';
import { decisionActions, type Decision, type Verdict } from './decision.ts';

/** The id of the action by which this person already said the same about the step in question; undefined where they did not. */
function findSameDecision(context: Context, task: Task, decision: Decision): string | undefined {
  const mine = currentDecisions(task).filter(
    (action) => action.actorId === context.actor.userId && action.kind === decisionActions[decision.decision],
  );
  if (decision.policyStepId !== '') {
    return mine.find((action) => stepId(task.id, action.stepGeneration) === decision.policyStepId)?.id;
  }
  // Without a step the current one is meant: while the task is open, an earlier approval was about another question.
  return task.state === 'CLOSED' ? mine.at(-1)?.id : undefined;
}

function refuseByPolicy(context: Context, task: Task, decision: Decision): Refusal | undefined {
  const step = readApprovalAt(task.policyDocument, task.step);
  const counted = currentDecisions(task).filter((past) => hasActed(context.actor, past));
  // The decision that is amended does not stand in its own way.
  if (step.requireDistinctApprovers && counted.length > (decision.amend === true ? 1 : 0)) {
    return { code: 'PERMISSION_DENIED', message: 'You decided an earlier step of this task, and its policy asks for different people.' };
  }
  const next = decision.decision === 'APPROVE' ? readStepAt(task.policyDocument, task.step + 1) : undefined;
  if (next?.kind === 'unsupported') {
    return {
      code: 'FAILED_PRECONDITION',
      message: `The policy of this task continues with a step of kind '${next.name}', which is not supported.`,
    };
  }
  const needsReason = decision.decision === 'APPROVE' ? step.requireApprovalReason : step.requireDenialReason;
  if (needsReason && decision.comment.trim() === '') {
    const verb = decision.decision === 'APPROVE' ? 'approving' : 'denying';
    return {
      code: 'INVALID_ARGUMENT',
      field: 'comment',
      message: `The policy of this task requires a reason for ${verb}: comment must not be empty.`,
    };
  }
  return undefined;
}

/** The shortest and the longest time, in days, that access is certified for. */
const untilDays = { least: 1, most: 400 } as const;
const day = 86_400_000;

/** Refuses a decision's end on that date: it is a denial, the date is out of bounds, or it does not end the task. */
function refuseUntil(context: Context, task: Task, decision: Decision): Refusal | undefined {
  if (decision.certifyUntil === undefined) {
    return undefined;
  }
  const ahead = decision.certifyUntil.getTime() - context.now.getTime();
  if (decision.decision === 'DENY' || ahead < untilDays.least * day || ahead > untilDays.most * day) {
    const message =
      decision.decision === 'DENY'
        ? 'certifyUntil belongs to an approval: leave it out of a denial.'
        : `certifyUntil must lie ${untilDays.least} to ${untilDays.most} days ahead.`;
    return { code: 'INVALID_ARGUMENT', field: 'certifyUntil', message };
  }
  const next = readStepAt(task.policyDocument, task.step + 1);
  return next === undefined || next.kind === 'accept'
    ? undefined
    : {
        code: 'FAILED_PRECONDITION',
        message:
          'This approval does not end the task, so it cannot say until when: the last step of its policy does. Leave certifyUntil out.',
      };
}

/** Finds what to do about a change of one's own decision. Said again, it holds. */
function classifyAmendment(context: Context, task: Task, decision: Decision): Verdict {
  const refusal = refuseAmender(context.actor, task) ?? refuseTasksState(task.tasksState) ?? refuseStep(task, decision.policyStepId);
  if (refusal !== undefined) {
    return { refusal };
  }
  const last = currentDecisions(task).findLast(({ actorId }) => actorId === context.actor.userId);
  const until = decision.certifyUntil?.getTime();
  if (last?.kind === decisionActions[decision.decision] && task.certifyUntil?.getTime() === until) {
    return { repeats: last.id };
  }
  const wrong =
    (decision.decision === 'APPROVE' ? refuseRemoved(task, 'amended') : undefined) ??
    refuseBlank(decision.comment, 'amending a decision') ??
    refuseByPolicy(context, task, decision) ??
    refuseUntil(context, task, decision);
  return wrong === undefined ? 'proceed' : { refusal: wrong };
}

const removalIsDecidedAlone: Refusal = {
  code: 'FAILED_PRECONDITION',
  message: 'This is a revoke task: approve or deny it by itself, without a date.',
};

/** Finds what to do about a decision, given the task as it was read (or locked). Pure. */
export function classifyDecision(context: Context, task: Task | undefined, decision: Decision): Verdict {
  if (task === undefined || !maySeeTask(context.actor, task)) {
    return { refusal: taskNotFound };
  }
  if (task.kind === 'REVOKE') {
    return { refusal: removalIsDecidedAlone };
  }
  if (decision.amend === true) {
    return classifyAmendment(context, task, decision);
  }
  const same = findSameDecision(context, task, decision);
  if (same !== undefined) {
    return { repeats: same };
  }
  const refusal =
    refuseAction(decision.decision, context.actor, task, context.now) ??
    refuseStep(task, decision.policyStepId) ??
    refuseByPolicy(context, task, decision) ??
    refuseUntil(context, task, decision);
  return refusal === undefined ? 'proceed' : { refusal };
}
