/**
 * Sample requests of the operations about roll-forwards: from the open review of a World, which asks about everything, to one that asks about less.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Makes the later review and its roll-forward; the review's id. */
async function make(world: World): Promise<string> {
  const ask = (method: string, path: string, body?: object) =>
    world.call(world.tenant.admin, method, `/api/v1/access_review/${path}`, body);
  const id = await world.makeDraft();
  await ask('POST', id, {
    accessReview: { scopeV2: { grantsByCriteria: { daysSinceLastUsed: '1' }, selectedUsers: { userIds: [world.userId] } } },
  });
  await ask('POST', `${id}/action/prepare`, {});
  await world.until(id, 'REVIEW');
  await ask('POST', `${id}/roll_forward`, { firstAccessReviewId: world.openId });
  for (let attempt = 0; attempt < 2400; attempt++) {
    const { body } = await ask('GET', `${id}/roll_forward`);
    if (body.rollForward.state === 'ROLL_FORWARD_STATE_DONE') {
      // Once it was started its reviewers know of it.
      await ask('POST', `${id}/action/start`, {});
      await world.until(id, 'OPEN');
      return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the roll-forward was not made');
}

const ofLater: MakeSample = (world) => ({ path: { access_review_id: world.notes['rolledForward'] ?? '' } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'RollForwardService.create': async (world) => ({
    // One of its own: while it is made anew, nobody reads it.
    path: { access_review_id: await make(world) },
    fields: { firstAccessReviewId: world.openId },
  }),
  'RollForwardService.get': ofLater,
  'RollForwardService.listLines': ofLater,
};

/** One that everybody reads. */
export async function fill(world: World): Promise<void> {
  world.notes['rolledForward'] = await make(world);
}
