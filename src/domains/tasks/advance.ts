/**
 * Entering a step of a task's frozen policy: who is asked there, or how the task ends because nothing is asked any more.
 * Whether somebody may decide the step before it is decide.ts's question.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { assignTaskToStep } from './assign.ts';
import { readStepAt } from './policy-steps.ts';
import type { TaskRow } from './task.ts';

/** Where a task stands after a step was entered. */
export type Entered =
  | { readonly state: 'OPEN'; readonly step: number; readonly assignmentId: string | null }
  | {
      readonly state: 'CLOSED';
      readonly outcome: 'CERTIFIED' | 'DECERTIFIED';
      /** Set where a step of the policy ended it, rather than the last approval. */
      readonly byPolicy?: { readonly message: string };
    };

/**
 * Enters the step at `index`: behind the last one the task is certified; accept and reject steps end it by themselves. Nobody to ask is
 * no end: the task stays open for the managers of its review. FAILED_PRECONDITION where the policy holds a step we cannot carry out.
 */
export async function enterStep(context: Context, task: TaskRow, index: number): Promise<Entered> {
  const step = readStepAt(task.policyDocument, index);
  if (step === undefined) {
    // A policy without any step asks somebody all the same: nothing is certified that nobody looked at.
    return index === 0
      ? { state: 'OPEN', step: 0, assignmentId: await assignTaskToStep(context, task, 0) }
      : { state: 'CLOSED', outcome: 'CERTIFIED' };
  }
  switch (step.kind) {
    case 'approval':
      return { state: 'OPEN', step: index, assignmentId: await assignTaskToStep(context, task, index) };
    case 'accept':
      return { state: 'CLOSED', outcome: 'CERTIFIED', byPolicy: { message: step.message } };
    case 'reject':
      return { state: 'CLOSED', outcome: 'DECERTIFIED', byPolicy: { message: step.message } };
    case 'unsupported':
      throw new AppError(
        'FAILED_PRECONDITION',
        `The policy of this task continues with a step of kind '${step.name}', which is not supported.`,
      );
  }
}
