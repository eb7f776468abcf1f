/** Sample requests of the operations about samples and walkthroughs: in the open review of a World. */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'WalkthroughService.drawSample': (world) => ({ path: { access_review_id: world.openId }, fields: { seed: 'a seed', size: 3 } }),
  'WalkthroughService.checkEvents': (world) => ({ path: { access_review_id: world.openId } }),
  'WalkthroughService.get': (world) => ({ path: { access_review_id: world.openId, task_id: world.taskIds[0] ?? '' } }),
};
