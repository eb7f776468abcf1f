/**
 * Sample requests of the operations about what a review rests on: reminders, the age of its data, and who acknowledges its decisions.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** The open review, which one of its people may acknowledge; of worlds without such people, a review that names the administrator. */
async function makeAcknowledgeable(world: World): Promise<string> {
  if (world.acknowledger !== undefined) {
    return world.openId;
  }
  const { admin } = world.tenant;
  const id = await world.makeReviewIn('OPEN');
  await world.call(admin, 'PUT', `/api/v1/access_review/${id}/acknowledgement`, { userIds: [admin.id] });
  return id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewActionsService.remind': async (world) => {
    await world.tenant
      .system()
      .db.run('UPDATE reviews SET reminded_at = NULL WHERE tenant_id = $1 AND id = $2', [world.tenant.id, world.openId]);
    return { path: { access_review_id: world.openId } };
  },
  'ReviewActionsService.acknowledge': async (world) => ({ path: { access_review_id: await makeAcknowledgeable(world) } }),
  'ReviewAccuracyService.getAccuracy': (world) => ({ path: { access_review_id: world.openId } }),
  'ReviewAcknowledgementService.getAcknowledgement': (world) => ({ path: { access_review_id: world.openId } }),
  'ReviewAcknowledgementService.setAcknowledgement': async (world) => ({
    path: { access_review_id: await world.makeDraft() },
    fields: { required: true, userIds: [world.userId] },
  }),
};
