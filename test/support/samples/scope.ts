/** Samples of the lists of a scope, of replays and of what a review rests on. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** A good request of each operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewScopeListService.get': (world: World) => ({ path: { access_review_id: world.draftId } }),
  'ReviewScopeListService.set': async (world: World) => ({
    path: { access_review_id: await world.makeDraft() },
    fields: { exclusions: [{ kind: 'SCOPE_EXCLUSION_KIND_USER', id: world.userId, reason: 'Asked elsewhere' }] },
  }),
  'ReviewCompletenessService.get': (world: World) => ({ path: { access_review_id: world.openId } }),
  'ReviewReplayService.replay': (world: World) => ({ path: { access_review_id: world.openId } }),
};
