/**
 * What a task is to the rules of this module, and the small facts that follow from it alone. Reading it is store.ts's business, who may
 * touch it permit.ts's, how it looks outside view.ts's.
 */
import type { Relation } from './store-relations.ts';

import type { Found } from './store-found.ts';

/** Whether the tasks of a batch are shown and decided (`task_reviews.state`). */
export type TasksState = 'HIDDEN' | 'OPEN' | 'CLOSING' | 'CLOSED' | 'CANCELLED';

/** What the tasks of a batch ask (`task_reviews.kind`): whether access is still right, or that it be removed. */
export type TaskKind = 'CERTIFY' | 'REVOKE';

/**
 * How a task ended (`tasks.outcome`); empty while it is open, or where it was closed without an outcome. REVOKED and DENIED are those of removals.
 */
export type TaskOutcome = '' | 'CERTIFIED' | 'DECERTIFIED' | 'CANCELLED' | 'ERROR' | 'WAIT_TIMED_OUT' | 'REVOKED' | 'DENIED';

/** Why a task ended (`tasks.end_reason`); empty while it is open. */
export type EndReason =
  | ''
  | 'DECIDED'
  | 'CARRIED'
  | 'SKIPPED_AT_CLOSE'
  | 'REVOKED_AT_CLOSE'
  | 'NO_ACTION_AT_CLOSE'
  | 'GRANT_GONE'
  | 'DELETED'
  | 'OBJECT_GONE'
  | 'CANCELLED'
  | 'ESCALATED'
  | 'STEP_SKIPPED'
  | 'WAIT_TIMED_OUT'
  | 'REMOVAL_ENDED';

/**
 * What can happen to a task (`task_actions.kind`); HANDED_OVER is what nobody did, and so are ESCALATED and PASSED, by which it left a step at a
 * date, and ENDED unless an administrator cancelled the task. PROVISIONED says that the access was removed, ERRORED that it could not be, RETRIED
 * that this is tried anew.
 */
export type ActionKind =
  | 'APPROVED'
  | 'DENIED'
  | 'COMMENTED'
  | 'REASSIGNED'
  | 'RESTARTED'
  | 'ENDED'
  | 'HANDED_OVER'
  | 'HARD_RESET'
  | 'SKIPPED'
  | 'ESCALATED'
  | 'PASSED'
  | 'AMENDED'
  | 'REMINDED'
  | 'PROVISIONED'
  | 'ERRORED'
  | 'RETRIED';

/** What an action keeps beside who, when and where; every member is optional. */
export interface ActionData {
  /** In whose place it was decided, where the actor could only decide it as their delegate. */
  readonly delegatorId?: string;
  /** Who was asked when it was done. */
  readonly assignmentId?: string | null;
  /** The outcome of the task, where this ended it. */
  readonly outcome?: TaskOutcome;
  /** Reassigned, handed over: to whom. */
  readonly newUserIds?: readonly string[];
  /** Handed over: those who could no longer review. */
  readonly disabledUserIds?: readonly string[];
  /** The step that was entered by it. */
  readonly newStepId?: string;
  /** Ended: why, as an EndReason, or POLICY where the policy's own step did. */
  readonly reason?: string;
  readonly message?: string;
  /** Whether nobody did it, although it stands beside what somebody did. */
  readonly bySystem?: boolean;
  /** Escalated: what that came to, as an escalation of policy-steps.ts. */
  readonly how?: string;
  /** Restarted: how the task had ended before. */
  readonly previousState?: string;
  readonly previousOutcome?: string;
  readonly previousEndReason?: string;
  /** Approved: until when alone, as RFC 3339. */
  readonly certifyUntil?: string;
  /** Amended: what it is now; `previousOutcome` says what it was. */
  readonly decision?: 'APPROVE' | 'DENY';
  /** Decided: when it was first staged, as RFC 3339, where it was. */
  readonly stagedAt?: string;
  /** Decided: how the actor stood to the person and the access; absent where in no way that matters. */
  readonly relations?: readonly Relation[];
  /** Reminded: whom. */
  readonly userIds?: readonly string[];
}

/** What was done to a task, comments left out: its history. Times are RFC 3339 strings. */
export interface PastAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly actorId: string;
  /** Who issued the credential it was done with, where that was somebody else; else empty. */
  readonly issuerId: string;
  readonly data: ActionData;
  readonly createdAt: string;
}

/**
 * Who holds what is asked about (`tasks.principal_kind`, `review_accounts.principal_kind`, `review_digests.principal_kind`,
 * `revocations.principal_kind`): an account, or a
 * resource that passes an entitlement on.
 */
export type PrincipalKind = 'A' | 'R';

/** A task with everything its rules and its view need, so that a page of them is one statement. */
export interface TaskRow {
  readonly id: string;
  readonly kind: TaskKind;
  /** The id of the review that the tasks belong to; of removals that of their batch. */
  readonly reviewId: string;
  readonly numericId: number;
  readonly appId: string;
  readonly entitlementId: string;
  /** Of the account, or of the resource whose holders are given the entitlement. */
  readonly accountId: string;
  readonly principalKind: PrincipalKind;
  /** The person reviewed; null for an account that nobody owns. */
  readonly userId: string | null;
  readonly policyId: string;
  /** The route it is on: its number in the review. */
  readonly routeNo: number;
  readonly step: number;
  readonly stepGeneration: number;
  readonly assignmentId: string | null;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** As in `tasks.state`. */
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  readonly decidedById: string | null;
  readonly decidedByName: string | null;
  readonly endedAt: Date | null;
  /** Until when it was certified, where its last approval said so. */
  readonly certifyUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tasksState: TasksState;
  readonly managerIds: readonly string[];
  /** Who is asked by the current step; empty where nobody was found. */
  readonly assigneeIds: readonly string[];
  /** Who was asked by earlier steps, or before it was handed on. */
  readonly formerAssigneeIds: readonly string[];
  readonly assignmentReason: string;
  readonly isFallback: boolean;
  /** The frozen policy, whose certify steps are those of the task's route; null where it was not stored. */
  readonly policyDocument: Record<string, unknown> | null;
  /** When something happens to it by itself, and when the step that this is about was entered; null for never. */
  readonly nextAt: Date | null;
  readonly enteredAt: Date | null;
  readonly history: readonly PastAction[];
  readonly commentCount: number;
  readonly createdById: string;
  /** The attributes of the account that the review shows its reviewers, as the snapshot has them. */
  readonly accountAttributes?: Readonly<Record<string, string>> | null;
  /** Of an open task whose access a later sync left out: which sync (empty for a push of an identity provider), and when. */
  readonly gone?: { readonly syncId: string; readonly at: string } | null;
  /** What stands out about it; a task of an earlier release has nothing but its last decision. */
  readonly found?: Found | undefined;
  /** Of a denied item and of a removal's own task: the removal, and where it stands. */
  readonly revocation?: RevocationFacts | null;
  readonly account: AccountFacts | null;
  readonly entitlement: EntitlementFacts | null;
}

/** The removal of a task, as the module of removals keeps it. */
export interface RevocationFacts {
  readonly id: string;
  readonly state: string;
  /** The review and its task that denied the access; empty where somebody asked for the removal. */
  readonly reviewId: string;
  readonly certifyTaskId: string;
  /** Who asked for it, and why; empty where a review did. */
  readonly requestedById: string;
  readonly description: string;
  readonly note: string;
  /** Of inherited access: the first entitlement of each path, which is what has to be cut. */
  readonly targets: readonly string[];
  /** Other ways by which the access is held: through an entitlement of the account, or by another account of the person. */
  readonly residual: readonly { readonly entitlementDisplayName: string; readonly account: string }[];
}

/** The account as the review's snapshot has it. */
export interface AccountFacts {
  readonly externalId: string;
  readonly accountType: string;
  readonly accountStatus: string;
  readonly userDisplayName: string;
  readonly userEmail: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly employmentStatus: string;
}

/** The entitlement as the review's snapshot has it. */
export interface EntitlementFacts {
  readonly displayName: string;
  readonly description: string;
  readonly appDisplayName: string;
  readonly resourceTypeId: string;
  readonly resourceTypeDisplayName: string;
  readonly resourceId: string;
  readonly resourceDisplayName: string;
}

/** The id of a step of a task on the wire: a new one for each step entered, each reassignment and each restart. */
export function stepId(taskId: string, stepGeneration: number): string {
  return `${taskId}-${stepGeneration}`;
}

/**
 * The decisions that count towards the task as it stands: those since its last restart, oldest first. One that its maker amended counts as what it
 * became.
 */
export function currentDecisions(task: Pick<TaskRow, 'history'>): readonly PastAction[] {
  // By generation, not by time: two processes may not agree on the time.
  const restarted = Math.max(
    -1,
    ...task.history.filter(({ kind }) => kind === 'RESTARTED' || kind === 'HARD_RESET').map((action) => action.stepGeneration),
  );
  const decisions: PastAction[] = [];
  for (const action of task.history.filter(({ stepGeneration }) => stepGeneration > restarted)) {
    if (action.kind === 'APPROVED' || action.kind === 'DENIED') {
      decisions.push(action);
    } else if (action.kind === 'AMENDED') {
      const amended = decisions.findLastIndex(({ actorId }) => actorId === action.actorId);
      decisions.splice(amended === -1 ? decisions.length : amended, 1);
      decisions.push({ ...action, kind: action.data.decision === 'APPROVE' ? 'APPROVED' : 'DENIED' });
    }
  }
  return decisions;
}

/** A sentence on why a task ended without a person deciding it; empty where a person did, or where it has not ended. */
export function explainEnd(endReason: EndReason): string {
  switch (endReason) {
    case 'SKIPPED_AT_CLOSE':
      return 'Nobody had decided when the review was closed: skipped.';
    case 'REVOKED_AT_CLOSE':
      return 'Nobody had decided when the review was closed: revoked.';
    case 'NO_ACTION_AT_CLOSE':
      return 'Nobody had decided when the review was closed: no outcome was set.';
    case 'CARRIED':
      return 'Nobody was asked: its certification in the review before was carried over, since nothing about it has changed.';
    case 'GRANT_GONE':
      return 'The access ended before anybody decided.';
    case 'DELETED':
      return 'The review was deleted before anybody decided.';
    case 'OBJECT_GONE':
      return 'The person, account, entitlement or app was deleted before anybody decided.';
    case 'CANCELLED':
      return 'An administrator cancelled it before anybody decided.';
    case 'ESCALATED':
      return 'Nobody decided in time: its policy cancelled it.';
    case 'STEP_SKIPPED':
      return 'Its last step was skipped and nobody had approved it: no outcome was reached.';
    case 'WAIT_TIMED_OUT':
      return 'What its policy waits for did not happen in time.';
    case 'REMOVAL_ENDED':
      return 'What became of the removal ended it.';
    default:
      return '';
  }
}
