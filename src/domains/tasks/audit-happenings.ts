/**
 * What each action on a task is in its audits: one action can be several (a decision, its comment, its outcome). Pure; which of them a page
 * holds is in audits.ts.
 */
import type { TaskAuditViewJson } from '../../gen/c1/api/task/v1/task_audit_pb.js';
import {
  TaskAuditActionSubmittedSchema,
  TaskAuditApprovalAutoAcceptedByPolicySchema,
  TaskAuditApprovalAutoRejectedByPolicySchema,
  TaskAuditCertifyOutcomeSchema,
  TaskAuditCommentSchema,
  TaskAuditHardResetSchema,
  TaskAuditPolicyApprovalReassignedSchema,
  TaskAuditPolicyEvaluationStepSchema,
  TaskAuditReassignedToDelegateSchema,
  TaskAuditRestartSchema,
  TaskAuditRevokeOutcomeSchema,
  TaskAuditStateChangeSchema,
  TaskAuditStepSkippedSchema,
} from '../../gen/c1/api/task/v1/task_audit_pb.js';
import { TaskActionSchema, type TaskActionTypeJson } from '../../gen/c1/api/task/v1/task_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type listUsersByIds, shapeUser } from '../directory/index.ts';
import type { ActionRow } from './store-audits.ts';
import { type ActionKind, type EndReason, explainEnd, stepId, type TaskKind, type TaskOutcome, type TaskRow } from './task.ts';
import { outcomeName } from './view.ts';
import { removalOutcomeName } from './view-removal.ts';

/** People by their ids. */
export type People = Awaited<ReturnType<typeof listUsersByIds>>;
/** An audit before what all audits have in common is put around it. */
export type Happening = Partial<TaskAuditViewJson> & { readonly currentState: NonNullable<TaskAuditViewJson['currentState']> };

function commentOf(action: ActionRow): Happening[] {
  const comment = shape(TaskAuditCommentSchema, {
    comment: action.comment,
    updatedAt: timestamp(action.createdAt),
    updatedBy: action.actorId,
  });
  return action.comment === '' ? [] : [{ comment, currentState: 'TASK_STATE_UNSPECIFIED' }];
}

/** The end of a task of this kind with this outcome. */
export function endingOf(outcome: TaskOutcome, kind: TaskKind = 'CERTIFY'): Happening[] {
  return [
    kind === 'REVOKE'
      ? { revokeOutcome: shape(TaskAuditRevokeOutcomeSchema, { outcome: removalOutcomeName(outcome) }), currentState: 'TASK_STATE_CLOSED' }
      : { certifyOutcome: shape(TaskAuditCertifyOutcomeSchema, { outcome: outcomeName(outcome) }), currentState: 'TASK_STATE_CLOSED' },
    { stateChange: shape(TaskAuditStateChangeSchema, { previousState: 'TASK_STATE_OPEN' }), currentState: 'TASK_STATE_CLOSED' },
  ];
}

/** A sentence on what happened; nothing for an empty one. */
export function explanation(sentence: string, currentState: Happening['currentState'] = 'TASK_STATE_CLOSED'): Happening[] {
  const policyEvaluationStep = shape(TaskAuditPolicyEvaluationStepSchema, { stepComment: sentence });
  return sentence === '' ? [] : [{ policyEvaluationStep, currentState }];
}

/** In whose place somebody decided. */
function delegateOf(action: ActionRow, people: People): Happening[] {
  const { delegatorId } = action.data;
  if (delegatorId === undefined) {
    return [];
  }
  const shapeOne = (id: string) => {
    const user = people.get(id);
    return user === undefined ? undefined : shapeUser(user);
  };
  const reassignedToDelegate = shape(TaskAuditReassignedToDelegateSchema, {
    delegatedAssigneeUser: shapeOne(action.actorId),
    delegatedAssigneeUserId: action.actorId,
    originalAssigneeUser: shapeOne(delegatorId),
    originalAssigneeUserId: delegatorId,
  });
  return [{ reassignedToDelegate, currentState: 'TASK_STATE_OPEN' }];
}

function namesOf(ids: readonly string[], people: People): string {
  return ids.map((id) => people.get(id)?.displayName || people.get(id)?.email || id).join(', ');
}

/** To whom a task passed, and because of whom. */
function handOverOf(task: TaskRow, action: ActionRow, people: People): Happening[] {
  const step = stepId(task.id, action.stepGeneration);
  const newUsers = [...(action.data.newUserIds ?? [])];
  const users = newUsers.flatMap((id) => people.get(id) ?? []).map(shapeUser);
  // The step stays what it was: what somebody is about to say about it counts.
  const approvalReassigned = shape(TaskAuditPolicyApprovalReassignedSchema, {
    oldPolicyStepId: step,
    newPolicyStepId: step,
    newUsers,
    users,
  });
  return [
    { approvalReassigned, currentState: 'TASK_STATE_OPEN' },
    ...explanation(
      `Handed over, because these people can no longer review: ${namesOf(action.data.disabledUserIds ?? [], people)}.`,
      'TASK_STATE_OPEN',
    ),
  ];
}

/** Until when alone somebody approved; empty where they set no date. */
function describeUntil({ data: { certifyUntil } }: ActionRow): string {
  return certifyUntil === undefined ? '' : `Certified until ${certifyUntil.slice(0, 10)}.`;
}

/** What somebody said, in the words of TaskActionType. */
const actionTypes: Partial<Record<ActionKind, TaskActionTypeJson>> = {
  APPROVED: 'TASK_ACTION_TYPE_APPROVE',
  DENIED: 'TASK_ACTION_TYPE_DENY',
  PROVISIONED: 'TASK_ACTION_TYPE_PROVISION_COMPLETE',
  ERRORED: 'TASK_ACTION_TYPE_PROVISION_ERRORED',
  RETRIED: 'TASK_ACTION_TYPE_RETRY_PROVISIONING',
};

function decisionOf(task: TaskRow, action: ActionRow, people: People): Happening[] {
  const outcome = action.data.outcome;
  const submitted = shape(TaskActionSchema, {
    id: action.id,
    actionType: actionTypes[action.kind] ?? 'TASK_ACTION_TYPE_DENY',
    bulkActionId: action.submissionId,
    policyStepId: stepId(task.id, action.stepGeneration),
    userId: action.actorId,
    createdAt: timestamp(action.createdAt),
    updatedAt: timestamp(action.createdAt),
  });
  return [
    { actionSubmitted: shape(TaskAuditActionSubmittedSchema, { action: submitted }), currentState: 'TASK_STATE_OPEN' },
    ...delegateOf(action, people),
    ...commentOf(action),
    ...explanation(describeUntil(action), 'TASK_STATE_OPEN'),
    ...(outcome === undefined ? [] : endingOf(outcome)),
  ];
}

/** A decision that its maker changed: what it was, and what it is now. */
function amendmentOf(task: TaskRow, action: ActionRow): Happening[] {
  const { decision, previousOutcome = '', outcome, newStepId } = action.data;
  const submitted = shape(TaskActionSchema, {
    id: action.id,
    actionType: decision === 'APPROVE' ? 'TASK_ACTION_TYPE_APPROVE' : 'TASK_ACTION_TYPE_DENY',
    bulkActionId: action.submissionId,
    policyStepId: stepId(task.id, action.stepGeneration),
    userId: action.actorId,
    createdAt: timestamp(action.createdAt),
    updatedAt: timestamp(action.createdAt),
  });
  const what = decision === 'APPROVE' ? 'approved' : 'denied';
  return [
    ...explanation(`Amended by the person who had decided: now ${what}, before ${previousOutcome}.`, 'TASK_STATE_CLOSED'),
    { actionSubmitted: shape(TaskAuditActionSubmittedSchema, { action: submitted }), currentState: 'TASK_STATE_CLOSED' },
    ...commentOf(action),
    ...explanation(describeUntil(action)),
    ...(outcome === undefined
      ? []
      : [
          {
            certifyOutcome: shape(TaskAuditCertifyOutcomeSchema, { outcome: outcomeName(outcome) }),
            currentState: 'TASK_STATE_CLOSED' as const,
          },
        ]),
    ...(newStepId === undefined
      ? []
      : [
          {
            stateChange: shape(TaskAuditStateChangeSchema, { previousState: 'TASK_STATE_CLOSED' }),
            currentState: 'TASK_STATE_OPEN' as const,
          },
        ]),
  ];
}

function endedByPolicy(action: ActionRow): Happening[] {
  const { reason = '', outcome = '', message = '' } = action.data;
  if (reason !== 'POLICY') {
    return [...explanation(explainEnd(reason as EndReason) || message), ...commentOf(action), ...endingOf(outcome)];
  }
  const byPolicy: Happening =
    outcome === 'CERTIFIED'
      ? { approvalAutoAcceptedByPolicy: shape(TaskAuditApprovalAutoAcceptedByPolicySchema, {}), currentState: 'TASK_STATE_CLOSED' }
      : { approvalAutoRejectedByPolicy: shape(TaskAuditApprovalAutoRejectedByPolicySchema, {}), currentState: 'TASK_STATE_CLOSED' };
  return [byPolicy, ...explanation(message), ...endingOf(outcome)];
}

/** The audits of one action, in order. */
export function happeningsOf(task: TaskRow, action: ActionRow, people: People): Happening[] {
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
    case 'REASSIGNED': {
      const newUsers = [...(action.data.newUserIds ?? [])];
      const users = newUsers.flatMap((id) => people.get(id) ?? []).map(shapeUser);
      const approvalReassigned = shape(TaskAuditPolicyApprovalReassignedSchema, {
        oldPolicyStepId: old,
        newPolicyStepId: action.data.newStepId ?? '',
        newUsers,
        users,
      });
      return [{ approvalReassigned, currentState: 'TASK_STATE_OPEN' }, ...commentOf(action)];
    }
    case 'SKIPPED': {
      const { outcome, reason = '' } = action.data;
      const stepSkipped = shape(TaskAuditStepSkippedSchema, { skippedBy: action.actorId });
      return [
        { stepSkipped, currentState: 'TASK_STATE_OPEN' },
        ...commentOf(action),
        ...explanation(explainEnd(reason as EndReason)),
        ...(outcome === undefined ? [] : endingOf(outcome)),
      ];
    }
    case 'REMINDED':
      return explanation(`Reminded: ${namesOf(action.data.userIds ?? [], people)}.`, 'TASK_STATE_OPEN');
    case 'AMENDED':
      return amendmentOf(task, action);
    case 'RESTARTED':
    case 'HARD_RESET': {
      const again: Happening =
        action.kind === 'RESTARTED'
          ? { taskRestarted: shape(TaskAuditRestartSchema, { oldPolicyStepId: old }), currentState: 'TASK_STATE_OPEN' }
          : { hardReset: shape(TaskAuditHardResetSchema, { oldPolicyStepId: old }), currentState: 'TASK_STATE_OPEN' };
      // Its ending is no longer reported by the task itself.
      const before = explanation(explainEnd((action.data.previousEndReason ?? '') as EndReason));
      const reopened: Happening[] =
        action.data.previousState === 'CLOSED'
          ? [{ stateChange: shape(TaskAuditStateChangeSchema, { previousState: 'TASK_STATE_CLOSED' }), currentState: 'TASK_STATE_OPEN' }]
          : [];
      return [...before, again, ...commentOf(action), ...reopened];
    }
    case 'HANDED_OVER':
      return handOverOf(task, action, people);
    case 'ENDED':
      return endedByPolicy(action);
    case 'ESCALATED':
    case 'PASSED':
      return [...explanation(action.data.message ?? '', 'TASK_STATE_OPEN'), ...commentOf(action)];
  }
}
