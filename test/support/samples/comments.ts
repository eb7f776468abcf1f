/** Sample requests about what people wrote in a review. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewCommentService.list': (world) => ({ path: { access_review_id: world.openId } }),
};

/** A dozen comments on one task of the open review, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  const taskId = world.taskIds[0] ?? '';
  for (let count = 0; count < 12; count++) {
    await world.call(world.tenant.admin, 'POST', `/api/v1/tasks/${taskId}/action/comment`, { comment: `Comment ${count}` });
  }
}
