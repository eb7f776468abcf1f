/**
 * Tasks as shown outside: Task and TaskView, with the objects they refer to expanded where that was asked. Pure but for the expansion; everything
 * else came with the row.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Task, TaskStateJson, TaskTypeCertify, TaskView } from '../../../gen/c1/api/task/v1/task_pb.js';
import { describeRemovalTask, nameResidual, shapeRemoval, shapeTargets } from './view-removal.ts';
import type { Context } from '../../../context.ts';
import { nameRight } from '../../../lib/names/name-right.ts';
import { joinPaths } from '../../../wire/expand.ts';
import { type Row, unset } from '../../../wire/row.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import type { Call } from '../../../wire/service.ts';
import { adviseOn, describeChange, describePrevious, findChanges, findPeers, listInsights } from './insights.ts';
import { listAllowedActions, explainEnd, judgeSigned, type TaskOutcome } from '../task/index.ts';
import type { ShownTask } from './shown-task.ts';
import { type PolicyShapes, shapePolicyInstance } from './policy-instance.ts';

/** The outcome in the words of CertifyOutcome. */
export function outcomeName(outcome: TaskOutcome | undefined): Row<TaskTypeCertify>['outcome'] {
  return outcome === undefined || outcome === '' || outcome === 'REVOKED' || outcome === 'DENIED' ? 'UNSPECIFIED' : outcome;
}

/** The state in the words of TaskState. */
export function stateName(state: 'OPEN' | 'CLOSED'): TaskStateJson {
  return `TASK_STATE_${state}`;
}

/** "Certify <account> <entitlement>", or "Remove" them, and in which app. */
function nameTask(task: ShownTask): string {
  const { account, entitlement } = task;
  const what = nameRight(
    entitlement?.appDisplayName ?? '',
    entitlement?.resourceDisplayName ?? '',
    entitlement?.displayName ?? task.entitlementId,
  );
  const verb = task.kind === 'REVOKE' ? 'Remove' : 'Certify';
  return `${verb} ${account?.externalId ?? task.accountId} ${what}${entitlement === null ? '' : ` in ${entitlement.appDisplayName}`}`;
}

const describeGone = (task: ShownTask): string => (task.gone ? `A sync of ${task.gone.at.slice(0, 10)} no longer has this access.` : '');

/** Asks about a resource that passes an entitlement on. */
function describeLink(task: ShownTask): string {
  const resource = task.account?.externalId ?? task.accountId;
  const passed = `Everybody who holds the resource ${resource} inherits this entitlement.`;
  return [passed, describeGone(task), explainEnd(task.endReason)].filter((part) => part !== '').join(' ');
}

/** Tells reviewers what to know in a sentence or two; an unknown last use is said. */
function describeTask(task: ShownTask): string {
  if (task.kind === 'REVOKE') {
    return describeRemovalTask(task);
  }
  if (task.principalKind === 'R') {
    return describeLink(task);
  }
  const who = task.account?.userDisplayName || task.account?.userEmail;
  const owner = task.userId === null ? 'This account is unowned.' : who ? `The account belongs to ${who}.` : '';
  const used = task.lastUsedAt === null ? 'Its last use is unknown.' : `It was last used on ${task.lastUsedAt.toISOString().slice(0, 10)}.`;
  return [owner, used, describeGone(task), explainEnd(task.endReason)].filter((part) => part !== '').join(' ');
}

/** Ours: the facts of the snapshot that Task has no fields for. */
function shapeData(task: ShownTask): JsonObject {
  const residual = task.revocation?.residual ?? [];
  const facts = {
    ...(task.principalKind === 'R'
      ? { principalResource: task.account?.externalId, principalResourceId: task.accountId }
      : { account: task.account?.externalId, accountType: task.account?.accountType }),
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
    certifyUntil: timestamp(task.certifyUntil),
    entitlementDescription: task.entitlement?.description,
    riskLevel: task.found?.riskLevel ?? '',
    lastUseSource: task.lastUsedAt === null ? '' : (task.found?.source ?? ''),
    lastDecision: describePrevious(task.found?.previous),
    lastDecisionOutcome: task.found?.previous?.outcome ?? '',
    lastDecisionAt: timestamp(task.found?.previous?.endedAt ? new Date(task.found.previous.endedAt) : undefined),
    lastDecisionByUserId: task.found?.previous?.decidedById ?? '',
    lastDecisionBy: task.found?.previous?.decidedByName ?? '',
    lastDecisionIssuerId: task.found?.previous?.decidedIssuerId ?? '',
    lastDecisionIssuer: task.found?.previous?.decidedIssuerName ?? '',
    lastDecisionComment: task.found?.previous?.comment ?? '',
    lastDecisionTaskId: task.found?.previous?.taskId ?? '',
    lastDecisionReviewId: task.found?.previous?.reviewId ?? '',
    decidedByUserId: task.decidedById ?? '',
    decidedIssuerId: task.decidedIssuerId ?? '',
    goneSince: timestamp(task.gone ? new Date(task.gone.at) : undefined),
    goneSinceSyncId: task.gone?.syncId,
    revocationId: task.revocation?.id,
    revocationState: task.revocation?.state,
  };
  const peers = findPeers(task);
  const asksSignature = (task.signature ?? null) !== null && task.state === 'CLOSED';
  const known = Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return {
    ...Object.fromEntries(known),
    changes: findChanges(task).map(describeChange),
    changeCodes: findChanges(task).map((change) => ({ ...change })),
    ...(peers === undefined ? {} : { peers: { ...peers } }),
    ...(task.found?.rules?.length ? { conflicts: task.found.rules.map((rule) => ({ ...rule })) } : {}),
    ...(asksSignature ? { signature: { ...judgeSigned(task, task.givenSignature) } } : {}),
    ...(residual.length === 0 ? {} : { residualAccess: nameResidual(residual) }),
    score: task.found?.score ?? 0,
    reviewerIsFallback: task.isFallback,
    lastUseKnown: task.lastUsedAt !== null,
    ...(task.accountAttributes ? { accountAttributes: { ...task.accountAttributes } } : {}),
  };
}

/** The Task message as this actor sees it. */
function shapeTask({ actor, now }: Context, task: ShownTask, policies: PolicyShapes): Row<Task> {
  return {
    ...task,
    displayName: nameTask(task),
    description: describeTask(task),
    state: stateName(task.state),
    processing: task.state === 'OPEN' ? 'TASK_PROCESSING_TYPE_WAITING' : 'TASK_PROCESSING_TYPE_DONE',
    origin: task.kind === 'REVOKE' && task.revocation?.reviewId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_ACCESS_REVIEW',
    type:
      task.kind === 'REVOKE'
        ? shapeRemoval(task)
        : {
            certify: {
              accessReviewId: task.reviewId,
              accessReviewSelection: task.id,
              appId: task.appId,
              appEntitlementId: task.entitlementId,
              appUserId: task.principalKind === 'A' ? task.accountId : '',
              identityUserId: task.userId,
              outcome: outcomeName(task.outcome),
              outcomeTime: task.endedAt,
            },
          },
    policy: shapePolicyInstance(actor, task, policies),
    policyGenerationId: task.policyId,
    stepApproverIds: task.state === 'OPEN' ? task.assigneeIds : [],
    approverIds: task.assigneeIds,
    actions: listAllowedActions(actor, task, now).flatMap((action) =>
      action === 'APPROVE_UNTIL' ? [] : (`TASK_ACTION_TYPE_${action}` as const),
    ),
    recommendation: adviseOn(task),
    insightIds: listInsights(task).map(({ id }) => id),
    createdByUserId: task.revocation?.requestedById || task.createdById,
    data: shapeData(task),
    revocationTargets: shapeTargets(task),
    ...unset('analysisId', 'annotations', 'deletedAt', 'emergencyAccess', 'externalRefs', 'form'),
  };
}

const types = {
  app: 'c1.api.app.v1.App',
  account: 'c1.api.app.v1.AppUser',
  entitlement: 'c1.api.app.v1.AppEntitlement',
  user: 'c1.api.user.v1.User',
  review: 'c1.api.accessreview.v1.AccessReview',
  insight: 'countersign.v1.TaskInsight',
} as const;

/** The field of a view that points at an expanded object. */
type PathField = Exclude<keyof Row<TaskView>, 'task' | 'objectPermissions'>;

/** The view of a task of which nothing is expanded. */
const noPaths: Readonly<Record<PathField, undefined>> = unset(
  'accessReviewPath',
  'appPath',
  'appUserLastUsagePath',
  'appUserPath',
  'approversPath',
  'createdByUserPath',
  'entitlementsPath',
  'identityUserPath',
  'insightsPath',
  'principalResourcePath',
  'resourceBindingsPath',
  'roleResourcePath',
  'scopeResourcePath',
  'stepApproversPath',
  'userPath',
);

/** Possible expansions: the path as clients ask for it, the type, the ids in a task, and the field that points at them. */
const expansions: readonly { path: string; type: string; field: PathField; ids(task: ShownTask): readonly string[] }[] = [
  {
    path: 'access_review_id',
    type: types.review,
    field: 'accessReviewPath',
    ids: (task) => [task.kind === 'REVOKE' ? (task.revocation?.reviewId ?? '') : task.reviewId],
  },
  { path: 'app_id', type: types.app, field: 'appPath', ids: (task) => [task.appId] },
  { path: 'app_user_id', type: types.account, field: 'appUserPath', ids: (task) => (task.principalKind === 'A' ? [task.accountId] : []) },
  { path: 'app_entitlement_ids', type: types.entitlement, field: 'entitlementsPath', ids: (task) => [task.entitlementId] },
  { path: 'insight_ids', type: types.insight, field: 'insightsPath', ids: (task) => listInsights(task).map(({ id }) => id) },
  { path: 'user_id', type: types.user, field: 'userPath', ids: (task) => [task.userId ?? ''] },
  { path: 'identity_user_id', type: types.user, field: 'identityUserPath', ids: (task) => [task.userId ?? ''] },
  {
    path: 'created_by_user_id',
    type: types.user,
    field: 'createdByUserPath',
    ids: (task) => [task.revocation?.requestedById || task.createdById],
  },
  {
    path: 'step_approver_ids',
    type: types.user,
    field: 'stepApproversPath',
    ids: (task) => (task.state === 'OPEN' ? task.assigneeIds : []),
  },
  { path: 'approver_ids', type: types.user, field: 'approversPath', ids: (task) => task.assigneeIds },
];

/** The views of a page, each pointing into `expanded`; last usage has no object, so its path stays empty. */
export async function viewTasks(
  context: Context,
  call: Call,
  tasks: readonly ShownTask[],
  requested: readonly string[] | undefined,
): Promise<{ views: Row<TaskView>[]; expanded: Awaited<ReturnType<Call['expand']>>['expanded'] }> {
  const idsIn = (path: (typeof expansions)[number]) => [...new Set(tasks.flatMap((task) => path.ids(task)))].filter((id) => id !== '');
  const wanted = requested === undefined ? [] : expansions.map((path) => ({ path: path.path, type: path.type, ids: idsIn(path) }));
  const { expanded, pathOf } = await call.expand(wanted, requested);
  const policies: PolicyShapes = new Map();
  const views = tasks.map((row) => {
    const task = shapeTask(context, row, policies);
    const can = new Set(task.actions);
    const paths: Partial<Record<PathField, string>> = {};
    for (const { path, field, ids } of expanded.length === 0 ? [] : expansions) {
      paths[field] = joinPaths(ids(row).map((id) => pathOf(path, id)));
    }
    return {
      ...noPaths,
      ...paths,
      task,
      objectPermissions: {
        read: true,
        edit: can.size > 0,
        delete: false,
        extra: {
          decide: can.has('TASK_ACTION_TYPE_APPROVE'),
          reassign: can.has('TASK_ACTION_TYPE_REASSIGN'),
          restart: can.has('TASK_ACTION_TYPE_RESTART'),
        },
      },
    };
  });
  return { views, expanded };
}
