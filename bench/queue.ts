/**
 * Figure: the first page of 1,000 rows of a reviewer's queue, with its counts, of a reviewer with 10,000 tasks in a review of everything, and a page in
 * its middle.
 */
import { type Client, createClient } from '../src/client/index.ts';
import { IssuedCredentialService } from '../src/gen/countersign/v1/people_pb.js';
import { ReviewQueueService } from '../src/gen/countersign/v1/review_queue_pb.js';
import { emailOf } from './data/company.ts';
import { atMost, type Figure, type FigureResult, median } from './figure.ts';
import type { World } from './data/world.ts';

const tasks = 10_000;
const pageSize = 1_000;
const timesEach = 11;
const limitMilliseconds = 100;

/** Gives the first 10,000 tasks of the review to one person, straight in the database. */
async function arrange(world: World, reviewId: string): Promise<string> {
  const superuser = await world.server.superuser();
  try {
    const { rows } = await superuser.query<{ id: string }>('SELECT id FROM countersign.users WHERE email_key = $1', [
      emailOf(world.size.people - 4),
    ]);
    const userId = rows[0]?.id ?? '';
    await superuser.query(
      `WITH added AS (INSERT INTO countersign.task_assignments (tenant_id, id, review_id, user_ids, reason, created_at)
         SELECT tenant_id, 'queue', id, ARRAY[$2], 'USERS', now() FROM countersign.task_reviews WHERE id = $1 RETURNING tenant_id)
       INSERT INTO countersign.task_assignment_members (tenant_id, user_id, assignment_id, review_id) SELECT tenant_id, $2, 'queue', $1 FROM added`,
      [reviewId, userId],
    );
    await superuser.query(
      `UPDATE countersign.tasks SET assignment_id = 'queue' WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM countersign.tasks WHERE review_id = $1 AND state = 'OPEN' AND user_id <> $2 ORDER BY id LIMIT $3)`,
      [reviewId, userId, tasks],
    );
    await superuser.query('ANALYZE countersign.tasks, countersign.task_assignment_members');
    return userId;
  } finally {
    await superuser.end();
  }
}

/** The client of the person with 10,000 tasks of the review. */
export async function openReviewer(world: World, reviewId: string): Promise<Client> {
  const userId = await arrange(world, reviewId);
  const issued = await world.server.admin.call(IssuedCredentialService.method.issue, { userId, displayName: 'queue' });
  const credential = { clientId: issued.client?.clientId ?? '', clientSecret: issued.clientSecret ?? '' };
  return createClient({ url: world.server.url, credential });
}

/** Within 100 ms. */
export const measureQueue: Figure = async (open) => {
  const world = await open();
  await world.started();
  const accessReviewId = await world.reviewId();
  const client = await openReviewer(world, accessReviewId);
  const read = (pageToken: string) => client.call(ReviewQueueService.method.readQueue, { accessReviewId, limit: pageSize, pageToken });
  const time = async (pageToken: string): Promise<number> => {
    const taken: number[] = [];
    for (let round = 0; round < timesEach; round++) {
      const begun = performance.now();
      const { rows = [], counts } = await read(pageToken);
      taken.push(performance.now() - begun);
      if (rows.length !== pageSize || (pageToken === '' && Number(counts?.total ?? 0) !== tasks)) {
        throw new Error(`a page of ${rows.length} rows of ${counts?.total ?? 'no'} tasks`);
      }
    }
    return median(taken);
  };
  let token = '';
  for (let page = 0; page < 5; page++) {
    token = (await read(token)).nextPageToken ?? '';
  }
  const result = (title: string, ours: number): FigureResult =>
    atMost(
      1,
      { title, ours: `${ours.toFixed(0)} ms`, peer: `${limitMilliseconds} ms`, ratio: ours / limitMilliseconds },
      `times ${limitMilliseconds} ms`,
    );
  return [
    result(`queue of a reviewer with ${tasks.toLocaleString('en')} tasks, first page of 1,000 with counts`, await time('')),
    result('the same, page six', await time(token)),
  ];
};
