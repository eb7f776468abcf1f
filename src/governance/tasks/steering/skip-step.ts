/**
 * Skipping the current step of a task. A skip never certifies: behind the last step a task counts as certified only where a person approved an
 * earlier one; else it is cancelled, and says so.
 */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { checkComment } from '../decisions/index.ts';
import { runAction, throwRefusal, refuseBlank, refuseStep, type NewAction, stepId } from '../task/index.ts';
import { moveOn } from '../policy-engine/index.ts';

/**
 * Skips the current step and returns the id of the action. 403 for all but owners and Super Administrators, and for their own access; 409 where
 * another step is current; 400 without a comment, for a closed task, or while the review is not open.
 */
export async function skipStep(context: Context, asked: { taskId: string; comment: string; policyStepId: string }): Promise<string> {
  checkComment(asked.comment);
  return runAction(context, asked.taskId, 'SKIP_STEP', async (inner, task) => {
    throwRefusal(refuseStep(task, asked.policyStepId) ?? refuseBlank(asked.comment, 'skipping a step'));
    const { change, behind } = await moveOn(inner, task);
    const newStepId = stepId(task.id, change.stepGeneration);
    const skipped: NewAction = {
      id: newId(inner.now),
      kind: 'SKIPPED',
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: asked.comment,
      data: {
        assignmentId: task.assignmentId,
        ...(change.state === 'OPEN' ? { newStepId } : {}),
        ...(change.state === 'CLOSED' && !behind.some(({ kind }) => kind === 'ENDED')
          ? { outcome: change.outcome, reason: change.endReason }
          : {}),
      },
    };
    const data = {
      reviewId: task.reviewId,
      actionId: skipped.id,
      policyStepId: stepId(task.id, task.stepGeneration),
      outcome: change.outcome,
    };
    return { change, actions: [skipped, ...behind], event: { kind: 'task.step_skipped', data } };
  });
}
