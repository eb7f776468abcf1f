/** Sample requests of the operations about evidence bundles. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** The review that was started and is closed: one for all requests, as nothing changes it. */
const ofClosed: MakeSample = (world) => ({ path: { access_review_id: world.notes.closedReviewId ?? '' } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'EvidenceService.generate': ofClosed,
  'EvidenceService.list': ofClosed,
};

/** A closed review, and eleven bundles of it that are made, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  const { db, tenantId } = world.tenant.system();
  const reviewId = await world.openReview();
  await db.run("UPDATE reviews SET state = 'CLOSED' WHERE tenant_id = $1 AND id = $2", [tenantId, reviewId]);
  world.notes.closedReviewId = reviewId;
  await db.run(
    `INSERT INTO reports (tenant_id, id, review_id, format, columns, created_by_id, created_at, state)
     SELECT $1, 'bundle' || lpad(n::text, 21, '0'), $2, 'BUNDLE', '{}', '', now(), 'ERROR' FROM generate_series(1, 11) n`,
    [tenantId, reviewId],
  );
}
