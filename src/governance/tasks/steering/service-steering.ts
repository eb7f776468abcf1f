/** The contract's methods that steer a task and decide nothing: each calls one rule and shapes the reply. */
import { TaskActionsService } from '../../../gen/c1/api/task/v1/task_actions_service_pb.js';
import { CertifyTaskService } from '../../../gen/countersign/v1/tasks_pb.js';
import { type BoundService, implementPart } from '../../../wire/service.ts';
import { refuseUnserved, resolveTaskId } from '../task/index.ts';
import { actOnTask, viewOne } from '../views/index.ts';
import { cancelTask } from './cancel.ts';
import { resetTask } from './hard-reset.ts';
import { processTask } from './process.ts';
import { reassignTask } from './reassign.ts';
import { remindTask } from './remind.ts';
import { restartTask } from './restart.ts';
import { searchReassignees } from './search-reassignees.ts';
import { skipStep } from './skip-step.ts';

const taskActionsService = implementPart(TaskActionsService, {
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
    const { comment } = request;
    const { ticketActionId: taskActionId, ...view } = await actOnTask(context, call, request, (taskId) =>
      cancelTask(context, { taskId, comment }),
    );
    return { ...view, taskActionId };
  },
  async processNow(context, request, call) {
    const { taskView, expanded } = await actOnTask(context, call, request, (taskId) => processTask(context, taskId));
    return { taskView, expanded };
  },
  async skipStep(context, request, call) {
    const { comment, policyStepId } = request;
    return actOnTask(context, call, request, (taskId) => skipStep(context, { taskId, comment, policyStepId }));
  },
  async reassign(context, request, call) {
    const { comment, policyStepId, newStepUserIds: newUserIds } = request;
    return actOnTask(context, call, request, (taskId) => reassignTask(context, { taskId, comment, policyStepId, newUserIds }));
  },
  async hardReset(context, request, call) {
    const { comment } = request;
    return actOnTask(context, call, request, (taskId) => resetTask(context, { taskId, comment }));
  },
  async restart(context, request, call) {
    const { comment, policyStepId } = request;
    return actOnTask(context, call, request, (taskId) => restartTask(context, { taskId, comment, policyStepId }));
  },
});

const certifyTaskService = implementPart(CertifyTaskService, {
  async searchReassignees(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const { people, nextKey } = await searchReassignees(context, { taskId, query: request.query }, call.page);
    return { list: people.map((person) => ({ reassignee: person })), nextPageToken: call.nextPageToken(nextKey) };
  },
  async remind(context, request, call) {
    const taskId = await resolveTaskId(context, request.taskId);
    const { actionId, ...people } = await remindTask(context, taskId);
    return { ...(await viewOne(context, call, taskId, request.expandMask?.paths)), ticketActionId: actionId, ...people };
  },
});

/** Steering tasks, as the contract offers it. */
export const steeringServices: readonly BoundService[] = [taskActionsService, certifyTaskService];
