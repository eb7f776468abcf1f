/**
 * Sample requests of the operations about what came after the snapshot of a review. Rows are added as a close leaves them: what comes by a sync would
 * change what all other samples are about.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Adds twelve grants of the app of a World to what came after the snapshot of a review, which is closed then. */
async function addArrivals(world: World, reviewId: string): Promise<string> {
  const { db, tenantId, now } = world.tenant.system();
  const count = await db.run(
    `INSERT INTO review_arrivals (tenant_id, review_id, app_id, account_id, entitlement_id, added_revision, event_id)
     SELECT $1, $2, g.app_id, g.account_id, g.entitlement_id, g.added_revision, 'made' FROM grants g
     WHERE g.tenant_id = $1 AND g.app_id = $3 AND g.removed_revision IS NULL ORDER BY g.account_id, g.entitlement_id LIMIT 12`,
    [tenantId, reviewId, world.appId],
  );
  await db.run(
    `UPDATE reviews SET state = 'CLOSED', closed_at = $3, arrived = $4, prepared_revision = coalesce(prepared_revision, 1) WHERE tenant_id = $1 AND id = $2`,
    [tenantId, reviewId, now, count],
  );
  return reviewId;
}

const ofClosed: MakeSample = (world) => ({ path: { access_review_id: world.notes['arrived'] ?? '' } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ReviewArrivalService.get': ofClosed,
  'ReviewArrivalService.list': ofClosed,
  // One of its own: what one supplementary review asks about no other does.
  'ReviewArrivalService.supplement': async (world) => ({ path: { access_review_id: await addArrivals(world, await world.makeDraft()) } }),
};

/** One that was never started, so that only those who read all of it know of it. */
export async function fill(world: World): Promise<void> {
  world.notes['arrived'] = await addArrivals(world, await world.makeDraft());
}
