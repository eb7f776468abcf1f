/**
 * Audits of each action on a task: one action can be several (a decision, its comment, its outcome). Pure; which of them a page holds is in
 * audits.ts.
 */
import type { TaskAuditView } from '../../../gen/c1/api/task/v1/task_audit_pb.js';
import type { TaskActionTypeJson } from '../../../gen/c1/api/task/v1/task_pb.js';
import type { User } from '../../../gen/c1/api/user/v1/user_pb.js';
import { type Row, unset } from '../../../wire/row.ts';
import type { ActionRow } from './store-audits.ts';
import { type ActionKind, type EndReason, explainEnd, stepId, type TaskKind, type TaskOutcome, type Task } from '../task/index.ts';
import { outcomeName, removalOutcomeName } from '../views/index.ts';

/** People by their ids, as the reader sees them. */
export type People = ReadonlyMap<string, Row<User>>;
/** An audit before what all audits have in common is put around it. */
export type Happening = Partial<Row<TaskAuditView>> & { readonly currentState: NonNullable<Row<TaskAuditView>['currentState']> };

function commentOf(action: ActionRow): Happening[] {
  const comment = { comment: action.comment, updatedAt: action.createdAt, updatedBy: action.actorId };
  return action.comment === '' ? [] : [{ comment, currentState: 'TASK_STATE_UNSPECIFIED' }];
}

/** The end of a task of this kind with this outcome. */
export function endingHappenings(outcome: TaskOutcome, kind: TaskKind = 'CERTIFY'): Happening[] {
  return [
    kind === 'REVOKE'
      ? { revokeOutcome: { outcome: removalOutcomeName(outcome) }, currentState: 'TASK_STATE_CLOSED' }
      : { certifyOutcome: { outcome: outcomeName(outcome) }, currentState: 'TASK_STATE_CLOSED' },
    { stateChange: { previousState: 'TASK_STATE_OPEN' }, currentState: 'TASK_STATE_CLOSED' },
  ];
}

/** A sentence on what happened; nothing for an empty one. */
export function explanation(sentence: string, currentState: Happening['currentState'] = 'TASK_STATE_CLOSED'): Happening[] {
  const policyEvaluationStep = { stepComment: sentence };
  return sentence === '' ? [] : [{ policyEvaluationStep, currentState }];
}

/** In whose place somebody decided. */
function delegateOf(action: ActionRow, people: People): Happening[] {
  const { delegatorId } = action.data;
  if (delegatorId === undefined) {
    return [];
  }
  const reassignedToDelegate = {
    delegatedAssigneeUser: people.get(action.actorId),
    delegatedAssigneeUserId: action.actorId,
    originalAssigneeUser: people.get(delegatorId),
    originalAssigneeUserId: delegatorId,
  };
  return [{ reassignedToDelegate, currentState: 'TASK_STATE_OPEN' }];
}

function namesOf(ids: readonly string[], people: People): string {
  return ids.map((id) => people.get(id)?.displayName || people.get(id)?.email || id).join(', ');
}

function explainHandOver({ data: { disabledUserIds = [], isOwn } }: ActionRow, people: People): string {
  const names = namesOf(disabledUserIds, people);
  return isOwn === true
    ? `Handed over, because the person reviewed was merged into ${names}, who cannot review their own access.`
    : `Handed over, because these people can no longer review: ${names}.`;
}

/** To whom a task passed, and because of whom. */
function handOverOf(task: Task, action: ActionRow, people: People): Happening[] {
  const step = stepId(task.id, action.stepGeneration);
  const newUsers = [...(action.data.newUserIds ?? [])];
  const users = newUsers.flatMap((id) => people.get(id) ?? []);
  // The step stays what it was: what somebody is about to say about it counts.
  const approvalReassigned = { oldPolicyStepId: step, newPolicyStepId: step, newUsers, users };
  return [{ approvalReassigned, currentState: 'TASK_STATE_OPEN' }, ...explanation(explainHandOver(action, people), 'TASK_STATE_OPEN')];
}

/** Reviewers since a task was passed on or escalated. */
function askedNow(task: Task, action: ActionRow, people: People): Happening[] {
  const newUsers = [...(action.data.newUserIds ?? [])];
  if (newUsers.length === 0) {
    return [];
  }
  const approvalReassigned = {
    oldPolicyStepId: stepId(task.id, action.stepGeneration),
    newPolicyStepId: action.data.newStepId,
    newUsers,
    users: newUsers.flatMap((id) => people.get(id) ?? []),
  };
  return [{ approvalReassigned, currentState: 'TASK_STATE_OPEN' }];
}

/** Until when alone somebody approved, to the second: on which day that is depends on where one reads it. Empty where they set no date. */
function describeUntil({ data: { certifyUntil } }: ActionRow): string {
  return certifyUntil === undefined ? '' : `Certified until ${certifyUntil}.`;
}

/** Actions of people, in the words of TaskActionType. */
const actionTypes: Partial<Record<ActionKind, TaskActionTypeJson>> = {
  APPROVED: 'TASK_ACTION_TYPE_APPROVE',
  DENIED: 'TASK_ACTION_TYPE_DENY',
  PROVISIONED: 'TASK_ACTION_TYPE_PROVISION_COMPLETE',
  ERRORED: 'TASK_ACTION_TYPE_PROVISION_ERRORED',
  RETRIED: 'TASK_ACTION_TYPE_RETRY_PROVISIONING',
};

function decisionOf(task: Task, action: ActionRow, people: People): Happening[] {
  const outcome = action.data.outcome;
  const submitted = {
    ...action,
    actionType: actionTypes[action.kind] ?? 'TASK_ACTION_TYPE_DENY',
    bulkActionId: action.submissionId,
    policyStepId: stepId(task.id, action.stepGeneration),
    userId: action.actorId,
    updatedAt: action.createdAt,
    ...unset('deletedAt'),
  };
  return [
    { actionSubmitted: { action: submitted }, currentState: 'TASK_STATE_OPEN' },
    ...delegateOf(action, people),
    ...commentOf(action),
    ...explanation(describeUntil(action), 'TASK_STATE_OPEN'),
    ...(outcome === undefined ? [] : endingHappenings(outcome)),
  ];
}

/** A decision that its maker changed: what it was, and what it is now. */
function amendmentOf(task: Task, action: ActionRow, people: People): Happening[] {
  const { decision, previousOutcome, outcome, newStepId } = action.data;
  const submitted = {
    ...action,
    actionType: decision === 'APPROVE' ? ('APPROVE' as const) : ('DENY' as const),
    bulkActionId: action.submissionId,
    policyStepId: stepId(task.id, action.stepGeneration),
    userId: action.actorId,
    updatedAt: action.createdAt,
    ...unset('deletedAt'),
  };
  const what = decision === 'APPROVE' ? 'approved' : 'denied';
  const before = previousOutcome === 'CERTIFIED' ? 'approved' : 'denied';
  return [
    ...explanation(`Amended by the person who had decided: now ${what}, before ${before}.`, 'TASK_STATE_CLOSED'),
    { actionSubmitted: { action: submitted }, currentState: 'TASK_STATE_CLOSED' },
    ...delegateOf(action, people),
    ...commentOf(action),
    ...explanation(describeUntil(action)),
    ...(outcome === undefined
      ? []
      : [
          {
            certifyOutcome: { outcome: outcomeName(outcome) },
            currentState: 'TASK_STATE_CLOSED' as const,
          },
        ]),
    ...(newStepId === undefined
      ? []
      : [
          {
            stateChange: { previousState: 'CLOSED' as const },
            currentState: 'TASK_STATE_OPEN' as const,
          },
        ]),
  ];
}

function endedByPolicy(action: ActionRow): Happening[] {
  const { reason = '', outcome = '', message = '' } = action.data;
  if (reason !== 'POLICY') {
    return [...explanation(explainEnd(reason as EndReason) || message), ...commentOf(action), ...endingHappenings(outcome)];
  }
  const byPolicy: Happening =
    outcome === 'CERTIFIED'
      ? { approvalAutoAcceptedByPolicy: {}, currentState: 'TASK_STATE_CLOSED' }
      : { approvalAutoRejectedByPolicy: {}, currentState: 'TASK_STATE_CLOSED' };
  return [byPolicy, ...explanation(message), ...endingHappenings(outcome)];
}

/** By whose issue somebody acted; nothing where that was nobody else's. */
export function issuerHappenings({ actorId, issuerId }: ActionRow, people: People): Happening[] {
  const isAnother = issuerId !== '' && issuerId !== actorId;
  return explanation(isAnother ? `Through access issued by ${namesOf([issuerId], people)}.` : '', 'TASK_STATE_UNSPECIFIED');
}

/** The audits of one action, in order. */
export function happeningsOf(task: Task, action: ActionRow, people: People): Happening[] {
  const old = stepId(task.id, action.stepGeneration);
  switch (action.kind) {
    case 'APPROVED':
    case 'DENIED':
    case 'PROVISIONED':
    case 'ERRORED':
    case 'RETRIED':
      return decisionOf(task, action, people);
    case 'COMMENTED':
      return commentOf(action);
    case 'REASSIGNED':
      return [...askedNow(task, action, people), ...commentOf(action)];
    case 'SKIPPED': {
      const { outcome, reason = '' } = action.data;
      const stepSkipped = { skippedBy: action.actorId };
      return [
        { stepSkipped, currentState: 'TASK_STATE_OPEN' },
        ...commentOf(action),
        ...explanation(explainEnd(reason as EndReason)),
        ...(outcome === undefined ? [] : endingHappenings(outcome)),
      ];
    }
    case 'REMINDED':
      return explanation(`Reminded: ${namesOf(action.data.userIds ?? [], people)}.`, 'TASK_STATE_OPEN');
    case 'AMENDED':
      return amendmentOf(task, action, people);
    case 'RESTARTED':
    case 'HARD_RESET': {
      const again: Happening =
        action.kind === 'RESTARTED'
          ? { taskRestarted: { oldPolicyStepId: old }, currentState: 'TASK_STATE_OPEN' }
          : { hardReset: { oldPolicyStepId: old }, currentState: 'TASK_STATE_OPEN' };
      // Its ending is no longer reported by the task itself.
      const before = explanation(explainEnd(action.data.previousEndReason ?? ''));
      const reopened: Happening[] =
        action.data.previousState === 'CLOSED'
          ? [{ stateChange: { previousState: 'TASK_STATE_CLOSED' }, currentState: 'TASK_STATE_OPEN' }]
          : [];
      return [...before, again, ...commentOf(action), ...reopened];
    }
    case 'HANDED_OVER':
      return handOverOf(task, action, people);
    case 'ENDED':
      return endedByPolicy(action);
    case 'ESCALATED':
      return [...explanation(action.data.message ?? '', 'TASK_STATE_OPEN'), ...commentOf(action), ...askedNow(task, action, people)];
    case 'PASSED':
      return [...explanation(action.data.message ?? '', 'TASK_STATE_OPEN'), ...commentOf(action)];
  }
}
