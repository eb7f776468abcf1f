/**
 * Actions allowed on a task, by whom and in which state: one row for each action. `Task.actions` and the refusals of the rules are both read from
 * here, so that they cannot disagree. What concerns the request alone (comments, steps, people) is refused by the rules.
 */
import { sayState } from '../../../lib/names/say-state.ts';
import type { Actor } from '../../../context.ts';
import { holds, isSystem, refuseAnswer } from '../../../foundation/authority/index.ts';
import {
  type Refusal,
  refuseCanceller,
  refuseCommenter,
  refuseDecider,
  refuseNonManager,
  refuseReassigner,
  refuseRunner,
  refuseStepUp,
  refuseTasksState,
} from './permit.ts';
import { readApprovalAt, readStepAt } from './policy-steps.ts';
import { explainEnd, type RemovalState, stepId, type Task } from './task.ts';

/** An action on a task, in the words of TaskActionType without their prefix; ours is APPROVE_UNTIL. */
export type ActionName =
  | 'APPROVE'
  | 'APPROVE_UNTIL'
  | 'APPROVE_WITH_STEP_UP'
  | 'DENY'
  | 'COMMENT'
  | 'REASSIGN'
  | 'RESTART'
  | 'HARD_RESET'
  | 'SKIP_STEP'
  | 'PROCESS_NOW'
  | 'CLOSE'
  | 'SEND_REMINDER'
  | 'ESCALATE_TO_EMERGENCY_ACCESS'
  | 'UPDATE_REQUEST_DATA'
  | 'UPDATE_GRANT_DURATION'
  | 'RETRY_PROVISIONING';

/** Those who may, and states of a task whose review is open. */
interface Permit {
  readonly who: (actor: Actor, task: Task) => Refusal | undefined;
  readonly when: (task: Task, now: Date) => Refusal | undefined;
}

/** Answer to a restart of a task whose access is gone. */
export const accessGone: Refusal = {
  code: 'FAILED_PRECONDITION',
  message: 'The access of this task has ended: there is nothing to decide any more.',
};

/** Milliseconds between two reminders of one task. */
const betweenReminders = 3_600_000;
/** Most that clocks of processes may be apart. */
const aheadMs = 60_000;

const anybodyWhoSees = (): undefined => undefined;
const inAnyState = (): undefined => undefined;

/** The refusal of a decision about a task that is closed already: it names who was first. */
function refuseClosed(task: Task): Refusal | undefined {
  if (task.state === 'OPEN') {
    return undefined;
  }
  if (task.kind === 'REVOKE') {
    return { code: 'CONFLICT', message: `This task is closed: the removal is ${task.revocation?.state ?? task.outcome}.` };
  }
  const why = explainEnd(task.endReason);
  if (why !== '') {
    return { code: 'CONFLICT', message: `This task is closed. ${why}` };
  }
  const what = task.outcome === 'CERTIFIED' ? 'certified' : task.outcome === 'DECERTIFIED' ? 'denied' : 'closed';
  return { code: 'CONFLICT', message: `This task was already ${what} by ${task.decidedByName ?? 'its policy'}.` };
}

/** The refusal of what only a step that asks somebody can be answered with: the task waits. */
function refuseWaiting(task: Task): Refusal | undefined {
  return task.state === 'OPEN' && readStepAt(task.policyDocument, task.step)?.kind === 'wait'
    ? {
        code: 'FAILED_PRECONDITION',
        message: 'The current step of this task waits: nobody is asked. An owner of the review can process it, or skip the step.',
      }
    : undefined;
}

function whileOpen(instead: string): (task: Task) => Refusal | undefined {
  return (task) => (task.state === 'OPEN' ? undefined : { code: 'FAILED_PRECONDITION', message: `This task is closed: ${instead}.` });
}

function never(message: string): () => Refusal {
  return () => ({ code: 'FAILED_PRECONDITION', message });
}

function refuseReminder(task: Task, now: Date): Refusal | undefined {
  const last = task.history.findLast(({ kind }) => kind === 'REMINDED');
  const free = last === undefined ? undefined : new Date(new Date(last.createdAt).getTime() + betweenReminders);
  return (
    whileOpen('there is nobody to remind')(task) ??
    (task.assigneeIds.length === 0
      ? { code: 'FAILED_PRECONDITION', message: 'Nobody is assigned to this task: reassign it first.' }
      : // One that lies further ahead was written by a clock that ran ahead.
        free !== undefined && now < free && free.getTime() - now.getTime() <= betweenReminders + aheadMs
        ? { code: 'FAILED_PRECONDITION', message: `A reminder went out within the last hour. Try again after ${free.toISOString()}.` }
        : undefined)
  );
}

/** The refusal of a second proof of who somebody is in a review that asks for none. */
function refuseWithoutStepUp(task: Task): Refusal | undefined {
  return (task.signature?.providerId ?? '') === ''
    ? (refuseUnsigned(task) ?? {
        code: 'FAILED_PRECONDITION',
        message: 'The review of this task asks for no step-up. Approve the task without it.',
      })
    : undefined;
}

/** Refuses to decide a task by itself whose review asks for signatures. */
export function refuseUnsigned({ signature }: Task): Refusal | undefined {
  return signature === undefined || signature === null
    ? undefined
    : { code: 'FAILED_PRECONDITION', message: 'The review of this task asks for signatures: submit your decisions, then sign them.' };
}

/** Removals that go with the denial that they follow from, or that nothing is left of to withdraw. */
const withdrawableRemovals: readonly RemovalState[] = ['HELD', 'REQUESTED', 'IN_PROGRESS', 'REFUSED', 'CANCELLED'];

/** Refuses to undo a denial: somebody said that the access was removed, or a sync proved it. */
export function refuseRemoved(task: Pick<Task, 'outcome' | 'revocation'>, undone: 'amended' | 'started over'): Refusal | undefined {
  const state = task.revocation?.state;
  if (task.outcome !== 'DECERTIFIED' || state === undefined || withdrawableRemovals.includes(state)) {
    return undefined;
  }
  const instead =
    state === 'ERROR'
      ? 'An owner of the review can have the removal tried again, which makes that possible.'
      : 'If the access is still needed, have it granted again in the application.';
  return {
    code: 'FAILED_PRECONDITION',
    message: `The removal that follows from this denial is ${sayState(state)}: a denial can be ${undone} until its removal is claimed. ${instead}`,
  };
}

/** Refuses to start a task over whose access is gone, or is being removed beyond recall. */
const refuseStartOver = (task: Task): Refusal | undefined =>
  task.endReason === 'GRANT_GONE' || task.endReason === 'OBJECT_GONE' ? accessGone : refuseRemoved(task, 'started over');

const notAGrant = (what: string) => never(`This is a certify task: only requests for access ${what}.`);

const permits: Readonly<Record<ActionName, Permit>> = {
  APPROVE: { who: refuseDecider, when: (task) => refuseClosed(task) ?? refuseWaiting(task) },
  APPROVE_UNTIL: { who: refuseDecider, when: (task) => refuseClosed(task) ?? refuseWaiting(task) },
  APPROVE_WITH_STEP_UP: { who: refuseStepUp, when: (task) => refuseClosed(task) ?? refuseWaiting(task) ?? refuseWithoutStepUp(task) },
  DENY: { who: refuseDecider, when: (task) => refuseClosed(task) ?? refuseWaiting(task) },
  COMMENT: { who: refuseCommenter, when: inAnyState },
  REASSIGN: {
    who: refuseReassigner,
    when: (task) => whileOpen('an owner of the review can restart it, then it can be reassigned')(task) ?? refuseWaiting(task),
  },
  RESTART: {
    who: (actor, task) => refuseRunner(actor, task, 'restart a task'),
    when: refuseStartOver,
  },
  HARD_RESET: {
    who: (actor, task) => refuseRunner(actor, task, 'reset a task'),
    when: refuseStartOver,
  },
  SKIP_STEP: { who: (actor, task) => refuseRunner(actor, task, 'skip a step'), when: whileOpen('it has no step to skip') },
  PROCESS_NOW: { who: (actor, task) => refuseNonManager(actor, task, 'process a task'), when: inAnyState },
  CLOSE: {
    who: refuseCanceller,
    // Said again of a task that was cancelled before, it holds.
    when: (task) => (task.endReason === 'CANCELLED' ? undefined : refuseClosed(task)),
  },
  SEND_REMINDER: { who: (actor, task) => refuseNonManager(actor, task, 'remind the reviewers of a task'), when: refuseReminder },
  ESCALATE_TO_EMERGENCY_ACCESS: { who: anybodyWhoSees, when: notAGrant('can become emergency access') },
  UPDATE_REQUEST_DATA: { who: anybodyWhoSees, when: notAGrant('have request data') },
  UPDATE_GRANT_DURATION: { who: anybodyWhoSees, when: notAGrant('have a duration') },
  RETRY_PROVISIONING: {
    who: (actor, task) => refuseNonManager(actor, task, 'retry a removal'),
    when: never('This is a certify task: only removals that failed can be tried again.'),
  },
};

const noRemoval = never('This is a revoke task: what became of the removal ends it, so this action has no meaning for it.');

/** The refusal of a word about a removal that cannot be said now: the removal is `allowed` in these states alone. */
function whileRemoval(allowed: readonly RemovalState[], otherwise: string): (task: Task) => Refusal | undefined {
  return ({ revocation }) =>
    revocation === null || revocation === undefined || allowed.includes(revocation.state)
      ? undefined
      : { code: 'FAILED_PRECONDITION', message: `The removal is ${sayState(revocation.state)}: ${otherwise}.` };
}

const isProvided = (task: Task): boolean => readApprovalAt(task.policyDocument, task.step).isProvision;
const sayDone = whileRemoval(['IN_PROGRESS', 'STILL_PRESENT'], 'it can be said to be done while it is in progress or still present');
const sayFailed = whileRemoval(['IN_PROGRESS'], 'it can be said to have failed while it is in progress');
const tryAnew = whileRemoval(['ERROR', 'REAPPEARED'], 'only one that failed or whose access reappeared is tried anew');

/** Differences for tasks of removals. Where they ask who removes the access, to approve says that it is done, and to deny that it failed. */
const removalPermits: Readonly<Partial<Record<ActionName, Permit>>> = {
  APPROVE: { who: refuseDecider, when: (task) => refuseClosed(task) ?? (isProvided(task) ? sayDone(task) : undefined) },
  DENY: { who: refuseDecider, when: (task) => refuseClosed(task) ?? (isProvided(task) ? sayFailed(task) : undefined) },
  RETRY_PROVISIONING: { who: (actor, task) => refuseRunner(actor, task, 'retry a removal'), when: tryAnew },
  ...Object.fromEntries(
    (
      [
        'APPROVE_UNTIL',
        'APPROVE_WITH_STEP_UP',
        'RESTART',
        'HARD_RESET',
        'SKIP_STEP',
        'PROCESS_NOW',
        'CLOSE',
        'ESCALATE_TO_EMERGENCY_ACCESS',
        'UPDATE_REQUEST_DATA',
        'UPDATE_GRANT_DURATION',
      ] as const
    ).map((action): [ActionName, Permit] => [action, { who: permits[action].who, when: noRemoval }]),
  ),
};

function permitOf(action: ActionName, { kind }: Task): Permit {
  return (kind === 'REVOKE' ? removalPermits[action] : undefined) ?? permits[action];
}

/** Refuses an action that names a step: another one is current. An empty name means the current one. */
export function refuseStep(task: Task, asked: string): Refusal | undefined {
  const current = stepId(task.id, task.stepGeneration);
  if (asked === '' || asked === current) {
    return undefined;
  }
  return { code: 'CONFLICT', message: `The step '${asked}' is not the current one any more: the current policyStepId is '${current}'.` };
}

/** Refuses an action without the reason it needs. */
export function refuseBlank(comment: string, doing: string): Refusal | undefined {
  return comment.trim() === '' ? { code: 'INVALID_ARGUMENT', field: 'comment', message: `Say why: ${doing} needs a comment.` } : undefined;
}

/** Actions that answer a task's question, or undo an answer: people alone do it. The contract says the same of the operations. */
const answers: readonly ActionName[] = [
  'APPROVE',
  'APPROVE_UNTIL',
  'APPROVE_WITH_STEP_UP',
  'DENY',
  'RESTART',
  'HARD_RESET',
  'SKIP_STEP',
  'PROCESS_NOW',
  'CLOSE',
];

/** Refuses what actors of this kind or with these roles do to no task. */
function refuseActor(action: ActionName, actor: Actor): Refusal | undefined {
  if (!holds(actor, 'tasks.decide') && !isSystem(actor)) {
    return { code: 'PERMISSION_DENIED', message: 'The roles that you act with only read: they decide and change nothing.' };
  }
  const message = answers.includes(action) ? refuseAnswer(actor) : undefined;
  return message === undefined ? undefined : { code: 'PERMISSION_DENIED', message };
}

/** Refuses this actor this action on a task they see; undefined where they may. First who, then in which state. */
export function refuseAction(action: ActionName, actor: Actor, task: Task, now: Date): Refusal | undefined {
  const { who, when } = permitOf(action, task);
  return refuseActor(action, actor) ?? who(actor, task) ?? refuseTasksState(task.tasksState) ?? when(task, now);
}

const actionNames = Object.keys(permits) as readonly ActionName[];

/** Actions this actor can do to it now. */
export function listAllowedActions(actor: Actor, task: Task, now: Date): readonly ActionName[] {
  return actionNames.filter((action) => refuseAction(action, actor, task, now) === undefined);
}
