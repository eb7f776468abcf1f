/**
 * Figure: importing a file of grants over HTTP into an empty app, beside a superuser's COPY of the finished rows of every table it wrote into
 * empty tables with the few indexes of bare-tables.ts and without row-level security.
 */
import { chmod } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportService } from '../src/gen/countersign/v1/imports_pb.js';
import { createBareTable } from './data/bare-tables.ts';
import { writeGrants } from './data/company.ts';
import { atMost, type Figure, type FigureResult, median, seconds } from './figure.ts';
import type { World } from './data/world.ts';

const tables = ['resource_types', 'resources', 'entitlements', 'accounts', 'grants'];

/** Seconds of the COPY; the median of three, each into new tables. Without row-level security since COPY is refused under it. */
async function measurePeer(world: World): Promise<number> {
  const client = await world.server.superuser();
  const fileOf = (table: string): string => `${world.server.dataDir}/postgres/bench-${table}.copy`;
  const taken: number[] = [];
  try {
    for (const table of tables) {
      await client.query(`COPY countersign.${table} TO '${fileOf(table)}'`);
    }
    for (let round = 0; round < 3; round++) {
      for (const table of tables) {
        await createBareTable(client, table);
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

/** Seconds of a superuser's COPY of the file as it is into an empty staging table; the median of three. */
export async function measureStaging(world: World, file: string): Promise<number> {
  const client = await world.server.superuser();
  const taken: number[] = [];
  try {
    await chmod(file, 0o644);
    for (let round = 0; round < 3; round++) {
      await client.query(`CREATE TEMP TABLE staged (account text, email text, account_type text, account_status text, resource_type text,
        resource text, entitlement text, granted_at timestamptz, last_used_at timestamptz)`);
      const begun = performance.now();
      await client.query(`COPY staged FROM '${file}' WITH (FORMAT csv, HEADER)`);
      taken.push((performance.now() - begun) / 1000);
      await client.query('DROP TABLE staged');
    }
  } finally {
    await client.end();
  }
  return median(taken);
}

/** Seconds of importing files in which nothing is new, one after the other; their median. */
async function measureUnchanged(world: World, files: readonly string[]): Promise<number> {
  const taken: number[] = [];
  for (const file of files) {
    const begun = performance.now();
    const content = Readable.toWeb(createReadStream(file, { highWaterMark: 262_144 })) as ReadableStream<Uint8Array>;
    const reply = await world.server.admin.upload(ImportService.method.importGrants, { app: 'Company' }, { content, gzip: false });
    taken.push((performance.now() - begun) / 1000);
    if (Number(reply.import?.unchanged) !== world.size.grants) {
      throw new Error(`something changed: ${JSON.stringify(reply).slice(0, 300)}`);
    }
  }
  return median(taken);
}

/** The same grants again: the very file, and a file with its rows in another order, which every time is another than the one before. */
async function measureSame(world: World): Promise<FigureResult[]> {
  const file = join(world.server.folder, 'grants.csv');
  const reversed = join(world.server.folder, 'reversed.csv');
  await writeGrants(reversed, world.size, true);
  const peer = await measureStaging(world, file);
  const same = await measureUnchanged(world, [file, file, file]);
  const others = await measureUnchanged(world, [reversed, file, reversed]);
  const figure = (title: string, ours: number) => ({ title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer });
  return [
    atMost(2, figure('import of the same file again', same), 'times COPY into a staging table'),
    atMost(2, figure('import of the same grants in another order', others), 'times COPY into a staging table'),
  ];
}

/** At most four times the COPY of what it wrote; at most twice the COPY of the file where it says the same again. */
export const measureImport: Figure = async function* (open) {
  const world = await open();
  const ours = (await world.imported()).seconds;
  const peer = await measurePeer(world);
  const title = `import of ${world.size.grants.toLocaleString('en')} grants`;
  yield atMost(4, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer });
  yield* await measureSame(world);
};
