/**
 * Approving and denying one task: may it be decided, by this person, now; and what becomes of it. A submission of many at once
 * (submit.ts) asks the same questions through classifyDecision and planDecision.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { type Entered, enterStep } from './advance.ts';
import { changeTask } from './change-task.ts';
import { checkComment } from './comment.ts';
import {
  findDelegator,
  maySeeTask,
  type Refusal,
  refuseTasksState,
  refuseDecider,
  refusalError,
  standsFor,
  taskNotFound,
} from './permit.ts';
import { readApprovalAt, readStepAt } from './policy-steps.ts';
import { findFormerAssignment, findTask, lockTask, type NewAction, type TaskChange } from './store.ts';
import { currentDecisions, explainEnd, stepId, type TaskRow } from './task.ts';

/** What a reviewer says about one task. */
export interface Decision {
  readonly taskId: string;
  readonly decision: 'APPROVE' | 'DENY';
  readonly comment: string;
  /** Empty for the current step. */
  readonly policyStepId: string;
}

/** The answer to a decision that holds: the action that recorded it. */
export interface Decided {
  readonly actionId: string;
  /** True where this person had said the same before and nothing was written. */
  readonly repeated: boolean;
}

/** What is to be done about a decision: refuse it, say it again, or write it. */
export type Verdict = { readonly refusal: Refusal } | { readonly repeats: string } | 'proceed';

const actionOf = { APPROVE: 'APPROVED', DENY: 'DENIED' } as const;

/** The id of the action by which this person already said the same about the step in question; undefined where they did not. */
function findSameDecision(context: Context, task: TaskRow, decision: Decision): string | undefined {
  const mine = currentDecisions(task).filter(
    (action) => action.actorId === context.actor.userId && action.kind === actionOf[decision.decision],
  );
  if (decision.policyStepId !== '') {
    return mine.find((action) => stepId(task.id, action.stepGeneration) === decision.policyStepId)?.id;
  }
  // Without a step the current one is meant: while it is open, an earlier approval was about another question, unless this person has
  // no say in the current one and can only mean theirs.
  const last = mine.at(-1);
  const meansTheirs = task.state === 'CLOSED' || refuseDecider(context.actor, task) !== undefined;
  return last !== undefined && meansTheirs ? last.id : undefined;
}

function refuseClosed(task: TaskRow): Refusal {
  const why = explainEnd(task.endReason);
  if (why !== '') {
    return { code: 'CONFLICT', message: `This task is closed. ${why}` };
  }
  const what = task.outcome === 'CERTIFIED' ? 'certified' : task.outcome === 'DECERTIFIED' ? 'denied' : 'closed';
  return { code: 'CONFLICT', message: `This task was already ${what} by ${task.decidedByName ?? 'its policy'}.` };
}

function refuseStep(task: TaskRow, asked: string): Refusal | undefined {
  const current = stepId(task.id, task.stepGeneration);
  if (asked === '' || asked === current) {
    return undefined;
  }
  return { code: 'CONFLICT', message: `The step '${asked}' is not the current one any more: the current policyStepId is '${current}'.` };
}

function refuseByPolicy(context: Context, task: TaskRow, decision: Decision): Refusal | undefined {
  const step = readApprovalAt(task.policyDocument, task.step);
  if (step.requireDistinctApprovers && currentDecisions(task).some((action) => action.actorId === context.actor.userId)) {
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

/** What is to be done about a decision, given the task as it was read (or locked). Pure. */
export function classifyDecision(context: Context, task: TaskRow | undefined, decision: Decision): Verdict {
  if (task === undefined || !maySeeTask(context.actor, task)) {
    return { refusal: taskNotFound };
  }
  const same = findSameDecision(context, task, decision);
  if (same !== undefined) {
    return { repeats: same };
  }
  const refusal =
    refuseDecider(context.actor, task) ??
    refuseTasksState(task.tasksState) ??
    (task.state === 'CLOSED' ? refuseClosed(task) : undefined) ??
    refuseStep(task, decision.policyStepId) ??
    refuseByPolicy(context, task, decision);
  return refusal === undefined ? 'proceed' : { refusal };
}

/** A change of one task and the actions that record it; the first of them is the decision. */
export interface PlannedDecision {
  readonly change: TaskChange;
  readonly actions: readonly [NewAction, ...NewAction[]];
}

/** What a decision makes of a task, once the step behind it was entered; `entered` is undefined for a denial. */
export function planDecision(context: Context, task: TaskRow, decision: Decision, entered: Entered | undefined): PlannedDecision {
  const { now, actor } = context;
  const base = { step: task.step, stepGeneration: task.stepGeneration, assignmentId: task.assignmentId };
  const record = {
    id: newId(now),
    kind: actionOf[decision.decision],
    step: task.step,
    stepGeneration: task.stepGeneration,
    comment: decision.comment,
  };
  const delegatorId = findDelegator(actor, task);
  const asked = { assignmentId: task.assignmentId, ...(delegatorId === undefined ? {} : { delegatorId }) };
  if (entered?.state === 'OPEN') {
    const stepGeneration = task.stepGeneration + 1;
    return {
      change: {
        step: entered.step,
        stepGeneration,
        assignmentId: entered.assignmentId,
        state: 'OPEN',
        outcome: '',
        endReason: '',
        decidedById: null,
        decidedIssuerId: null,
        endedAt: null,
      },
      actions: [{ ...record, data: { ...asked, newStepId: stepId(task.id, stepGeneration) } }],
    };
  }
  const outcome = entered === undefined ? 'DECERTIFIED' : entered.outcome;
  // Who approves before a step that rejects has not decided that it be rejected.
  const byPerson = entered?.byPolicy === undefined || outcome === 'CERTIFIED';
  const change: TaskChange = {
    ...base,
    state: 'CLOSED',
    outcome,
    endReason: 'DECIDED',
    decidedById: byPerson ? actor.userId : null,
    decidedIssuerId: byPerson && actor.issuerId !== '' ? actor.issuerId : null,
    endedAt: now,
  };
  if (entered?.byPolicy === undefined) {
    return { change, actions: [{ ...record, data: { ...asked, outcome } }] };
  }
  const ended: NewAction = {
    id: newId(now),
    kind: 'ENDED',
    step: task.step + 1,
    stepGeneration: task.stepGeneration,
    comment: '',
    data: { reason: 'POLICY', outcome, message: entered.byPolicy.message },
  };
  return { change, actions: [{ ...record, data: asked }, ended] };
}

/** Refuses somebody who was asked by a step that is over with the reason they need, instead of a task they never heard of. */
async function refuseLatecomer(context: Context, taskId: string): Promise<Refusal> {
  const former = await findFormerAssignment(context, taskId, standsFor(context.actor));
  return former === undefined
    ? taskNotFound
    : { code: 'CONFLICT', message: `The step you were asked to decide was already decided by ${former.decidedByName}.` };
}

const maxReadings = 4;

/**
 * Decides one task, for good. The first decision wins: 409 CONFLICT names who was first; the same person's same decision again holds and
 * changes nothing. 404 where the actor may not know of the task, 403 where they may not decide it, 400 while its review is not open or where
 * the policy wants a reason. Usually one read and one writing statement.
 */
export async function decideTask(context: Context, decision: Decision): Promise<Decided> {
  checkComment(decision.comment);
  for (let reading = 0; reading < maxReadings; reading++) {
    const task = await findTask(context, decision.taskId);
    const verdict = classifyDecision(context, task, decision);
    if (verdict !== 'proceed' && 'repeats' in verdict) {
      return { actionId: verdict.repeats, repeated: true };
    }
    if (task === undefined || verdict !== 'proceed') {
      const refusal = verdict === 'proceed' ? taskNotFound : verdict.refusal;
      throw refusalError(refusal === taskNotFound ? await refuseLatecomer(context, decision.taskId) : refusal);
    }
    const actionId = await writeDecision(context, task, decision);
    if (actionId !== undefined) {
      return { actionId, repeated: false };
    }
    // Somebody was faster, or the review is no longer open: read again, and say which.
  }
  throw new AppError('CONFLICT', 'This task is being changed by others at the same time. Try again.');
}

/** The id of the action, or undefined where the task was no longer as it was read. */
async function writeDecision(context: Context, task: TaskRow, decision: Decision): Promise<string | undefined> {
  const write = async (inner: Context): Promise<string | undefined> => {
    const entered = decision.decision === 'DENY' ? undefined : await enterStep(inner, task, task.step + 1);
    const { change, actions } = planDecision(inner, task, decision, entered);
    const event = {
      kind: decision.decision === 'DENY' ? 'task.denied' : 'task.approved',
      data: {
        reviewId: task.reviewId,
        actionId: actions[0].id,
        policyStepId: stepId(task.id, task.stepGeneration),
        outcome: change.outcome,
        personReviewedId: task.userId ?? '',
        delegatorId: findDelegator(inner.actor, task) ?? '',
      },
    };
    return (await changeTask(inner, task, change, actions, event)) ? actions[0].id : undefined;
  };
  const next = decision.decision === 'DENY' ? undefined : readStepAt(task.policyDocument, task.step + 1);
  if (next?.kind !== 'approval') {
    // A single statement is its own transaction: BEGIN and COMMIT would be two more round trips.
    return write(context);
  }
  try {
    return await inTransaction(context, async (inner) => {
      await lockTask(inner, task.id);
      const id = await write(inner);
      if (id === undefined) {
        // Takes back an assignment made for a step that is not entered.
        throw new Overtaken();
      }
      return id;
    });
  } catch (error) {
    if (error instanceof Overtaken) {
      return undefined;
    }
    throw error;
  }
}

class Overtaken extends Error {}
