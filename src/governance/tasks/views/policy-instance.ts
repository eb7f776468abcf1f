/**
 * A task's policy as it runs, in the shape of PolicyInstance: the current step, those before it with what became of them, those to come.
 */
import type {
  ApprovalInstance,
  PolicyInstance,
  PolicyStepInstance,
  WaitInstance,
} from '../../../gen/c1/api/policy/v1/policy_instance_pb.js';
import type { Approval, ApprovalJson, Policy, PolicyStep, WaitJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import type { Provision } from '../../../gen/c1/api/policy/v1/provision_pb.js';
import type { Actor } from '../../../context.ts';
import { type Row, unset } from '../../../wire/row.ts';
import { asSeen, seesPoliciesWhole } from '../../../foundation/authority/index.ts';
import type { ApproverKind, RouteStep } from '../../policies/index.ts';
import { rawSteps, type PastAction, stepId, type Task } from '../task/index.ts';

/** Those kinds of approval that carry whom they found. */
type WithAssignedUsers = {
  [Kind in ApproverKind]: 'assignedUserIds' extends keyof NonNullable<ApprovalJson[Kind]> ? Kind : never;
}[ApproverKind];

const withAssignedUsers: { readonly [Kind in WithAssignedUsers]: Kind } = { manager: 'manager', self: 'self', expression: 'expression' };

function shapeApproval(raw: ApprovalJson | undefined, assigneeIds: readonly string[]): Row<Approval> {
  const approval = raw as Row<Approval> | undefined;
  const found = Object.values(withAssignedUsers).flatMap((kind) =>
    approval?.[kind] ? [[kind, { ...approval[kind], assignedUserIds: assigneeIds }]] : [],
  );
  return { ...approval, ...Object.fromEntries(found), assigned: assigneeIds.length > 0 };
}

/** Time the current step was entered: with the last thing done to the task, or with the task itself. */
function enteredAt(task: Task): string {
  return task.history.at(-1)?.createdAt ?? task.createdAt.toISOString();
}

function outcomeOf(task: Task, action: PastAction): Partial<Row<ApprovalInstance>> | undefined {
  const at = action.createdAt;
  const userId = action.actorId;
  const newPolicyStepId = action.data.newStepId ?? '';
  switch (action.kind) {
    case 'APPROVED':
      return {
        approved: {
          approvedAt: at,
          userId,
          entitlements: [{ appId: task.appId, appEntitlementId: task.entitlementId }],
          stepUpTransactionId: action.data.stepUpTransactionId,
        },
      };
    case 'DENIED':
      return { denied: { deniedAt: at, userId } };
    case 'REASSIGNED':
      return { reassigned: { reassignedAt: at, userId, newPolicyStepId } };
    case 'RESTARTED':
      return {
        restarted: { restartedAt: at, userId, oldPolicyStepId: stepId(task.id, action.stepGeneration) },
      };
    default:
      return undefined;
  }
}

/** The actions of a task, each amendment in the place of the decision that it changed, as which it counts. */
function amendHistory(history: readonly PastAction[]): readonly PastAction[] {
  const shown: PastAction[] = [];
  for (const action of history) {
    const isAmendment = action.kind === 'AMENDED';
    const at = isAmendment
      ? shown.findLastIndex(({ kind, actorId }) => (kind === 'APPROVED' || kind === 'DENIED') && actorId === action.actorId)
      : -1;
    const counts: PastAction = isAmendment ? { ...action, kind: action.data.decision === 'APPROVE' ? 'APPROVED' : 'DENIED' } : action;
    shown.splice(at === -1 ? shown.length : at, at === -1 ? 0 : 1, counts);
  }
  return shown;
}

function shapeHistory(task: Task, steps: readonly RouteStep[]): Row<PolicyStepInstance>[] {
  return amendHistory(task.history).flatMap((action) => {
    const outcome = outcomeOf(task, action);
    if (outcome === undefined) {
      return [];
    }
    const approval = shapeApproval(steps[action.step]?.approval, []);
    return {
      id: stepId(task.id, action.stepGeneration),
      policyGenerationId: task.policyId,
      state: 'POLICY_STEP_STATE_DONE',
      approval: { approval: { ...approval, assigned: true }, state: 'DONE', ...outcome, ...unset('assignedAt', 'escalationInstance') },
    };
  });
}

/** A wait as it runs. One for a time has no member of its own: it is shown by its name and its start. */
function shapeWait(task: Task, wait: WaitJson): Row<WaitInstance> {
  const { condition, untilTime } = wait;
  const until =
    condition !== undefined
      ? { condition: { condition: condition.condition } }
      : untilTime !== undefined
        ? { untilTime: { untilTime: task.nextAt, ...unset('durationIfExists') } }
        : {};
  return {
    ...until,
    name: wait.name,
    commentOnFirstWait: wait.commentOnFirstWait,
    commentOnTimeout: wait.commentOnTimeout,
    state: 'WAIT_INSTANCE_STATE_WAITING',
    startedWaitingAt: task.enteredAt,
    ...unset('timeout', 'timeoutDuration'),
  };
}

function shapeCurrent(task: Task, steps: readonly RouteStep[]): Row<PolicyStepInstance> | undefined {
  if (task.state === 'CLOSED') {
    return undefined;
  }
  const common = {
    id: stepId(task.id, task.stepGeneration),
    policyGenerationId: task.policyId,
    state: 'POLICY_STEP_STATE_ACTIVE',
  } as const;
  const { wait, provision } = steps[task.step] ?? {};
  if (provision !== undefined) {
    return {
      ...common,
      provision: {
        provision: {
          ...(provision as Row<Provision>),
          assigned: task.assigneeIds.length > 0,
          provisionTarget: {
            appId: task.appId,
            appEntitlementId: task.entitlementId,
            appUserId: task.principalKind === 'A' ? task.accountId : '',
            ...unset('grantDuration'),
          },
        },
        state: 'WAITING',
        ...unset(
          'batonActionInvocationId',
          'externalTicketId',
          'externalTicketProvisionerConfigId',
          'notificationId',
          'waitingOn',
          'webhookId',
          'webhookInstanceId',
        ),
      },
    };
  }
  if (wait !== undefined) {
    return { ...common, wait: shapeWait(task, wait) };
  }
  return {
    ...common,
    approval: {
      approval: shapeApproval(steps[task.step]?.approval, task.assigneeIds),
      assignedAt: enteredAt(task),
      ...unset('escalationInstance'),
      state: 'APPROVAL_INSTANCE_STATE_WAITING',
    },
  };
}

/** Policies as one caller sees them, by review and id: the tasks of a page mostly share one, frozen with their review. */
export type PolicyShapes = Map<string, Row<Policy>>;

/** A step as its policy has it: whom a step asks that provisions is kept beside it. */
function shapeStep(step: RouteStep): Row<PolicyStep> {
  const { approval: _approval, note: _note, ...provided } = step;
  return (step.provision !== undefined ? provided : step) as Row<PolicyStep>;
}

function shapePolicy(actor: Actor, task: Task, policies: PolicyShapes): Row<Policy> {
  const key = `${task.reviewId} ${task.policyId} ${task.routeNo}`;
  const steps = task.kind === 'REVOKE' ? { policySteps: { revoke: { steps: rawSteps(task.policyDocument).map(shapeStep) } } } : {};
  const known =
    policies.get(key) ??
    asSeen<'policy', Row<Policy>>('policy', seesPoliciesWhole(actor), {
      ...(task.policyDocument as Row<Policy>),
      ...steps,
      id: task.policyId,
    });
  policies.set(key, known);
  return known;
}

/** The PolicyInstance of a task: its steps for whoever sees it, and its policy as far as they see policies. A closed one has no current step. */
export function shapePolicyInstance(actor: Actor, task: Task, policies: PolicyShapes): Row<PolicyInstance> {
  const steps = rawSteps(task.policyDocument);
  const next = task.state === 'OPEN' ? steps.slice(task.step + 1) : [];
  const current = shapeCurrent(task, steps);
  return {
    current,
    history: shapeHistory(task, steps),
    next: next.map(shapeStep),
    policy: shapePolicy(actor, task, policies),
  };
}
