/**
 * Figure: importing a file of grants over HTTP into an empty app, beside a superuser's COPY of the finished rows of every table it wrote into
 * empty tables with the same indexes and without row-level security.
 */
import { atMost, type Figure, median, seconds } from './figure.ts';
import type { World } from './world.ts';

const tables = ['resource_types', 'resources', 'entitlements', 'accounts', 'grants'];

/** Seconds of the COPY; the median of three, each into new tables. Without row-level security since COPY is refused under it. */
async function measurePeer(world: World): Promise<number> {
  const client = await world.server.superuser();
  const fileOf = (table: string): string => `${world.server.dataDir}/postgres/bench-${table}.copy`;
  const taken: number[] = [];
  try {
    await client.query('CREATE SCHEMA IF NOT EXISTS bench');
    for (const table of tables) {
      await client.query(`COPY countersign.${table} TO '${fileOf(table)}'`);
    }
    for (let round = 0; round < 3; round++) {
      for (const table of tables) {
        await client.query(`CREATE TABLE bench.${table} (LIKE countersign.${table} INCLUDING ALL)`);
      }
      const begun = performance.now();
      await client.query(`BEGIN; ${tables.map((table) => `COPY bench.${table} FROM '${fileOf(table)}'`).join('; ')}; COMMIT`);
      taken.push((performance.now() - begun) / 1000);
      await client.query(tables.map((table) => `DROP TABLE bench.${table}`).join('; '));
    }
  } finally {
    await client.end();
  }
  return median(taken);
}

/** At most four times the COPY. */
export const measureImport: Figure = async (open) => {
  const world = await open();
  const ours = (await world.imported()).seconds;
  const peer = await measurePeer(world);
  const title = `import of ${world.size.grants.toLocaleString('en')} grants`;
  return [atMost(4, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer })];
};
