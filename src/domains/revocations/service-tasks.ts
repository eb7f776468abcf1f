/**
 * The contract's methods about tasks that know what removals are: deciding any task, trying a removal anew, and asking for one. Each calls one rule and
 * shapes the reply.
 */
import {
  TaskActionsService,
  TaskActionsServiceApproveResponseSchema,
  TaskActionsServiceDenyResponseSchema,
  TaskServiceActionResponseSchema,
} from '../../gen/c1/api/task/v1/task_actions_service_pb.js';
import { TaskService, TaskServiceCreateRevokeResponseSchema } from '../../gen/c1/api/task/v1/task_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { type BoundService, type Call, implementPart } from '../../wire/service.ts';
import type { Context } from '../../context.ts';
import { resolveTaskId, viewOne } from '../tasks/index.ts';
import { requestRemoval } from './create.ts';
import { decideAnyTask, retryTask } from './decide.ts';

const taskService = implementPart(TaskService, {
  async createRevokeTask(context, request, call) {
    const taskId = await requestRemoval(context, {
      appId: request.appId,
      entitlementId: request.appEntitlementId,
      accountId: request.appUserId,
      userId: request.identityUserId,
      description: request.description,
    });
    return shape(TaskServiceCreateRevokeResponseSchema, await viewOne(context, call, taskId, request.expandMask?.paths));
  },
});

/** What every action on a task is asked with. */
interface AskedOfTask {
  readonly taskId: string;
  readonly comment: string;
  readonly policyStepId: string;
}

/** Acts on a task, by its number or id, and answers with the task as it is then and the id of the action. */
async function act(
  context: Context,
  request: AskedOfTask & { readonly expandMask?: { readonly paths: readonly string[] } | undefined },
  call: Call,
  work: (asked: AskedOfTask) => Promise<string>,
) {
  const { comment, policyStepId } = request;
  const taskId = await resolveTaskId(context, request.taskId);
  const ticketActionId = await work({ taskId, comment, policyStepId });
  return { ...(await viewOne(context, call, taskId, request.expandMask?.paths)), ticketActionId };
}

const taskActionsService = implementPart(TaskActionsService, {
  approve: async (context, request, call) =>
    shape(
      TaskActionsServiceApproveResponseSchema,
      await act(context, request, call, (asked) => decideAnyTask(context, { ...asked, decision: 'APPROVE' })),
    ),
  deny: async (context, request, call) =>
    shape(
      TaskActionsServiceDenyResponseSchema,
      await act(context, request, call, (asked) => decideAnyTask(context, { ...asked, decision: 'DENY' })),
    ),
  retryProvisioning: async (context, request, call) =>
    shape(TaskServiceActionResponseSchema, await act(context, request, call, (asked) => retryTask(context, asked))),
});

/** The parts of the services about tasks that this module offers. */
export const taskParts: readonly BoundService[] = [taskService, taskActionsService];
