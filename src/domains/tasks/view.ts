/**
 * How tasks look outside: Task and TaskView, with the objects they refer to expanded where that was asked. Pure but for the expansion;
 * everything else came with the row.
 */
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/authorization/v1/authorization_pb.js';
import type { TaskJson, TaskStateJson, TaskViewJson } from '../../gen/c1/api/task/v1/task_pb.js';
import { TaskSchema, TaskTypeCertifySchema, TaskTypeSchema, TaskViewSchema } from '../../gen/c1/api/task/v1/task_pb.js';
import type { Actor, Context } from '../../context.ts';
import { joinPaths } from '../../wire/expand.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import type { Call } from '../../wire/service.ts';
import { allowedActions } from './permit.ts';
import { shapePolicyInstance } from './policy-instance.ts';
import { explainEnd, type TaskOutcome, type TaskRow } from './task.ts';

/** The outcome in the words of CertifyOutcome. */
export function outcomeName(outcome: TaskOutcome | undefined) {
  return outcome === undefined || outcome === '' ? 'CERTIFY_OUTCOME_UNSPECIFIED' : (`CERTIFY_OUTCOME_${outcome}` as const);
}

/** The state in the words of TaskState. */
export function stateName(state: 'OPEN' | 'CLOSED'): TaskStateJson {
  return `TASK_STATE_${state}`;
}

/** "Certify <account> <entitlement>", and in which app. */
function nameTask(task: TaskRow): string {
  const { account, entitlement } = task;
  const resource = entitlement?.resourceDisplayName ?? '';
  const what = [resource, entitlement?.displayName ?? task.entitlementId].filter(
    (part, index) => part !== '' && (index > 0 || part !== entitlement?.displayName),
  );
  return `Certify ${account?.externalId ?? task.accountId} ${what.join(' ')}${entitlement === null ? '' : ` in ${entitlement.appDisplayName}`}`;
}

/** What the reviewer should know in a sentence or two; an unknown last use is said. */
function describeTask(task: TaskRow): string {
  const who = task.account?.userDisplayName || task.account?.userEmail;
  const owner = task.userId === null ? 'This account is unowned.' : who ? `The account belongs to ${who}.` : '';
  const used = task.lastUsedAt === null ? 'Its last use is unknown.' : `It was last used on ${task.lastUsedAt.toISOString().slice(0, 10)}.`;
  return [owner, used, explainEnd(task.endReason)].filter((part) => part !== '').join(' ');
}

/** Ours: the facts of the snapshot that Task has no fields for. */
function shapeData(task: TaskRow): Record<string, string | boolean> {
  const facts = {
    account: task.account?.externalId,
    accountType: task.account?.accountType,
    accountStatus: task.account?.accountStatus,
    accountOwner: task.account?.userEmail,
    department: task.account?.department,
    jobTitle: task.account?.jobTitle,
    application: task.entitlement?.appDisplayName,
    resourceType: task.entitlement?.resourceTypeDisplayName,
    resource: task.entitlement?.resourceDisplayName,
    entitlement: task.entitlement?.displayName,
    grantedAt: timestamp(task.grantedAt),
    lastUsedAt: timestamp(task.lastUsedAt),
    reviewerReason: task.assignmentReason,
    endReason: task.endReason,
    decidedByUserId: task.decidedById ?? '',
  };
  const known = Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return { ...Object.fromEntries(known), reviewerIsFallback: task.isFallback, lastUseKnown: task.lastUsedAt !== null };
}

/** The Task message as this actor sees it. */
function shapeTask(actor: Actor, task: TaskRow): TaskJson {
  return shape(TaskSchema, {
    id: task.id,
    numericId: String(task.numericId),
    displayName: nameTask(task),
    description: describeTask(task),
    state: stateName(task.state),
    processing: task.state === 'OPEN' ? 'TASK_PROCESSING_TYPE_WAITING' : 'TASK_PROCESSING_TYPE_DONE',
    origin: 'TASK_ORIGIN_ACCESS_REVIEW',
    type: shape(TaskTypeSchema, {
      certify: shape(TaskTypeCertifySchema, {
        accessReviewId: task.reviewId,
        accessReviewSelection: task.id,
        appId: task.appId,
        appEntitlementId: task.entitlementId,
        appUserId: task.accountId,
        identityUserId: task.userId ?? '',
        outcome: outcomeName(task.outcome),
        outcomeTime: timestamp(task.endedAt),
      }),
    }),
    policy: shapePolicyInstance(task),
    policyGenerationId: task.policyId,
    stepApproverIds: task.state === 'OPEN' ? [...task.assigneeIds] : [],
    approverIds: [...task.assigneeIds],
    actions: allowedActions(actor, task).map((action) => `TASK_ACTION_TYPE_${action}` as const),
    commentCount: task.commentCount,
    userId: task.userId ?? '',
    createdByUserId: task.createdById,
    data: shapeData(task),
    createdAt: timestamp(task.createdAt),
    updatedAt: timestamp(task.updatedAt),
  });
}

const types = {
  app: 'c1.api.app.v1.App',
  account: 'c1.api.app.v1.AppUser',
  entitlement: 'c1.api.app.v1.AppEntitlement',
  user: 'c1.api.user.v1.User',
  review: 'c1.api.accessreview.v1.AccessReview',
} as const;

/** What can be expanded: the path as clients ask for it, the type, the ids in a task, and the field that points at them. */
const expansions: readonly { path: string; type: string; field: keyof TaskViewJson; ids(task: TaskRow): readonly string[] }[] = [
  { path: 'access_review_id', type: types.review, field: 'accessReviewPath', ids: (task) => [task.reviewId] },
  { path: 'app_id', type: types.app, field: 'appPath', ids: (task) => [task.appId] },
  { path: 'app_user_id', type: types.account, field: 'appUserPath', ids: (task) => [task.accountId] },
  { path: 'app_entitlement_ids', type: types.entitlement, field: 'entitlementsPath', ids: (task) => [task.entitlementId] },
  { path: 'user_id', type: types.user, field: 'userPath', ids: (task) => [task.userId ?? ''] },
  { path: 'identity_user_id', type: types.user, field: 'identityUserPath', ids: (task) => [task.userId ?? ''] },
  { path: 'created_by_user_id', type: types.user, field: 'createdByUserPath', ids: (task) => [task.createdById] },
  {
    path: 'step_approver_ids',
    type: types.user,
    field: 'stepApproversPath',
    ids: (task) => (task.state === 'OPEN' ? task.assigneeIds : []),
  },
  { path: 'approver_ids', type: types.user, field: 'approversPath', ids: (task) => task.assigneeIds },
];

/** The views of a page, each pointing into `expanded`; insights and last usage have no objects, so their paths stay empty. */
export async function viewTasks(
  context: Context,
  call: Call,
  tasks: readonly TaskRow[],
  requested: readonly string[] | undefined,
): Promise<{ views: TaskViewJson[]; expanded: Awaited<ReturnType<Call['expand']>>['expanded'] }> {
  const idsIn = (path: (typeof expansions)[number]) => [...new Set(tasks.flatMap((task) => path.ids(task)))].filter((id) => id !== '');
  const { expanded, pathOf } = await call.expand(
    expansions.map((path) => ({ path: path.path, type: path.type, ids: idsIn(path) })),
    requested,
  );
  const views = tasks.map((row) => {
    const task = shapeTask(context.actor, row);
    const can = new Set(task.actions);
    const paths: Partial<Record<keyof TaskViewJson, string>> = {};
    for (const { path, field, ids } of expansions) {
      paths[field] = joinPaths(ids(row).map((id) => pathOf(path, id)));
    }
    return shape(TaskViewSchema, {
      ...paths,
      task,
      objectPermissions: shape(ActorObjectPermissionsSchema, {
        read: true,
        edit: can.size > 0,
        delete: false,
        extra: {
          decide: can.has('TASK_ACTION_TYPE_APPROVE'),
          reassign: can.has('TASK_ACTION_TYPE_REASSIGN'),
          restart: can.has('TASK_ACTION_TYPE_RESTART'),
        },
      }),
    });
  });
  return { views, expanded };
}
