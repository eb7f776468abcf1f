/**
 * Sample requests of the operations about what a review rests on: reminders, the age of its data, and who acknowledges its decisions.
 */
import type { TestPerson } from '../server.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** The id of a review that is said to be open and that this person may acknowledge: named in it, and nobody decided there. */
async function makeAcknowledgeable(world: World, person: TestPerson): Promise<string> {
  const { admin } = world.tenant;
  const id = await world.makeReviewIn('OPEN');
  await world.call(admin, 'PUT', `/api/v1/access_review/${id}/acknowledgement`, {
    userIds: [person.id === admin.id ? admin.id : world.logReader.id],
  });
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
  'ReviewActionsService.acknowledge': async (world, person) => ({ path: { access_review_id: await makeAcknowledgeable(world, person) } }),
  'ReviewAccuracyService.getAccuracy': (world) => ({ path: { access_review_id: world.openId } }),
  'ReviewAcknowledgementService.getAcknowledgement': (world) => ({ path: { access_review_id: world.openId } }),
  'ReviewAcknowledgementService.setAcknowledgement': async (world) => ({
    path: { access_review_id: await world.makeDraft() },
    fields: { required: true, userIds: [world.userId] },
  }),
};
