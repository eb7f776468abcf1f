/** How tasks of removals look outside, where they differ from those of reviews. Pure. */
import type { TaskTypeJson } from '../../gen/c1/api/task/v1/task_pb.js';
import {
  type TaskRevocationTargetJson,
  TaskRevocationTargetSchema,
  TaskRevokeSourceRequestSchema,
  TaskRevokeSourceReviewSchema,
  TaskRevokeSourceSchema,
  TaskTypeRevokeSchema,
  TaskTypeSchema,
} from '../../gen/c1/api/task/v1/task_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { rawSteps, readApprovalAt } from './policy-steps.ts';
import type { RevocationFacts, TaskOutcome, TaskRow } from './task.ts';

/** The outcome in the words of RevokeOutcome; those of reviews are none of a removal. */
export function removalOutcomeName(outcome: TaskOutcome | undefined) {
  return outcome === undefined || outcome === '' || outcome === 'CERTIFIED' || outcome === 'DECERTIFIED'
    ? 'REVOKE_OUTCOME_UNSPECIFIED'
    : (`REVOKE_OUTCOME_${outcome}` as const);
}

/** The type of the task with what is removed, from whom, because of what, and how it ended. */
export function shapeRemoval(task: TaskRow): TaskTypeJson {
  const { reviewId = '', certifyTaskId = '', requestedById = '' } = task.revocation ?? {};
  const source =
    reviewId === ''
      ? { request: shape(TaskRevokeSourceRequestSchema, { requestUserId: requestedById }) }
      : { review: shape(TaskRevokeSourceReviewSchema, { accessReviewId: reviewId, certTicketId: certifyTaskId }) };
  return shape(TaskTypeSchema, {
    revoke: shape(TaskTypeRevokeSchema, {
      appId: task.appId,
      appEntitlementId: task.entitlementId,
      appUserId: task.principalKind === 'A' ? task.accountId : '',
      identityUserId: task.userId ?? '',
      outcome: removalOutcomeName(task.outcome),
      outcomeTime: timestamp(task.endedAt),
      source: shape(TaskRevokeSourceSchema, source),
    }),
  });
}

/** What has to be cut so that inherited access goes: the first entitlement of each path. */
export function shapeTargets({ appId, revocation }: TaskRow): TaskRevocationTargetJson[] {
  return (revocation?.targets ?? []).map((appEntitlementId) =>
    shape(TaskRevocationTargetSchema, { entitlementRef: { appId, id: appEntitlementId } }),
  );
}

/** The other ways by which access is held, in words: each has to be cut as well. */
export function nameResidual(residual: RevocationFacts['residual']): string[] {
  return residual.map(({ account, entitlementDisplayName }) =>
    account === '' ? `through ${entitlementDisplayName}` : `by the account ${account}`,
  );
}

/** What whoever is asked should know in a sentence or three. */
export function describeRemovalTask(task: TaskRow): string {
  const { state = '', description = '', note = '', targets = [] } = task.revocation ?? {};
  const asked = readApprovalAt(task.policyDocument, task.step).isProvision
    ? 'Remove this access in the app, then say that it is done. A later sync has to prove it.'
    : 'Decide whether this access may be removed. To refuse it, say why.';
  const raw = rawSteps(task.policyDocument)[task.step]?.note;
  const inherited =
    targets.length === 0 ? '' : 'It is inherited: what has to be removed is the first entitlement of each path (revocationTargets).';
  return [
    task.state === 'OPEN' ? asked : `The removal is ${state}${note === '' ? '.' : `: ${note}`}`,
    typeof raw === 'string' && task.state === 'OPEN' ? raw : '',
    inherited,
    description,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
