/**
 * Deciding one task: what is asked of it is classify.ts's business, what becomes of it plan.ts's, and of a task about a removal removal-steps.ts's. A
 * submission of many at once is submit.ts.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { enterSteps, nextEntry } from '../policy-engine/index.ts';
import {
  type ChangeEvent,
  changeTask,
  findDelegator,
  findFormerAssignment,
  findTask,
  isListedFor,
  lockTask,
  readStepAt,
  type Refusal,
  refusalError,
  refuseUnsigned,
  type Relation,
  remediatesAtOnce,
  standsFor,
  stepId,
  taskNotFound,
  throwRefusal,
  type Task,
} from '../task/index.ts';
import { classifyDecision } from './classify.ts';
import { checkComment } from './comment.ts';
import type { Decided, Decision, FollowRemoval } from './decision.ts';
import { planDecision } from './plan.ts';
import { findStandings } from './relations.ts';
import { decideRemovalStep } from './removal-steps.ts';

/** For somebody who was asked by a step that others decided: who that was; undefined for anybody else. */
async function findRefusalOfLatecomer(context: Context, taskId: string): Promise<Refusal | undefined> {
  const former = await findFormerAssignment(context, taskId, standsFor(context.actor));
  return former === undefined
    ? undefined
    : { code: 'CONFLICT', message: `The step you were asked to decide was already decided by ${former.decidedByName}.` };
}

const maxReadings = 4;

/**
 * Decides one task, for good, whatever it asks. Of access the first decision wins: 409 CONFLICT names who was first; the same person's same decision
 * again holds and changes nothing. 404 where the actor may not know of the task, 403 where they may not decide it, 400 while its review is not open
 * or where the policy wants a reason. Usually one read and one writing statement. What is said of a removal is followed by `follow`; without it, and
 * with a date, tasks of removals are refused.
 */
export async function decideTask(context: Context, decision: Decision, follow?: FollowRemoval): Promise<Decided> {
  checkComment(decision.comment);
  for (let reading = 0; reading < maxReadings; reading++) {
    const task = await findTask(context, decision.taskId);
    if (task?.kind === 'REVOKE' && follow !== undefined && decision.certifyUntil === undefined) {
      return { actionId: await follow(context, decision, (inner) => decideRemovalStep(inner, decision)), repeated: false };
    }
    const verdict = classifyDecision(context, task, decision);
    if (verdict !== 'proceed' && 'repeats' in verdict) {
      return { actionId: verdict.repeats, repeated: true };
    }
    if (task === undefined || verdict !== 'proceed') {
      const refusal = verdict === 'proceed' ? taskNotFound : verdict.refusal;
      const isLatecomer = task === undefined || (task.kind === 'CERTIFY' && !isListedFor(context.actor, task));
      throw refusalError((isLatecomer ? await findRefusalOfLatecomer(context, decision.taskId) : undefined) ?? refusal);
    }
    throwRefusal(refuseUnsigned(task));
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
  task: Task,
  decision: Decision,
  relations: readonly Relation[],
): Promise<string | undefined> {
  const remediates = decision.decision === 'DENY' && remediatesAtOnce(task.policyDocument);
  const write = async (inner: Context): Promise<string | undefined> => {
    const [entered] = decision.decision === 'DENY' ? [] : await enterSteps(inner, [nextEntry(inner, task)]);
    const { change, actions } = planDecision(inner, task, decision, entered, relations);
    const event: ChangeEvent = {
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
