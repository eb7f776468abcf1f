/** Sample requests of the operations about how reviewers stand to what they review. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const ofOpen = (world: World) => ({ path: { access_review_id: world.openId } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewIndependenceService.getIndependence': ofOpen,
  'ReviewIndependenceService.setIndependence': async (world) => ({
    path: { access_review_id: await world.makeDraft() },
    fields: { blocked: ['REVIEWER_RELATION_GRANTER'] },
  }),
  'ReviewIndependenceService.listRelatedDecisions': ofOpen,
};
