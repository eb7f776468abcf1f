/**
 * Entering a step of a task's frozen policy: who is asked there, what is waited for, or how the task ends because nothing is asked any more.
 * Whether somebody may decide the step before it is decide.ts's question.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { assignTasksToSteps } from './assign.ts';
import {
  callTimers,
  type ApprovalStep,
  readStepAt,
  type Step,
  type WaitStep,
  type Moment,
  type NewAction,
  currentDecisions,
  type EndReason,
  type PastAction,
  type TaskOutcome,
  type Task,
} from '../task/index.ts';
import { beginWaits } from './wait.ts';

/** State of a task after a step was entered. */
export type Entered =
  | {
      readonly state: 'OPEN';
      readonly step: number;
      readonly assignmentId: string | null;
      readonly moment: Moment;
      /** Notes beside whatever led here. */
      readonly notes: readonly NewAction[];
    }
  | {
      readonly state: 'CLOSED';
      readonly outcome: TaskOutcome;
      readonly endReason: EndReason;
      /** Set where a step of the policy ended it, rather than the last approval. */
      readonly byPolicy?: { readonly message: string };
      readonly notes: readonly NewAction[];
    };

/** A task and the step of its policy that it enters. */
export interface Entry {
  readonly task: Task;
  readonly index: number;
}

/** The step behind the current one, which the actor has just approved. */
export function nextEntry(context: Context, task: Task): Entry {
  const { step, stepGeneration } = task;
  const { userId: actorId, issuerId } = context.actor;
  const createdAt = context.now.toISOString();
  const approved: PastAction = { id: '', kind: 'APPROVED', step, stepGeneration, actorId, issuerId, data: {}, createdAt };
  return { task: { ...task, history: [...task.history, approved] }, index: step + 1 };
}

/** Enters one step: see `enterSteps`. */
export async function enterStep(context: Context, task: Task, index: number): Promise<Entered> {
  const [entered] = await enterSteps(context, [{ task, index }]);
  if (entered === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `task ${task.id} entered no step` });
  }
  return entered;
}

/** Notes an action there: the step that is entered, under the id that it will have. */
function noteAt(context: Context, task: Task, step: number, comment: string): NewAction[] {
  const note = { step, stepGeneration: task.stepGeneration + 1, comment, data: { bySystem: true } };
  return comment === '' ? [] : [{ id: newId(context.now), kind: 'COMMENTED', ...note }];
}

const neverAgain: Moment = { nextAt: null, enteredAt: null };

/** Ends at a step that neither asks anybody nor waits. */
function endAt(entry: Entry, step: Exclude<Step, WaitStep | ApprovalStep> | undefined): Entered {
  if (step?.kind === 'unsupported') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The policy of this task continues with a step of kind '${step.name}', which is not supported.`,
    );
  }
  if (step === undefined) {
    return { state: 'CLOSED', ...endOf(entry.task), notes: [] };
  }
  const outcome = step.kind === 'accept' ? 'CERTIFIED' : 'DECERTIFIED';
  return { state: 'CLOSED', outcome, endReason: 'DECIDED', byPolicy: { message: step.message }, notes: [] };
}

/** A task that a step asks people about. */
interface Asking extends Entry {
  readonly place: number;
  readonly nextAt: Date | null;
}

/**
 * Enters steps, in a few statements however many they are: behind the last one a task is certified, if a person approved it; accept and reject
 * steps end it by themselves; a wait for what is the case already is passed. Nobody to ask is no end: the task stays open for the managers of its
 * review. What is answered is in the order of the entries. FAILED_PRECONDITION, and nothing is written, where a policy holds a step we cannot
 * carry out.
 */
export async function enterSteps(context: Context, entries: readonly Entry[]): Promise<readonly Entered[]> {
  const entered: Entered[] = [];
  const asking: Asking[] = [];
  let moving = entries.map((entry, place) => ({ ...entry, place }));
  // Each round is one step further: only a wait that is over at once leads to another.
  while (moving.length > 0) {
    const waiting: (Entry & { readonly place: number; readonly step: WaitStep })[] = [];
    for (const one of moving) {
      const step = readStepAt(one.task.policyDocument, one.index);
      if (step?.kind === 'wait') {
        waiting.push({ ...one, step });
      } else if (step?.kind === 'approval') {
        const { escalation } = step;
        asking.push({ ...one, nextAt: escalation === undefined ? null : new Date(context.now.getTime() + escalation.afterSeconds * 1000) });
      } else if (step === undefined && one.index === 0) {
        // A policy without any step asks somebody all the same: nothing is certified that nobody looked at.
        asking.push({ ...one, nextAt: null });
      } else {
        entered[one.place] = endAt(one, step);
      }
    }
    const moments = await beginWaits(context, waiting);
    moving = waiting.flatMap(({ task, index, place, step }, at) => {
      const nextAt = moments[at];
      if (nextAt === undefined) {
        return [{ task, place, index: index + 1 }];
      }
      const moment = { nextAt, enteredAt: context.now };
      entered[place] = { state: 'OPEN', step: index, assignmentId: null, moment, notes: noteAt(context, task, index, step.firstComment) };
      return [];
    });
  }
  const assignmentIds = await assignTasksToSteps(
    context,
    asking.map(({ task, index }) => ({ task, step: index })),
  );
  for (const [at, { place, index, nextAt }] of asking.entries()) {
    const moment = nextAt === null ? neverAgain : { nextAt, enteredAt: context.now };
    entered[place] = { state: 'OPEN', step: index, assignmentId: assignmentIds[at] ?? null, moment, notes: [] };
  }
  await callForMoments(context, entered);
  return entered;
}

/** Calls for the job of timers at the first of the moments: it calls for the others itself. */
async function callForMoments(context: Context, entered: readonly Entered[]): Promise<void> {
  const moments = entered.flatMap((one) => (one.state === 'OPEN' ? (one.moment.nextAt?.getTime() ?? []) : []));
  if (moments.length > 0) {
    await callTimers(context, new Date(moments.reduce((first, moment) => Math.min(first, moment))));
  }
}

function endOf(task: Task): { outcome: TaskOutcome; endReason: EndReason } {
  const isApproved = currentDecisions(task).some(({ kind }) => kind === 'APPROVED');
  return isApproved ? { outcome: 'CERTIFIED', endReason: 'DECIDED' } : { outcome: 'CANCELLED', endReason: 'STEP_SKIPPED' };
}
