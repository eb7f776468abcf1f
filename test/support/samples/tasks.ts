/**
 * Sample requests of the actions on tasks that came after approve and deny. Each that changes a task takes one of its own.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const own =
  (fields: object = {}): MakeSample =>
  (world) => ({ path: { task_id: world.taskIds.pop() ?? '' }, fields: { ...fields } });
const last =
  (fields: object = {}): MakeSample =>
  (world) => ({ path: { task_id: world.taskIds.at(-1) ?? '' }, fields: { ...fields } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'TaskActionsService.approveWithStepUp': last(),
  'TaskActionsService.close': own({ comment: 'Asked by mistake' }),
  'TaskActionsService.escalateToEmergencyAccess': last(),
  'TaskActionsService.processNow': last(),
  'TaskActionsService.retryProvisioning': last(),
  'TaskActionsService.skipStep': own({ comment: 'Nobody is left to ask' }),
  'TaskActionsService.updateGrantDuration': last({ duration: '3600s' }),
  'TaskActionsService.updateRequestData': last({ data: { reason: 'Changed' } }),
  'CertifyTaskService.approveUntil': (world) => ({
    path: { task_id: world.taskIds.pop() ?? '' },
    fields: { certifyUntil: new Date(Date.now() + 90 * 86_400_000).toISOString() },
  }),
  'CertifyTaskService.remind': own(),
  'CertifyTaskService.searchReassignees': last(),
  'PendingDecisionService.listPendingDecisions': (world) => ({ path: { access_review_id: world.openId } }),
  'ReviewQueueService.readQueue': (world) => ({ path: { access_review_id: world.openId } }),
  'PendingDecisionService.setPendingDecisions': (world) => ({ path: { access_review_id: world.openId }, fields: { decisions: [] } }),
};

/** Eleven staged decisions of the administrator, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  const decisions = world.taskIds.slice(0, 11).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' }));
  await world.call(world.tenant.admin, 'PUT', `/api/v1/access_review/${world.openId}/pending_decisions`, { decisions });
}

/** They are about requests, removals and step-up, of which there are none. */
export const refused: readonly string[] = [
  'TaskActionsService.approveWithStepUp',
  'TaskActionsService.escalateToEmergencyAccess',
  'TaskActionsService.retryProvisioning',
  'TaskActionsService.updateGrantDuration',
  'TaskActionsService.updateRequestData',
];
