/** The contract's methods that answer a task: deciding it, trying a removal anew, commenting. Each calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { TaskActionsService } from '../../../gen/c1/api/task/v1/task_actions_service_pb.js';
import { CertifyTaskService } from '../../../gen/countersign/v1/tasks_pb.js';
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { type BoundService, implementPart } from '../../../wire/service.ts';
import { actOnTask } from '../views/index.ts';
import { commentOnTask } from './comment.ts';
import { decideTask } from './decide.ts';
import type { Decision, FollowRemoval } from './decision.ts';
import { retryRemovalTask } from './removal-steps.ts';

/** Decisions as the contract offers them; `follow` moves the removals that they are about. */
export function createDecisionServices(follow: FollowRemoval): readonly BoundService[] {
  const decide = async (context: Context, decision: Decision): Promise<string> => (await decideTask(context, decision, follow)).actionId;
  const taskActionsService = implementPart(TaskActionsService, {
    async approve(context, request, call) {
      const { comment, policyStepId } = request;
      return actOnTask(context, call, request, (taskId) => decide(context, { taskId, comment, policyStepId, decision: 'APPROVE' }));
    },
    async deny(context, request, call) {
      const { comment, policyStepId } = request;
      return actOnTask(context, call, request, (taskId) => decide(context, { taskId, comment, policyStepId, decision: 'DENY' }));
    },
    async retryProvisioning(context, request, call) {
      const { comment, policyStepId } = request;
      return actOnTask(context, call, request, (taskId) => retryRemovalTask(context, { taskId, comment, policyStepId }, follow));
    },
    async comment(context, request, call) {
      const { taskView, expanded } = await actOnTask(context, call, request, (taskId) => commentOnTask(context, taskId, request.comment));
      return { taskView, expanded };
    },
  });
  const certifyTaskService = implementPart(CertifyTaskService, {
    async approveUntil(context, request, call) {
      const { comment, policyStepId } = request;
      if (request.certifyUntil === undefined) {
        throw invalidField('certifyUntil', 'must say until when');
      }
      const certifyUntil = timestampDate(request.certifyUntil);
      return actOnTask(context, call, request, (taskId) =>
        decide(context, { taskId, comment, policyStepId, certifyUntil, decision: 'APPROVE' }),
      );
    },
  });
  return [taskActionsService, certifyTaskService];
}
