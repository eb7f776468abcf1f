/**
 * What a task is to the rules of this module, and the small facts that follow from it alone. Reading it is store.ts's business, who may
 * touch it permit.ts's, how it looks outside view.ts's.
 */

/** Whether the tasks of a batch are shown and decided (`task_reviews.state`). */
export type TasksState = 'HIDDEN' | 'OPEN' | 'CLOSING' | 'CLOSED' | 'CANCELLED';

/** How a task ended (`tasks.outcome`); empty while it is open, or where it was closed without an outcome. */
export type TaskOutcome = '' | 'CERTIFIED' | 'DECERTIFIED' | 'CANCELLED' | 'ERROR';

/** Why a task ended (`tasks.end_reason`); empty while it is open. */
export type EndReason = '' | 'DECIDED' | 'SKIPPED_AT_CLOSE' | 'REVOKED_AT_CLOSE' | 'NO_ACTION_AT_CLOSE' | 'GRANT_GONE' | 'DELETED';

/** What can be done to a task (`task_actions.kind`); ENDED is what nobody did. */
export type ActionKind = 'APPROVED' | 'DENIED' | 'COMMENTED' | 'REASSIGNED' | 'RESTARTED' | 'ENDED';

/** What an action keeps beside who, when and where; every member is optional. */
export interface ActionData {
  /** In whose place it was decided, where the actor could only decide it as their delegate. */
  readonly delegatorId?: string;
  /** Who was asked when it was done. */
  readonly assignmentId?: string | null;
  /** The outcome of the task, where this ended it. */
  readonly outcome?: TaskOutcome;
  /** Reassigned: to whom. */
  readonly newUserIds?: readonly string[];
  /** The step that was entered by it. */
  readonly newStepId?: string;
  /** Ended: why, as an EndReason, or POLICY where the policy's own step did. */
  readonly reason?: string;
  readonly message?: string;
  /** Restarted: how the task had ended before. */
  readonly previousState?: string;
  readonly previousOutcome?: string;
  readonly previousEndReason?: string;
}

/** What was done to a task, comments left out: its history. Times are RFC 3339 strings. */
export interface PastAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly actorId: string;
  readonly data: ActionData;
  readonly createdAt: string;
}

/** A task with everything its rules and its view need, so that a page of them is one statement. */
export interface TaskRow {
  readonly id: string;
  /** The id of the review that the tasks belong to. */
  readonly reviewId: string;
  readonly numericId: number;
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  /** The person reviewed; null for an account that nobody owns. */
  readonly userId: string | null;
  readonly policyId: string;
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tasksState: TasksState;
  readonly managerIds: readonly string[];
  /** Who is asked by the current step; empty where nobody was found. */
  readonly assigneeIds: readonly string[];
  readonly assignmentReason: string;
  readonly isFallback: boolean;
  /** The frozen policy of the review; null where it was not stored. */
  readonly policyDocument: Record<string, unknown> | null;
  readonly history: readonly PastAction[];
  readonly commentCount: number;
  readonly createdById: string;
  readonly account: AccountFacts | null;
  readonly entitlement: EntitlementFacts | null;
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

/** The decisions that count towards the task as it stands: those since its last restart, oldest first. */
export function currentDecisions(task: Pick<TaskRow, 'history'>): readonly PastAction[] {
  // By generation, not by time: two processes may not agree on the time.
  const restarted = Math.max(-1, ...task.history.filter((action) => action.kind === 'RESTARTED').map((action) => action.stepGeneration));
  return task.history.filter((action) => (action.kind === 'APPROVED' || action.kind === 'DENIED') && action.stepGeneration > restarted);
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
    case 'GRANT_GONE':
      return 'The access ended before anybody decided.';
    case 'DELETED':
      return 'The review was deleted before anybody decided.';
    default:
      return '';
  }
}
