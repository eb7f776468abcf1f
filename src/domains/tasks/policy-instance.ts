/**
 * A task's policy as it runs, in the shape of PolicyInstance: the current step, those before it with what became of them, those to come.
 */
import type {
  ApprovalInstanceJson,
  PolicyInstanceJson,
  PolicyStepInstanceJson,
  WaitConditionInstanceJson,
  WaitInstanceJson,
} from '../../gen/c1/api/policy/v1/policy_instance_pb.js';
import {
  ApprovalInstanceSchema,
  ApprovedActionSchema,
  DeniedActionSchema,
  PolicyInstanceSchema,
  PolicyStepInstanceSchema,
  ProvisionInstanceSchema,
  ReassignedActionSchema,
  RestartActionSchema,
  WaitConditionInstanceSchema,
  WaitInstanceSchema,
  WaitUntilTimeInstanceSchema,
} from '../../gen/c1/api/policy/v1/policy_instance_pb.js';
import { ApprovalSchema, PolicySchema, PolicyStepSchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { ApprovalJson, PolicyJson, PolicyStepJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { type ProvisionJson, ProvisionSchema } from '../../gen/c1/api/policy/v1/provision_pb.js';
import type { JsonObject } from '@bufbuild/protobuf';
import { isJsonObject } from '../../lib/json.ts';
import { shape, shapeDeep, timestamp } from '../../wire/reply.ts';
import { rawSteps } from './policy-steps.ts';
import { type PastAction, stepId, type TaskRow } from './task.ts';

/** Those kinds of approval that carry whom they found. */
const withAssignedUsers = ['manager', 'self', 'expression'] as const;

function shapeApproval(raw: unknown, assigneeIds: readonly string[]): ApprovalJson {
  const approval: ApprovalJson = { ...(raw as ApprovalJson | undefined), assigned: assigneeIds.length > 0 };
  for (const kind of withAssignedUsers) {
    if (approval[kind] !== undefined) {
      approval[kind] = { ...approval[kind], assignedUserIds: [...assigneeIds] };
    }
  }
  return shapeDeep(ApprovalSchema, approval);
}

/** When the current step was entered: with the last thing done to the task, or with the task itself. */
function enteredAt(task: TaskRow): string {
  return task.history.at(-1)?.createdAt ?? task.createdAt.toISOString();
}

function outcomeOf(task: TaskRow, action: PastAction): Partial<ApprovalInstanceJson> | undefined {
  const at = timestamp(new Date(action.createdAt));
  const userId = action.actorId;
  const newPolicyStepId = action.data.newStepId ?? '';
  switch (action.kind) {
    case 'APPROVED':
      return {
        approved: shape(ApprovedActionSchema, {
          approvedAt: at,
          userId,
          entitlements: [{ appId: task.appId, appEntitlementId: task.entitlementId }],
        }),
      };
    case 'DENIED':
      return { denied: shape(DeniedActionSchema, { deniedAt: at, userId }) };
    case 'REASSIGNED':
      return { reassigned: shape(ReassignedActionSchema, { reassignedAt: at, userId, newPolicyStepId }) };
    case 'RESTARTED':
      return {
        restarted: shape(RestartActionSchema, { restartedAt: at, userId, oldPolicyStepId: stepId(task.id, action.stepGeneration) }),
      };
    default:
      return undefined;
  }
}

function shapeHistory(task: TaskRow, steps: readonly Record<string, unknown>[]): PolicyStepInstanceJson[] {
  return task.history.flatMap((action) => {
    const outcome = outcomeOf(task, action);
    if (outcome === undefined) {
      return [];
    }
    const approval = shapeApproval(steps[action.step]?.approval, []);
    return shape(PolicyStepInstanceSchema, {
      id: stepId(task.id, action.stepGeneration),
      policyGenerationId: task.policyId,
      state: 'POLICY_STEP_STATE_DONE',
      approval: shape(ApprovalInstanceSchema, {
        approval: { ...approval, assigned: true },
        state: 'APPROVAL_INSTANCE_STATE_DONE',
        ...outcome,
      }),
    });
  });
}

/** A wait as it runs. One for a time has no member of its own: it is shown by its name and its start. */
function shapeWait(task: TaskRow, wait: JsonObject): WaitInstanceJson {
  const { condition, untilTime } = wait;
  const until = isJsonObject(condition)
    ? { condition: shapeDeep(WaitConditionInstanceSchema, condition as WaitConditionInstanceJson) }
    : isJsonObject(untilTime)
      ? {
          untilTime: shape(WaitUntilTimeInstanceSchema, { untilTime: timestamp(task.nextAt) }),
        }
      : {};
  return shape(WaitInstanceSchema, {
    ...until,
    name: String(wait.name ?? ''),
    commentOnFirstWait: String(wait.commentOnFirstWait ?? ''),
    commentOnTimeout: String(wait.commentOnTimeout ?? ''),
    state: 'WAIT_INSTANCE_STATE_WAITING',
    startedWaitingAt: timestamp(task.enteredAt),
  });
}

function shapeCurrent(task: TaskRow, steps: readonly Record<string, unknown>[]): PolicyStepInstanceJson | undefined {
  if (task.state === 'CLOSED') {
    return undefined;
  }
  const common = {
    id: stepId(task.id, task.stepGeneration),
    policyGenerationId: task.policyId,
    state: 'POLICY_STEP_STATE_ACTIVE',
  } as const;
  const { wait, provision } = steps[task.step] ?? {};
  if (isJsonObject(provision)) {
    return shape(PolicyStepInstanceSchema, {
      ...common,
      provision: shape(ProvisionInstanceSchema, {
        provision: shapeDeep(ProvisionSchema, {
          ...(provision as ProvisionJson),
          assigned: task.assigneeIds.length > 0,
          provisionTarget: {
            appId: task.appId,
            appEntitlementId: task.entitlementId,
            appUserId: task.principalKind === 'A' ? task.accountId : '',
          },
        }),
        state: 'PROVISION_INSTANCE_STATE_WAITING',
      }),
    });
  }
  if (isJsonObject(wait)) {
    return shape(PolicyStepInstanceSchema, { ...common, wait: shapeWait(task, wait) });
  }
  return shape(PolicyStepInstanceSchema, {
    ...common,
    approval: shape(ApprovalInstanceSchema, {
      approval: shapeApproval(steps[task.step]?.approval, task.assigneeIds),
      assignedAt: timestamp(new Date(enteredAt(task))),
      state: 'APPROVAL_INSTANCE_STATE_WAITING',
    }),
  });
}

/** Policies as they look outside, by review and id: the tasks of a page mostly share one, frozen with their review. */
export type PolicyShapes = Map<string, PolicyJson>;

/** A step as its policy has it: whom a step asks that provisions is kept beside it. */
function shapeStep(step: Record<string, unknown>): PolicyStepJson {
  const { approval: _approval, note: _note, ...provided } = step;
  return shapeDeep(PolicyStepSchema, (isJsonObject(step.provision) ? provided : step) as PolicyStepJson);
}

function shapePolicy(task: TaskRow, policies: PolicyShapes): PolicyJson {
  const key = `${task.reviewId} ${task.policyId} ${task.routeNo}`;
  const steps = task.kind === 'REVOKE' ? { policySteps: { revoke: { steps: rawSteps(task.policyDocument).map(shapeStep) } } } : {};
  const known =
    policies.get(key) ?? shapeDeep(PolicySchema, { ...(task.policyDocument as PolicyJson | null), ...steps, id: task.policyId });
  policies.set(key, known);
  return known;
}

/** The PolicyInstance of a task; a closed one has no current step. */
export function shapePolicyInstance(task: TaskRow, policies: PolicyShapes): PolicyInstanceJson {
  const steps = rawSteps(task.policyDocument);
  const next = task.state === 'OPEN' ? steps.slice(task.step + 1) : [];
  const current = shapeCurrent(task, steps);
  return shape(PolicyInstanceSchema, {
    ...(current === undefined ? {} : { current }),
    history: shapeHistory(task, steps),
    next: next.map(shapeStep),
    policy: shapePolicy(task, policies),
  });
}
