/** Effect of a decision on a task: the change, and the actions that record it. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { Entered } from '../policy-engine/index.ts';
import {
  commitComment,
  findDelegator,
  type NewAction,
  type Relation,
  stepId,
  type TaskChange,
  type Task,
  openState,
} from '../task/index.ts';
import { decisionActions, type Decision } from './decision.ts';

/** A change of one task and the actions that record it; the first of them is the decision. */
export interface PlannedDecision {
  readonly change: TaskChange;
  readonly actions: readonly [NewAction, ...NewAction[]];
}

/** Plans the effect of a decision, once the step behind it was entered; `entered` is undefined for a denial. */
export function planDecision(...given: Parameters<typeof planActions>): PlannedDecision {
  const { change, actions } = planActions(...given);
  const [record, ...others] = actions;
  const [, , { commentSalt }] = given;
  const signedSalt = commentSalt === undefined ? undefined : Buffer.from(commentSalt, 'hex');
  return { change, actions: [commitComment(record, signedSalt), ...others.map((action) => commitComment(action))] };
}

function planActions(
  context: Context,
  task: Task,
  decision: Decision,
  entered: Entered | undefined,
  relations: readonly Relation[],
): PlannedDecision {
  const { now, actor } = context;
  const base = { step: task.step, stepGeneration: task.stepGeneration, assignmentId: task.assignmentId };
  const record = {
    id: decision.actionId ?? newId(now),
    kind: decision.amend === true ? ('AMENDED' as const) : decisionActions[decision.decision],
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
    ...((decision.stepUpTransactionId ?? '') === '' ? {} : { stepUpTransactionId: decision.stepUpTransactionId ?? '' }),
    ...(decision.amend === true ? { decision: decision.decision, previousOutcome: task.outcome } : {}),
  };
  if (entered?.state === 'OPEN') {
    const stepGeneration = task.stepGeneration + 1;
    return {
      change: {
        step: entered.step,
        stepGeneration,
        assignmentId: entered.assignmentId,
        ...openState,
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
