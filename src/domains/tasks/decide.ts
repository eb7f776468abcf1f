/**
 * Approving and denying one task: may it be decided, by this person, now; and what becomes of it. A submission of many at once
 * (submit.ts) asks the same questions through classifyDecision and planDecision.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { type Entered, enterSteps, nextEntry } from './advance.ts';
import { changeTask } from './change-task.ts';
import { checkComment } from './comment.ts';
import {
  findDelegator,
  isListedFor,
  maySeeTask,
  type Refusal,
  refuseAmender,
  refuseDecider,
  refuseTasksState,
  refusalError,
  standsFor,
  taskNotFound,
} from './permit.ts';
import { refuseAction, refuseBlank, refuseStep } from './permit-actions.ts';
import { readApprovalAt, readStepAt, remediatesAtOnce } from './policy-steps.ts';
import { findFormerAssignment, findTask, lockTask, type NewAction, type TaskChange } from './store.ts';
import { findStandings } from './relations.ts';
import type { Relation } from './store-relations.ts';
import { currentDecisions, stepId, type TaskRow } from './task.ts';

/** What a reviewer says about one task. */
export interface Decision {
  readonly taskId: string;
  readonly decision: 'APPROVE' | 'DENY';
  readonly comment: string;
  /** Empty for the current step. */
  readonly policyStepId: string;
  /** Approved until then alone. */
  readonly certifyUntil?: Date | undefined;
  /** Changes the decision of the same person that closed the task. */
  readonly amend?: boolean;
  /** When it was first staged, where it was. */
  readonly stagedAt?: Date | undefined;
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

function refuseByPolicy(context: Context, task: TaskRow, decision: Decision): Refusal | undefined {
  const step = readApprovalAt(task.policyDocument, task.step);
  const counted = currentDecisions(task).filter(({ actorId }) => actorId === context.actor.userId);
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

/** Why a decision cannot end on that date: it is a denial, the date is out of bounds, or it does not end the task. */
function refuseUntil(context: Context, task: TaskRow, decision: Decision): Refusal | undefined {
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

/** What is to be done about a change of one's own decision. Said again, it holds. */
function classifyAmendment(context: Context, task: TaskRow, decision: Decision): Verdict {
  const refusal = refuseAmender(context.actor, task) ?? refuseTasksState(task.tasksState) ?? refuseStep(task, decision.policyStepId);
  if (refusal !== undefined) {
    return { refusal };
  }
  const last = currentDecisions(task).findLast(({ actorId }) => actorId === context.actor.userId);
  const until = decision.certifyUntil?.getTime();
  if (last?.kind === actionOf[decision.decision] && task.certifyUntil?.getTime() === until) {
    return { repeats: last.id };
  }
  const wrong =
    refuseBlank(decision.comment, 'amending a decision') ?? refuseByPolicy(context, task, decision) ?? refuseUntil(context, task, decision);
  return wrong === undefined ? 'proceed' : { refusal: wrong };
}

const removalIsDecidedAlone: Refusal = {
  code: 'FAILED_PRECONDITION',
  message: 'This is a revoke task: approve or deny it by itself, without a date.',
};

/** What is to be done about a decision, given the task as it was read (or locked). Pure. */
export function classifyDecision(context: Context, task: TaskRow | undefined, decision: Decision): Verdict {
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

/** A change of one task and the actions that record it; the first of them is the decision. */
export interface PlannedDecision {
  readonly change: TaskChange;
  readonly actions: readonly [NewAction, ...NewAction[]];
}

/** What a decision makes of a task, once the step behind it was entered; `entered` is undefined for a denial. */
export function planDecision(
  context: Context,
  task: TaskRow,
  decision: Decision,
  entered: Entered | undefined,
  relations: readonly Relation[],
): PlannedDecision {
  const { now, actor } = context;
  const base = { step: task.step, stepGeneration: task.stepGeneration, assignmentId: task.assignmentId };
  const record = {
    id: newId(now),
    kind: decision.amend === true ? ('AMENDED' as const) : actionOf[decision.decision],
    step: task.step,
    stepGeneration: task.stepGeneration,
    comment: decision.comment,
  };
  const delegatorId = findDelegator(actor, task);
  const asked = {
    assignmentId: task.assignmentId,
    ...(delegatorId === undefined ? {} : { delegatorId }),
    ...(relations.length === 0 ? {} : { relations }),
    ...(decision.stagedAt === undefined ? {} : { stagedAt: decision.stagedAt.toISOString() }),
    ...(decision.amend === true ? { decision: decision.decision, previousOutcome: task.outcome } : {}),
  };
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
        moment: entered.moment,
      },
      actions: [
        { ...record, data: { ...asked, newStepId: stepId(task.id, stepGeneration) } },
        ...entered.notes.map((note) => ({ ...note, id: newId(now) })),
      ],
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
    certifyUntil: decision.certifyUntil ?? null,
  };
  const until = decision.certifyUntil === undefined ? {} : { certifyUntil: decision.certifyUntil.toISOString() };
  if (entered?.byPolicy === undefined) {
    return { change, actions: [{ ...record, data: { ...asked, ...until, outcome } }] };
  }
  const ended: NewAction = {
    id: newId(now),
    kind: 'ENDED',
    step: task.step + 1,
    stepGeneration: task.stepGeneration,
    comment: '',
    data: { reason: 'POLICY', outcome, message: entered.byPolicy.message },
  };
  return { change, actions: [{ ...record, data: { ...asked, ...until } }, ended] };
}

/** For somebody who was asked by a step that others decided: who that was; undefined for anybody else. */
async function findRefusalOfLatecomer(context: Context, taskId: string): Promise<Refusal | undefined> {
  const former = await findFormerAssignment(context, taskId, standsFor(context.actor));
  return former === undefined
    ? undefined
    : { code: 'CONFLICT', message: `The step you were asked to decide was already decided by ${former.decidedByName}.` };
}

const maxReadings = 4;

/**
 * Decides one task, for good. The first decision wins: 409 CONFLICT names who was first; the same person's same decision again holds and
 * changes nothing. 404 where the actor may not know of the task, 403 where they may not decide it, 400 while its review is not open or where
 * the policy wants a reason. Usually one read and one writing statement.
 */
export async function decideTask(context: Context, decision: Decision): Promise<Decided> {
  const decided = await decideUnlessRemoval(context, decision);
  if (decided === undefined) {
    throw refusalError(removalIsDecidedAlone);
  }
  return decided;
}

/** The same, but undefined, and nothing is written, for the task of a removal. */
export async function decideUnlessRemoval(context: Context, decision: Decision): Promise<Decided | undefined> {
  checkComment(decision.comment);
  for (let reading = 0; reading < maxReadings; reading++) {
    const task = await findTask(context, decision.taskId);
    if (task?.kind === 'REVOKE') {
      return undefined;
    }
    const verdict = classifyDecision(context, task, decision);
    if (verdict !== 'proceed' && 'repeats' in verdict) {
      return { actionId: verdict.repeats, repeated: true };
    }
    if (task === undefined || verdict !== 'proceed') {
      const refusal = verdict === 'proceed' ? taskNotFound : verdict.refusal;
      const isLatecomer = task === undefined || !isListedFor(context.actor, task);
      throw refusalError((isLatecomer ? await findRefusalOfLatecomer(context, decision.taskId) : undefined) ?? refusal);
    }
    const { relations, refusal } = (await findStandings(context, task.reviewId, [task.id]))(task.id);
    if (refusal !== undefined) {
      throw refusalError(refusal);
    }
    const actionId = await writeDecision(context, task, decision, relations);
    if (actionId !== undefined) {
      return { actionId, repeated: false };
    }
    // Somebody was faster, or the review is no longer open: read again, and say which.
  }
  throw new AppError('CONFLICT', 'This task is being changed by others at the same time. Try again.');
}

/** The id of the action, or undefined where the task was no longer as it was read. */
async function writeDecision(
  context: Context,
  task: TaskRow,
  decision: Decision,
  relations: readonly Relation[],
): Promise<string | undefined> {
  const remediates = decision.decision === 'DENY' && remediatesAtOnce(task.policyDocument);
  const write = async (inner: Context): Promise<string | undefined> => {
    const [entered] = decision.decision === 'DENY' ? [] : await enterSteps(inner, [nextEntry(inner, task)]);
    const { change, actions } = planDecision(inner, task, decision, entered, relations);
    const event = {
      kind: decision.decision === 'DENY' ? 'task.denied' : 'task.approved',
      data: {
        reviewId: task.reviewId,
        actionId: actions[0].id,
        policyStepId: stepId(task.id, task.stepGeneration),
        outcome: change.outcome,
        personReviewedId: task.userId ?? '',
        delegatorId: findDelegator(inner.actor, task) ?? '',
        ...(relations.length === 0 ? {} : { relations }),
        ...(remediates ? { remediates } : {}),
        ...(change.certifyUntil === null || change.certifyUntil === undefined ? {} : { certifyUntil: change.certifyUntil.toISOString() }),
      },
    };
    return (await changeTask(inner, task, change, actions, event)) ? actions[0].id : undefined;
  };
  const next = decision.decision === 'DENY' ? undefined : readStepAt(task.policyDocument, task.step + 1);
  if (remediates || decision.certifyUntil !== undefined) {
    // The event calls for a job, which takes a transaction.
    return inTransaction(context, write);
  }
  if (next === undefined || next.kind === 'accept' || next.kind === 'reject') {
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
