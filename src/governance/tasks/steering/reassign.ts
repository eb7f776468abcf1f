/**
 * Handing a task to other people: who may, to whom, and what is kept of it.
 */
import { AppError, type FieldViolation, invalidField, refuseInvalid } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { listUsersByIds } from '../../../foundation/directory/index.ts';
import { insertAssignment, listBarred } from '../policy-engine/index.ts';
import {
  type ChangeEvent,
  changeTask,
  getTask,
  type Refusal,
  refusalError,
  refuseAction,
  refuseStep,
  readApprovalAt,
  lockTask,
  type TaskChange,
  stepId,
  type Task,
} from '../task/index.ts';
import { checkComment } from '../decisions/index.ts';

/** The request: to whom, why, and which step is meant (empty for the current one). */
export interface Reassignment {
  readonly taskId: string;
  readonly newUserIds: readonly string[];
  readonly comment: string;
  readonly policyStepId: string;
}

/** Most people a task can be assigned to manually. */
const maxReassignees = 100;

function refuseReassignment(context: Context, task: Task, asked: Reassignment): Refusal | undefined {
  const refusal = refuseAction('REASSIGN', context.actor, task, context.now) ?? refuseStep(task, asked.policyStepId);
  if (refusal !== undefined) {
    return refusal;
  }
  if (readApprovalAt(task.policyDocument, task.step).requireReassignmentReason && asked.comment.trim() === '') {
    return {
      code: 'INVALID_ARGUMENT',
      field: 'comment',
      message: 'The policy of this task requires a reason for reassigning: comment must not be empty.',
    };
  }
  return undefined;
}

/** Refuses people a task must not go to, each named by its place in the request. */
async function checkReassignees(context: Context, task: Task, userIds: readonly string[]): Promise<void> {
  const allowed = readApprovalAt(task.policyDocument, task.step).allowedReassignees;
  const users = await listUsersByIds(context, userIds);
  const [barred] = await listBarred(context, [{ task, step: task.step }], allowed);
  const violations: FieldViolation[] = [];
  userIds.forEach((userId, index) => {
    const user = users.get(userId);
    const wrong =
      user === undefined || user.status === 'DELETED'
        ? 'no person has this id'
        : user.status !== 'ENABLED'
          ? 'this person is disabled'
          : user.employmentStatus === 'TERMINATED'
            ? 'this person has left'
            : user.userType === 'SERVICE'
              ? 'this is a service principal, which is never asked to review'
              : barred?.ownIds.includes(userId)
                ? userId === task.userId
                  ? 'this is the person whose access is reviewed, and the policy does not allow self-review'
                  : 'the person whose access is reviewed was merged into this person, who cannot review their own access'
                : allowed.length > 0 && !allowed.some((id) => barred?.byNow(id) === userId)
                  ? 'the policy of this task allows reassignment to certain people only, and this person is not among them'
                  : barred?.former.includes(userId)
                    ? 'this person approved an earlier step, and the policy of this task wants different people'
                    : undefined;
    if (wrong !== undefined) {
      violations.push({ field: `newStepUserIds[${index}]`, description: wrong });
    }
  });
  refuseInvalid(violations);
}

/**
 * Assigns the current step to other people instead; it becomes a new step, so that a decision about the old one is refused. Returns the
 * id of the action. 400 names each person it must not go to; 403, 404 and 409 as for a decision.
 */
export async function reassignTask(context: Context, asked: Reassignment): Promise<string> {
  const userIds = [...new Set(asked.newUserIds)];
  if (userIds.length === 0 || userIds.length > maxReassignees) {
    throw invalidField('newStepUserIds', `must name 1 to ${maxReassignees} people`);
  }
  checkComment(asked.comment);
  return inTransaction(context, async (inner) => {
    await lockTask(inner, asked.taskId);
    const task = await getTask(inner, asked.taskId);
    const refusal = refuseReassignment(inner, task, asked);
    if (refusal !== undefined) {
      throw refusalError(refusal);
    }
    await checkReassignees(inner, task, asked.newUserIds);
    const assignmentId = await insertAssignment(inner, task.reviewId, userIds.toSorted(), 'REASSIGNED', false);
    const stepGeneration = task.stepGeneration + 1;
    const action = {
      id: newId(inner.now),
      kind: 'REASSIGNED' as const,
      step: task.step,
      stepGeneration: task.stepGeneration,
      comment: asked.comment,
      data: { assignmentId: task.assignmentId, newUserIds: userIds, newStepId: stepId(task.id, stepGeneration) },
    };
    const change: TaskChange = {
      step: task.step,
      stepGeneration,
      assignmentId,
      state: 'OPEN',
      outcome: '',
      endReason: '',
      decidedById: null,
      decidedIssuerId: null,
      endedAt: null,
    };
    const event: ChangeEvent = {
      kind: 'task.reassigned',
      data: {
        reviewId: task.reviewId,
        actionId: action.id,
        oldUserIds: task.assigneeIds,
        newUserIds: userIds,
        newPolicyStepId: action.data.newStepId,
      },
    };
    if (!(await changeTask(inner, task, change, [action], event))) {
      throw new AppError('CONFLICT', 'The review is being closed at the same time. Read the task again.');
    }
    return action.id;
  });
}
