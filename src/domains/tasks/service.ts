/**
 * The contract's methods about tasks: TaskService and TaskActionsService. Each calls one rule and shapes the reply.
 */
import {
  TaskActionsService,
  TaskActionsServiceApproveResponseSchema,
  TaskActionsServiceCommentResponseSchema,
  TaskActionsServiceDenyResponseSchema,
  TaskActionsServiceReassignResponseSchema,
  TaskActionsServiceRestartResponseSchema,
} from '../../gen/c1/api/task/v1/task_actions_service_pb.js';
import {
  TaskAuditListResponseSchema,
  TaskSearchResponseSchema,
  TaskService,
  TaskServiceGetResponseSchema,
} from '../../gen/c1/api/task/v1/task_service_pb.js';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, type Call, implement } from '../../wire/service.ts';
import { listAudits } from './audits.ts';
import { commentOnTask } from './comment.ts';
import { decideTask } from './decide.ts';
import { getTask } from './get-task.ts';
import { reassignTask } from './reassign.ts';
import { restartTask } from './restart.ts';
import { searchTasks } from './search.ts';
import { viewTasks } from './view.ts';

/** The task as it stands after an action, with what was asked to be expanded. */
async function viewOne(context: Context, call: Call, taskId: string, requested: readonly string[] | undefined) {
  const { views, expanded } = await viewTasks(context, call, [await getTask(context, taskId)], requested);
  return { taskView: views[0], expanded };
}

const taskService = implement(TaskService, {
  async get(context, request, call) {
    return shape(TaskServiceGetResponseSchema, await viewOne(context, call, request.id, undefined));
  },
  async search(context, request, call) {
    const { tasks, nextKey } = await searchTasks(context, request, call.page);
    const { views, expanded } = await viewTasks(context, call, tasks, request.expandMask?.paths);
    return shape(TaskSearchResponseSchema, { list: views, expanded, nextPageToken: call.nextPageToken(nextKey) });
  },
  async list(context, request, call) {
    const { taskId, commentsOnly, newestFirst } = request;
    const { audits, nextKey } = await listAudits(
      context,
      { taskId, commentsOnly, newestFirst, refs: request.refs.map((ref) => ref.id) },
      call.page,
    );
    return shape(TaskAuditListResponseSchema, { list: audits, nextPageToken: call.nextPageToken(nextKey) });
  },
});

const taskActionsService = implement(TaskActionsService, {
  async approve(context, request, call) {
    const { taskId, comment, policyStepId } = request;
    const { actionId } = await decideTask(context, { taskId, comment, policyStepId, decision: 'APPROVE' });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceApproveResponseSchema, { ...view, ticketActionId: actionId });
  },
  async deny(context, request, call) {
    const { taskId, comment, policyStepId } = request;
    const { actionId } = await decideTask(context, { taskId, comment, policyStepId, decision: 'DENY' });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceDenyResponseSchema, { ...view, ticketActionId: actionId });
  },
  async comment(context, request, call) {
    await commentOnTask(context, request.taskId, request.comment);
    return shape(TaskActionsServiceCommentResponseSchema, await viewOne(context, call, request.taskId, request.expandMask?.paths));
  },
  async reassign(context, request, call) {
    const { taskId, comment, policyStepId, newStepUserIds } = request;
    const actionId = await reassignTask(context, { taskId, comment, policyStepId, newUserIds: newStepUserIds });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceReassignResponseSchema, { ...view, ticketActionId: actionId });
  },
  async restart(context, request, call) {
    const { taskId, comment, policyStepId } = request;
    const actionId = await restartTask(context, { taskId, comment, policyStepId });
    const view = await viewOne(context, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceRestartResponseSchema, { ...view, ticketActionId: actionId });
  },
});

/** Tasks as the contract offers them. */
export const taskServices: readonly BoundService[] = [taskService, taskActionsService];
