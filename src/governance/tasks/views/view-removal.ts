/** Removal tasks as clients see them, where they differ from those of reviews. Pure. */
import type { TaskRevocationTarget, TaskType, TaskTypeRevoke } from '../../../gen/c1/api/task/v1/task_pb.js';
import { quoteName } from '../../../lib/names/visible-text.ts';
import type { Row } from '../../../wire/row.ts';
import { rawSteps, readApprovalAt, type TaskOutcome } from '../task/index.ts';
import type { ShownRemoval, ShownTask } from './shown-task.ts';

/** The outcome in the words of RevokeOutcome; those of reviews are none of a removal. */
export function removalOutcomeName(outcome: TaskOutcome | undefined): Row<TaskTypeRevoke>['outcome'] {
  return outcome === undefined || outcome === '' || outcome === 'CERTIFIED' || outcome === 'DECERTIFIED' ? 'UNSPECIFIED' : outcome;
}

/** The type of the task with what is removed, from whom, because of what, and how it ended. */
export function shapeRemoval(task: ShownTask): Row<TaskType> {
  const { reviewId = '', certifyTaskId = '', requestedById = '' } = task.revocation ?? {};
  const source =
    reviewId === '' ? { request: { requestUserId: requestedById } } : { review: { accessReviewId: reviewId, certTicketId: certifyTaskId } };
  return {
    revoke: {
      appId: task.appId,
      appEntitlementId: task.entitlementId,
      appUserId: task.principalKind === 'A' ? task.accountId : '',
      identityUserId: task.userId,
      outcome: removalOutcomeName(task.outcome),
      outcomeTime: task.endedAt,
      source,
    },
  };
}

/** Lists what to cut so that inherited access goes: the first entitlement of each path. */
export function shapeTargets({ appId, revocation }: ShownTask): Row<TaskRevocationTarget>[] {
  return (revocation?.targets ?? []).map((appEntitlementId) => ({ entitlementRef: { appId, id: appEntitlementId } }));
}

/** The other ways by which access is held, in words: each has to be cut as well. */
export function nameResidual(residual: ShownRemoval['residual']): string[] {
  return residual.map(({ account, entitlementDisplayName, looksTheSame }) => {
    if (looksTheSame) {
      return `under a name that looks the same: account ${quoteName(account)}, ${quoteName(entitlementDisplayName)}`;
    }
    return account === '' ? `through ${entitlementDisplayName}` : `by the account ${account}`;
  });
}

/** Tells those asked what to know, in a sentence or three. */
export function describeRemovalTask(task: ShownTask): string {
  const { state = '', description = '', note = '', targets = [] } = task.revocation ?? {};
  const asked = readApprovalAt(task.policyDocument, task.step).isProvision
    ? 'Remove this access in the app, then say that it is done. A later sync has to prove it.'
    : 'Decide whether this access may be removed. To refuse it, say why.';
  const { note: said = '' } = rawSteps(task.policyDocument)[task.step] ?? {};
  const inherited =
    targets.length === 0 ? '' : 'It is inherited: what has to be removed is the first entitlement of each path (revocationTargets).';
  return [
    task.state === 'OPEN' ? asked : `The removal is ${state}${note === '' ? '.' : `: ${note}`}`,
    task.state === 'OPEN' ? said : '',
    inherited,
    description,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
