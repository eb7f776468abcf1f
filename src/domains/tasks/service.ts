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
import type { Scope } from '../../scope.ts';
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
async function viewOne(scope: Scope, call: Call, taskId: string, requested: readonly string[] | undefined) {
  const { views, expanded } = await viewTasks(scope, call, [await getTask(scope, taskId)], requested);
  return { taskView: views[0], expanded };
}

const taskService = implement(TaskService, {
  async get(scope, request, call) {
    return shape(TaskServiceGetResponseSchema, await viewOne(scope, call, request.id, undefined));
  },
  async search(scope, request, call) {
    const { tasks, nextKey } = await searchTasks(scope, request, call.page);
    const { views, expanded } = await viewTasks(scope, call, tasks, request.expandMask?.paths);
    return shape(TaskSearchResponseSchema, { list: views, expanded, nextPageToken: call.nextPageToken(nextKey) });
  },
  async list(scope, request, call) {
    const { taskId, commentsOnly, newestFirst } = request;
    const { audits, nextKey } = await listAudits(
      scope,
      { taskId, commentsOnly, newestFirst, refs: request.refs.map((ref) => ref.id) },
      call.page,
    );
    return shape(TaskAuditListResponseSchema, { list: audits, nextPageToken: call.nextPageToken(nextKey) });
  },
});

const taskActionsService = implement(TaskActionsService, {
  async approve(scope, request, call) {
    const { taskId, comment, policyStepId } = request;
    const { actionId } = await decideTask(scope, { taskId, comment, policyStepId, decision: 'APPROVE' });
    const view = await viewOne(scope, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceApproveResponseSchema, { ...view, ticketActionId: actionId });
  },
  async deny(scope, request, call) {
    const { taskId, comment, policyStepId } = request;
    const { actionId } = await decideTask(scope, { taskId, comment, policyStepId, decision: 'DENY' });
    const view = await viewOne(scope, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceDenyResponseSchema, { ...view, ticketActionId: actionId });
  },
  async comment(scope, request, call) {
    await commentOnTask(scope, request.taskId, request.comment);
    return shape(TaskActionsServiceCommentResponseSchema, await viewOne(scope, call, request.taskId, request.expandMask?.paths));
  },
  async reassign(scope, request, call) {
    const { taskId, comment, policyStepId, newStepUserIds } = request;
    const actionId = await reassignTask(scope, { taskId, comment, policyStepId, newUserIds: newStepUserIds });
    const view = await viewOne(scope, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceReassignResponseSchema, { ...view, ticketActionId: actionId });
  },
  async restart(scope, request, call) {
    const { taskId, comment, policyStepId } = request;
    const actionId = await restartTask(scope, { taskId, comment, policyStepId });
    const view = await viewOne(scope, call, taskId, request.expandMask?.paths);
    return shape(TaskActionsServiceRestartResponseSchema, { ...view, ticketActionId: actionId });
  },
});

/** Tasks as the contract offers them. */
export const taskServices: readonly BoundService[] = [taskService, taskActionsService];
