/**
 * Rules of who may see a task or have a hand in it: pure functions of the actor and the task. Which action that allows in which state is in
 * permit-actions.ts. Nothing here reads the database or throws; a rule turns a Refusal into the error.
 */
import { AppError, type ErrorCode } from '../../../errors.ts';
import type { Actor } from '../../../context.ts';
import { isBehind, isSuperAdmin, isThemselves, seesEverything } from '../../../foundation/authority/index.ts';
import { readApprovalAt } from './policy-steps.ts';
import type { TasksState, Task } from './task.ts';

/** Reason something is refused. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** The field of the request that is wrong, where one is. */
  readonly field?: string;
}

/** The error a client gets. */
export function refusalError(refusal: Refusal): AppError {
  const violations = refusal.field === undefined ? undefined : [{ field: refusal.field, description: refusal.message }];
  return new AppError(refusal.code, refusal.message, violations === undefined ? {} : { violations });
}

/** The 404 of a task: the same whether it does not exist, is hidden or belongs to somebody else. */
export const taskNotFound: Refusal = { code: 'NOT_FOUND', message: 'There is no task with this id.' };

/** Basis of who may decide a task. */
type Asked = Pick<Task, 'assigneeIds' | 'managerIds' | 'policyDocument' | 'step' | 'userId'>;

/** True if the actor reads everything in the tenant. */
export function seesAllTasks(actor: Actor): boolean {
  return seesEverything(actor);
}

/** True if the actor manages the review of this task: its managers and Super Administrators. */
export function managesTask(actor: Actor, task: Pick<Task, 'managerIds'>): boolean {
  return isSuperAdmin(actor) || (actor.userId !== '' && task.managerIds.includes(actor.userId));
}

/** Those in whose stead the actor sees and decides tasks: themselves, and who made them their delegate for now. */
export function standsFor(actor: Actor): readonly string[] {
  return actor.userId === '' ? [] : [actor.userId, ...(actor.delegatorIds ?? [])];
}

/** Those who are asked and whose delegate the actor is for now, where the step allows delegation. */
function askedDelegators(actor: Actor, task: Asked): readonly string[] {
  const asked = (actor.userId === '' ? [] : (actor.delegatorIds ?? [])).filter((id) => task.assigneeIds.includes(id));
  return asked.length > 0 && readApprovalAt(task.policyDocument, task.step).allowDelegation ? asked : [];
}

/** True if the task is assigned to the actor, or to somebody whose delegate they are. */
function isAssignee(actor: Actor, task: Asked): boolean {
  return (actor.userId !== '' && task.assigneeIds.includes(actor.userId)) || askedDelegators(actor, task).length > 0;
}

/** True if the actor is asked themselves, or in somebody's place about access that is not their own. */
function mayBeAsked(actor: Actor, task: Asked): boolean {
  return (actor.userId !== '' && task.assigneeIds.includes(actor.userId)) || (isAssignee(actor, task) && !isBehind(actor, task.userId));
}

/** The person in whose place alone the actor decides this task; undefined where they may decide it themselves. */
export function findDelegator(actor: Actor, task: Asked): string | undefined {
  if (task.assigneeIds.includes(actor.userId) || managesTask(actor, task)) {
    return undefined;
  }
  return askedDelegators(actor, task)[0];
}

function hadAHand(actor: Actor, task: Task): boolean {
  return actor.userId !== '' && task.history.some((action) => action.actorId === actor.userId);
}

/** True if an earlier step or an earlier reviewer set asked the actor, or somebody whose delegate they are. */
function wasAsked(actor: Actor, task: Task): boolean {
  return standsFor(actor).some((id) => task.formerAssigneeIds.includes(id));
}

/** True if this is the task of a removal that the actor asked for. */
function hasRequested(actor: Actor, task: Task): boolean {
  return task.kind === 'REVOKE' && actor.userId !== '' && task.revocation?.requestedById === actor.userId;
}

/** True if a search of the actor finds this task. Search says the same in SQL (store-search.ts). */
export function isListedFor(actor: Actor, task: Task): boolean {
  if (task.tasksState === 'HIDDEN') {
    return false;
  }
  if (task.tasksState === 'CANCELLED') {
    // Their review was deleted: history for those who read everything, and nothing to anybody else.
    return seesAllTasks(actor);
  }
  return seesAllTasks(actor) || managesTask(actor, task) || mayBeAsked(actor, task) || hadAHand(actor, task);
}

/**
 * True if the actor may know of this task. Whoever was asked before, until somebody else handed it on, still opens it, and so does whoever asked
 * for the removal it is about, and a delegate whose own access it is, though no search lists it.
 */
export function maySeeTask(actor: Actor, task: Task): boolean {
  return (
    isListedFor(actor, task) ||
    (task.tasksState !== 'HIDDEN' &&
      task.tasksState !== 'CANCELLED' &&
      (isAssignee(actor, task) || wasAsked(actor, task) || hasRequested(actor, task)))
  );
}

/** Refuses to decide anything of this review; undefined while it is open. */
export function refuseTasksState(state: TasksState): Refusal | undefined {
  switch (state) {
    case 'OPEN':
      return undefined;
    case 'HIDDEN':
      return {
        code: 'FAILED_PRECONDITION',
        message: 'The review has not been started: it is staged, and decisions wait for its start.',
      };
    case 'CLOSING':
      return { code: 'FAILED_PRECONDITION', message: 'The review is being closed: nothing can be decided or changed any more.' };
    case 'CLOSED':
      return { code: 'FAILED_PRECONDITION', message: 'The review is closed: nothing can be decided or changed any more.' };
    case 'CANCELLED':
      return { code: 'FAILED_PRECONDITION', message: 'The review was deleted: nothing can be decided or changed any more.' };
  }
}

/** Refuses acts of this actor on the access in question: it is their own, or the credential was issued by the person reviewed. */
function refuseOwnAccess(actor: Actor, task: Asked): Refusal | undefined {
  if (task.userId === null) {
    return undefined;
  }
  if (actor.userId !== task.userId && isBehind(actor, task.userId)) {
    return {
      code: 'PERMISSION_DENIED',
      message:
        isThemselves(actor) && (actor.issuerId === '' || actor.issuerId === actor.userId)
          ? 'This is the access of a person who was merged into you: it is your own, and you cannot decide it.'
          : 'What you act through was issued by the person whose access is reviewed: their access cannot be decided through it.',
    };
  }
  if (actor.userId === task.userId && findDelegator(actor, task) !== undefined) {
    return { code: 'PERMISSION_DENIED', message: 'This is your own access: you cannot decide it as a delegate.' };
  }
  if (actor.userId === task.userId && !readApprovalAt(task.policyDocument, task.step).allowSelf) {
    return { code: 'PERMISSION_DENIED', message: 'This is your own access, and the policy of this review does not allow self-review.' };
  }
  return undefined;
}

/** Refuses this actor decisions of this task, whatever its state. */
export function refuseDecider(actor: Actor, task: Asked): Refusal | undefined {
  if (!isAssignee(actor, task) && !managesTask(actor, task)) {
    return {
      code: 'PERMISSION_DENIED',
      message:
        'Only the people this task is assigned to, their delegates, the owners of the review and Super Administrators may decide it.',
    };
  }
  return refuseOwnAccess(actor, task);
}

/** Refuses this actor handing this task to somebody else. */
export function refuseReassigner(actor: Actor, task: Asked): Refusal | undefined {
  if (managesTask(actor, task)) {
    return refuseOwnAccess(actor, task);
  }
  if (!isAssignee(actor, task)) {
    return {
      code: 'PERMISSION_DENIED',
      message:
        'Only the people this task is assigned to, their delegates, the owners of the review and Super Administrators may reassign it.',
    };
  }
  if (!readApprovalAt(task.policyDocument, task.step).allowReassignment) {
    return {
      code: 'PERMISSION_DENIED',
      message: 'The policy of this task does not allow its reviewers to reassign it; ask an owner of the review.',
    };
  }
  return refuseOwnAccess(actor, task);
}

/** Refuses this actor running this task: start it over, skip a step, call it off. That is for owners and Super Administrators, of others' access. */
export function refuseRunner(actor: Actor, task: Task, doing: string): Refusal | undefined {
  return refuseNonManager(actor, task, doing) ?? refuseOwnAccess(actor, task);
}

/** Refuses this actor what only owners of the review and Super Administrators may do, whosever access it is. */
export function refuseNonManager(actor: Actor, task: Task, doing: string): Refusal | undefined {
  return managesTask(actor, task)
    ? undefined
    : { code: 'PERMISSION_DENIED', message: `Only the owners of the review and Super Administrators may ${doing}.` };
}

/** Refuses this actor cancelling this task. */
export function refuseCanceller(actor: Actor, task: Task): Refusal | undefined {
  if (!isSuperAdmin(actor)) {
    return { code: 'PERMISSION_DENIED', message: 'Only Super Administrators may cancel a task.' };
  }
  return refuseOwnAccess(actor, task);
}

/** Refuses this actor amending the decision that closed this task: it is about their own access, or it is not theirs. */
export function refuseAmender(actor: Actor, task: Task): Refusal | undefined {
  const own = refuseOwnAccess(actor, task);
  if (own !== undefined || (task.endReason === 'DECIDED' && task.decidedById !== null && task.decidedById === actor.userId)) {
    return own;
  }
  return {
    code: 'CONFLICT',
    message:
      task.state === 'OPEN'
        ? 'This task is open: there is no decision to amend. Approve or deny it.'
        : `Only the person whose decision closed this task may amend it${task.decidedByName === null ? '; nobody decided it' : `: ${task.decidedByName}`}.`,
  };
}

/** Refuses this actor approving this task with a second proof of who they are: only those asked may, in whose place somebody manages nothing. */
export function refuseStepUp(actor: Actor, task: Task): Refusal | undefined {
  if (!isAssignee(actor, task)) {
    return { code: 'PERMISSION_DENIED', message: 'Only the people this task is assigned to and their delegates may approve it this way.' };
  }
  return refuseOwnAccess(actor, task);
}

/** Refuses this actor commenting on this task. Whoever sees it may, save those who only read. */
export function refuseCommenter(actor: Actor, task: Task): Refusal | undefined {
  if (isAssignee(actor, task) || managesTask(actor, task) || hadAHand(actor, task) || wasAsked(actor, task)) {
    return undefined;
  }
  return {
    code: 'PERMISSION_DENIED',
    message: 'Only the people this task is or was assigned to, the owners of the review and Super Administrators may comment on it.',
  };
}
