/**
 * Sample requests of the operations about what deleted reviews leave.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Makes a draft and deletes it; its id. */
async function makeDeleted(world: World): Promise<string> {
  const id = await world.makeDraft();
  await world.call(world.tenant.admin, 'DELETE', `/api/v1/access_review/${id}`, { reason: 'Sample' });
  return id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewTombstoneService.get': async (world) => ({ path: { access_review_id: await makeDeleted(world) } }),
  'ReviewTombstoneService.list': async (world) => {
    for (let count = 0; count < 12; count++) {
      await makeDeleted(world);
    }
    return {};
  },
};
