/**
 * Figure: preparing a review of every grant, from POST action/prepare to the state REVIEW through the queue of jobs, beside the bare
 * INSERT ... SELECT of the finished rows by a superuser into a table with its primary key and three indexes, without row-level security.
 */
import { createBareTable } from './data/bare-tables.ts';
import { atMost, type Figure, median, seconds } from './figure.ts';
import type { World } from './data/world.ts';

/** Seconds of the bare insert of the tasks of a review, which are so many; the median of three, each into a new table. */
export async function measurePeer(world: World, reviewId: string, tasks: number): Promise<number> {
  const client = await world.server.superuser();
  const taken: number[] = [];
  try {
    for (let round = 0; round < 3; round++) {
      await createBareTable(client, 'tasks');
      const begun = performance.now();
      const { rowCount } = await client.query('INSERT INTO bench.tasks SELECT * FROM countersign.tasks WHERE review_id = $1', [reviewId]);
      taken.push((performance.now() - begun) / 1000);
      await client.query('DROP TABLE bench.tasks');
      if (rowCount !== tasks) {
        throw new Error(`${rowCount} tasks where ${tasks} were expected`);
      }
    }
  } finally {
    await client.end();
  }
  return median(taken);
}

/** At most twice the bare insert. */
export const measurePrepare: Figure = async (open) => {
  const world = await open();
  const ours = (await world.prepared()).seconds;
  const peer = await measurePeer(world, await world.reviewId(), world.size.grants);
  const title = `prepare of ${world.size.grants.toLocaleString('en')} grants`;
  return [atMost(2, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer })];
};
