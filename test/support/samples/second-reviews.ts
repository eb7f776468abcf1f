/**
 * Sample requests of the operations about second reviews. Rows are added as a draw leaves them, since one takes a whole review that people decided.
 */
import type { TestPerson } from '../server.ts';
import type { World } from '../world.ts';
import type { MakeSample, SampleFile } from './sample.ts';

const placesEach = 12;
let counter = 0;

/** Adds a second review of this review with twelve items about one task each, all asked of this person. */
async function addSecondReview(world: World, reviewId: string, userId: string, state: 'OPEN' | 'ENDED'): Promise<string> {
  const { db, tenantId, now } = world.tenant.system();
  await db.run(
    `INSERT INTO second_reviews (tenant_id, review_id, state, seed, population, population_digest, items, reviewer_ids, created_by_id, created_at, ended_at)
     VALUES ($1, $2, $3, 'seed', 12, '', 12, ARRAY[$4], $4, $5, CASE WHEN $3 = 'ENDED' THEN $5::timestamptz END)`,
    [tenantId, reviewId, state, userId, now],
  );
  const prefix = `second${process.pid}x${++counter}x`;
  await db.run(
    `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, state, created_at, updated_at)
     SELECT $1, $4 || n, $2, 0, 'app', 'right-' || n, $4, 'policy', 'CLOSED', $3, $3 FROM generate_series(1, $5::int) n`,
    [tenantId, `${prefix}-review`, now, prefix, placesEach],
  );
  await db.run(
    `INSERT INTO second_review_items (tenant_id, review_id, place, task_id, first_decision, first_decided_by_id, first_decided_at, reviewer_ids)
     SELECT $1, $2, n, $3 || n, 'APPROVE', 'somebody', $4, ARRAY[$5] FROM generate_series(1, $6::int) n`,
    [tenantId, reviewId, prefix, now, userId, placesEach],
  );
  return `${prefix}1`;
}

const ended = new WeakMap<World, Promise<unknown>>();

/** The open review of a World with a second review that is over: everybody who reads the review reads it. */
const ofOpen: MakeSample = async (world) => {
  const made = ended.get(world) ?? addSecondReview(world, world.openId, 'somebody', 'ENDED');
  ended.set(world, made);
  await made;
  return { path: { access_review_id: world.openId } };
};

/** A review of its own that asks whoever calls. */
async function ofCaller(world: World, person: TestPerson): Promise<{ id: string; taskId: string }> {
  const id = await world.makeDraft();
  return { id, taskId: await addSecondReview(world, id, person.id, 'OPEN') };
}

/** By the name of the operation. */
export const samples: SampleFile['samples'] = {
  // Drawn already: there is one draw for each review.
  'SecondReviewService.draw': async (world, person) => ({
    ...(await ofOpen(world, person)),
    fields: { number: 1, reviewerIds: [world.basic.id] },
  }),
  'SecondReviewService.get': ofOpen,
  'SecondReviewService.end': async (world) => {
    const id = await world.makeDraft();
    await addSecondReview(world, id, 'somebody', 'OPEN');
    return { path: { access_review_id: id } };
  },
  'SecondReviewService.listItems': ofOpen,
  'SecondReviewService.listMine': () => ({}),
  'SecondReviewService.listQuestions': async (world, person) => ({ path: { access_review_id: (await ofCaller(world, person)).id } }),
  'SecondReviewService.answer': async (world, person) => {
    // Whoever reads the first decisions is asked, and may not answer; of all others the reviewer is asked.
    const readers = [world.tenant.admin, world.owner, world.reader].map(({ id }) => id);
    const { id, taskId } = await ofCaller(world, readers.includes(person.id) ? person : world.assignee);
    return { path: { access_review_id: id }, fields: { answers: [{ taskId, decision: 'REVIEW_DECISION_CERTIFY' }] } };
  },
};

/** It was drawn from, so nobody draws again; and an administrator knows the first decisions. */
export const refused: SampleFile['refused'] = ['SecondReviewService.draw', 'SecondReviewService.answer'];

/** Asks an administrator eleven times and more, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 11; count++) {
    await ofCaller(world, world.tenant.admin);
  }
}
