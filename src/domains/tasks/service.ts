/**
 * The contract's methods about tasks: TaskService, TaskActionsService and CertifyTaskService, but for those that know what removals are. Each calls one
 * rule and shapes the reply.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  TaskActionsService,
  TaskActionsServiceCloseResponseSchema,
  TaskActionsServiceCommentResponseSchema,
  TaskActionsServiceProcessNowResponseSchema,
  TaskActionsServiceReassignResponseSchema,
  TaskActionsServiceHardResetResponseSchema,
  TaskActionsServiceRestartResponseSchema,
  TaskServiceActionResponseSchema,
} from '../../gen/c1/api/task/v1/task_actions_service_pb.js';
import {
  TaskAuditListResponseSchema,
  TaskSearchResponseSchema,
  TaskService,
  TaskServiceGetResponseSchema,
} from '../../gen/c1/api/task/v1/task_service_pb.js';
import {
  CertifyTaskService,
  CertifyTaskServiceApproveUntilResponseSchema,
  CertifyTaskServiceRemindResponseSchema,
  CertifyTaskServiceSearchReassigneesResponseSchema,
  ReassigneeSchema,
  ReassigneeViewSchema,
} from '../../gen/countersign/v1/tasks_pb.js';
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, type Call, implement, implementPart } from '../../wire/service.ts';
import { listAudits } from './audits.ts';
import { cancelTask } from './cancel.ts';
import { commentOnTask } from './comment.ts';
import { decideTask } from './decide.ts';
import { getTask, resolveTaskId } from './get-task.ts';
import { processTask, refuseUnserved } from './process.ts';
import { reassignTask } from './reassign.ts';
import { remindTask } from './remind.ts';
import { resetTask } from './hard-reset.ts';
import { restartTask } from './restart.ts';
import { searchReassignees } from './search-reassignees.ts';
import { searchTasks } from './search.ts';
import { skipStep } from './skip-step.ts';
import { viewTasks } from './view.ts';

/** The task as it stands after an action, with what was asked to be expanded. */
export async function viewOne(context: Context, call: Call, taskId: string, requested: readonly string[] | undefined) {
  const { views, expanded } = await viewTasks(context, call, [await getTask(context, taskId)], requested);
  return { taskView: views[0], expanded };
}

const taskService = implementPart(TaskService, {
  async get(context, request, call) {
    return shape(TaskServiceGetResponseSchema, await viewOne(context, call, await resolveTaskId(context, request.id), undefined));
  },
  async search(context, request, call) {
    const { tasks, nextKey } = await searchTasks(context, request, call.page);
    const { views, expanded } = await viewTasks(context, call, tasks, request.expandMask?.paths);
    return shape(TaskSearchResponseSchema, { list: views, expanded, nextPageToken: call.nextPageToken(nextKey) });
  },
  async list(context, request, call) {
    const { commentsOnly, newestFirst } = request;
    const taskId = await resolveTaskId(context, request.taskId);
    const { audits, nextKey } = await listAudits(
      context,
      { taskId, commentsOnly, newestFirst, refs: request.refs.map((ref) => ref.id) },
      call.page,
    );
    return shape(TaskAuditListResponseSchema, { list: audits, nextPageToken: call.nextPageToken(nextKey) });
  },
});

const taskActionsService = implementPart(TaskActionsService, {
  async approveWithStepUp(context, request) {
    return refuseUnserved(context, 'APPROVE_WITH_STEP_UP', await resolveTaskId(context, request.taskId));
  },
  async escalateToEmergencyAccess(context, request) {
    return refuseUnserved(context, 'ESCALATE_TO_EMERGENCY_ACCESS', await resolveTaskId(context, request.taskId));
  },
  async updateRequestData(context, request) {
    return refuseUnserved(context, 'UPDATE_REQUEST_DATA', await resolveTaskId(context, request.taskId));
  },
  async updateGrantDuration(context, request) {
    return refuseUnserved(context, 'UPDATE_GRANT_DURATION', await resolveTaskId(context, request.taskId));
  },
  async close(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const taskActionId = await cancelTask(context, { taskId, comment: request.comment });
    return shape(TaskActionsServiceCloseResponseSchema, {
      ...(await viewOne(context, call, taskId, request.expandMask?.paths)),
      taskActionId,
    });
  },
  async processNow(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    await processTask(context, taskId);
    return shape(TaskActionsServiceProcessNowResponseSchema, await viewOne(context, call, taskId, request.expandMask?.paths));
  },
  async skipStep(context, request, call) {
    const { comment, policyStepId } = request;
    const taskId = await resolveTaskId(context, request.taskId);
    const ticketActionId = await skipStep(context, { taskId, comment, policyStepId });
    return shape(TaskServiceActionResponseSchema, { ...(await viewOne(context, call, taskId, request.expandMask?.paths)), ticketActionId });
  },
  async comment(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    await commentOnTask(context, taskId, request.comment);
    return shape(TaskActionsServiceCommentResponseSchema, await viewOne(context, call, taskId, request.expandMask?.paths));
  },
  async reassign(context, request, call) {
    const { comment, policyStepId, newStepUserIds } = request;
    const taskId = await resolveTaskId(context, request.taskId);
    const actionId = await reassignTask(context, { taskId, comment, policyStepId, newUserIds: newStepUserIds });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceReassignResponseSchema, { ...view, ticketActionId: actionId });
  },
  async hardReset(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const ticketActionId = await resetTask(context, { taskId, comment: request.comment });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceHardResetResponseSchema, { ...view, ticketActionId });
  },
  async restart(context, request, call) {
    const { comment, policyStepId } = request;
    const taskId = await resolveTaskId(context, request.taskId);
    const actionId = await restartTask(context, { taskId, comment, policyStepId });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceRestartResponseSchema, { ...view, ticketActionId: actionId });
  },
});

const certifyTaskService = implement(CertifyTaskService, {
  async approveUntil(context, request, call) {
    const { comment, policyStepId } = request;
    if (request.certifyUntil === undefined) {
      throw invalidField('certifyUntil', 'must say until when');
    }
    const certifyUntil = timestampDate(request.certifyUntil);
    const taskId = await resolveTaskId(context, request.taskId);
    const { actionId } = await decideTask(context, { taskId, comment, policyStepId, certifyUntil, decision: 'APPROVE' });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(CertifyTaskServiceApproveUntilResponseSchema, { ...view, ticketActionId: actionId });
  },
  async searchReassignees(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const { people, nextKey } = await searchReassignees(context, { taskId, query: request.query }, call.page);
    return shape(CertifyTaskServiceSearchReassigneesResponseSchema, {
      list: people.map((person) => shape(ReassigneeViewSchema, { reassignee: shape(ReassigneeSchema, person) })),
      nextPageToken: call.nextPageToken(nextKey),
    });
  },
  async remind(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const ticketActionId = await remindTask(context, taskId);
    return shape(CertifyTaskServiceRemindResponseSchema, {
      ...(await viewOne(context, call, taskId, request.expandMask?.paths)),
      ticketActionId,
    });
  },
});

/** Tasks as the contract offers them. */
export const taskServices: readonly BoundService[] = [taskService, taskActionsService, certifyTaskService];
