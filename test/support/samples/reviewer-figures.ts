/** Sample requests of the operation that shows how people decided in a review: in the open one of a World. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Decisions of twelve people, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  const { db, tenantId, now } = world.tenant.system();
  await db.run(
    `INSERT INTO task_actions (tenant_id, review_id, actor_id, step, step_generation, id, task_id, kind, created_at)
     SELECT $1, $2, 'decider-' || n, 0, 0, 'decision-' || n, 'task-' || n, 'APPROVED', $3 FROM generate_series(10, 21) n`,
    [tenantId, world.openId, now],
  );
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewerFigureService.list': (world) => ({ path: { access_review_id: world.openId } }),
};
