/**
 * Task as the rules of this module see it, and the small facts that follow from it alone. Reading it is store.ts's business, who may touch it
 * permit.ts's, how it looks outside view.ts's.
 */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import type { RevocationState } from '../../../gen/countersign/v1/revocations_pb.js';
import type { PrincipalKind } from '../../snapshots/index.ts';
import type { SignatureTerms } from '../../../foundation/signatures/index.ts';
import type { Escalation } from './policy-steps.ts';
import type { Relation } from './store-relations.ts';

/** State of a batch's tasks, shown and decided or not (`task_reviews.state`). */
export type TasksState = 'HIDDEN' | 'OPEN' | 'CLOSING' | 'CLOSED' | 'CANCELLED';

/** Question of a batch's tasks (`task_reviews.kind`): whether access is still right, or that it be removed. */
export type TaskKind = 'CERTIFY' | 'REVOKE';

/** End of a task (`tasks.outcome`); empty while it is open, or where it was closed without an outcome. REVOKED and DENIED are those of removals. */
export type TaskOutcome = '' | 'CERTIFIED' | 'DECERTIFIED' | 'CANCELLED' | 'ERROR' | 'WAIT_TIMED_OUT' | 'REVOKED' | 'DENIED';

/** Reason it ended (`tasks.end_reason`); empty while it is open. */
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

/** Way a level finds people. */
export type ReviewerReason =
  | 'MANAGER'
  | 'APP_OWNERS'
  | 'ENTITLEMENT_OWNERS'
  | 'RESOURCE_OWNERS'
  | 'USERS'
  | 'GROUP'
  | 'EXPRESSION'
  | 'SELF'
  | 'FALLBACK_GROUPS'
  | 'FALLBACK_USERS'
  | 'FALLBACK_APP_OWNERS'
  | 'REVIEW_OWNERS'
  | 'ADMINISTRATORS';

/** Why people are asked: who they are to the access, or how it came to them since. */
export type AssignmentReason = ReviewerReason | 'REASSIGNED' | 'HANDED_OVER' | 'ESCALATED';

/**
 * Happenings to a task (`task_actions.kind`); HANDED_OVER is what nobody did, and so are ESCALATED and PASSED, by which it left a step at a date,
 * and ENDED unless an administrator cancelled the task. PROVISIONED says that the access was removed, ERRORED that it could not be, RETRIED that
 * this is tried anew.
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

/** Data of an action beside who, when and where; every member is optional. */
export interface ActionData {
  /** In whose place it was decided, where the actor could only decide it as their delegate. */
  readonly delegatorId?: string;
  /** Those asked when it was done. */
  readonly assignmentId?: string | null;
  /** The outcome of the task, where this ended it. */
  readonly outcome?: TaskOutcome;
  /** Reassigned, handed over: to whom. */
  readonly newUserIds?: readonly string[];
  /** Handed over: those who could no longer review. */
  readonly disabledUserIds?: readonly string[];
  /** Handed over: true where they could no longer because it is the access of somebody who was merged into them. */
  readonly isOwn?: boolean;
  /** The step that was entered by it. */
  readonly newStepId?: string;
  /** Ended: why; POLICY where the policy's own step did. */
  readonly reason?: EndReason | 'POLICY';
  readonly message?: string;
  /** True if nobody did it, although it stands beside what somebody did. */
  readonly bySystem?: boolean;
  /** Escalated: what that came to. */
  readonly how?: Escalation['how'];
  /** Restarted: how the task had ended before. */
  readonly previousState?: Task['state'];
  readonly previousOutcome?: TaskOutcome;
  readonly previousEndReason?: EndReason;
  /** Approved: until when alone, as RFC 3339. */
  readonly certifyUntil?: string;
  /** Amended: what it is now; `previousOutcome` says what it was. */
  readonly decision?: 'APPROVE' | 'DENY';
  /** Decided: when it was first staged, as RFC 3339, where it was. */
  readonly stagedAt?: string;
  /** Decided: how the actor stood to the person and the access; absent where in no way that matters. */
  readonly relations?: readonly Relation[];
  /** Decided: the step-up by which it was signed, where its review asks for one. */
  readonly stepUpTransactionId?: string;
  /** Reminded: whom. */
  readonly userIds?: readonly string[];
  /** Commented: the commitment to the comment, and its salt, in hex. */
  readonly commentHash?: string;
  readonly commentSalt?: string;
}

/** Actions on a task, comments left out: its history. Times are RFC 3339 strings. */
export interface PastAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly actorId: string;
  /** Issuer of the credential it was done with, where that was somebody else; else empty. */
  readonly issuerId: string;
  readonly data: ActionData;
  readonly createdAt: string;
}

/** A task as rules decide about it. Everything that its readers are shown beside that is another row, ShownTask of views. */
export interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  /** The id of the review that the tasks belong to; of removals that of their batch. */
  readonly reviewId: string;
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
  /** As in `tasks.state`. */
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  readonly decidedById: string | null;
  readonly decidedByName: string | null;
  /** Another person who issued what it was decided through; null for nobody. */
  readonly decidedIssuerId: string | null;
  readonly endedAt: Date | null;
  /** Until when it was certified, where its last approval said so. */
  readonly certifyUntil: Date | null;
  readonly createdAt: Date;
  readonly tasksState: TasksState;
  /** Terms of its review for the signature of who decides it; null where it asks for no signatures. */
  readonly signature?: SignatureTerms | null;
  readonly managerIds: readonly string[];
  /** The people whom the current step asks; empty where nobody was found. */
  readonly assigneeIds: readonly string[];
  /** The people whom earlier steps asked, or who handed it on. */
  readonly formerAssigneeIds: readonly string[];
  readonly assignmentReason: AssignmentReason | '';
  readonly isFallback: boolean;
  /** The frozen policy, whose certify steps are those of the task's route; null where it was not stored. */
  readonly policyDocument: PolicyJson | null;
  /** Time something happens to it by itself, and time the step that this is about was entered; null for never. */
  readonly nextAt: Date | null;
  readonly enteredAt: Date | null;
  readonly history: readonly PastAction[];
  readonly createdById: string;
  /** Of a denied item and of a removal's own task: the removal, and where it stands. */
  readonly revocation?: TaskRemoval | null;
}

/** State of a removal, as the contract names it: what keeps removals is a later module. */
export type RemovalState = Exclude<keyof typeof RevocationState, 'UNSPECIFIED'>;

/** State of a task's removal. */
export interface TaskRemoval {
  readonly id: string;
  readonly state: RemovalState;
  /** The review that denied the access; empty where somebody asked for the removal. */
  readonly reviewId: string;
  /** The person who asked for it; empty where a review did. */
  readonly requestedById: string;
}

/** The id of a step of a task on the wire: a new one for each step entered, each reassignment and each restart. */
export function stepId(taskId: string, stepGeneration: number): string {
  return `${taskId}-${stepGeneration}`;
}

/**
 * The decisions that count towards the task as it stands: those since its last restart, oldest first. One that its maker amended counts as what it
 * became.
 */
export function currentDecisions(task: Pick<Task, 'history'>): readonly PastAction[] {
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
