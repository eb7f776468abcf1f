/**
 * Figure: how long one tenant's requests take while another one does its heaviest work, beside how long they take when nothing else runs. The
 * requests are reads of one app, one after the other over one connection.
 */
import { Agent, get } from 'node:http';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppService } from '../src/gen/c1/api/app/v1/app_service_pb.js';
import { ImportService } from '../src/gen/countersign/v1/imports_pb.js';
import { sizeOf, writeGrants } from './data/company.ts';
import { atMost, type Figure, type FigureResult, median, percentile } from './figure.ts';
import type { World } from './data/world.ts';

const [wholeRows, shortRows] = [200_000, 20_000];
const warmRequests = 200;
const quietRequests = 600;
const pauseMs = 5;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

/** Another tenant with an app of its own; the function reads it once and returns the milliseconds that took. */
async function makeReader(world: World): Promise<() => Promise<number>> {
  const { host, admin } = await world.server.makeTenant('other.example');
  const created = await admin.call(AppService.method.create, { displayName: 'Small' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `/api/v1/apps/${created.app?.id ?? ''}`;
  return async () => {
    const headers = { host, authorization: `Bearer ${await admin.token()}` };
    const begun = performance.now();
    await new Promise<void>((resolve, reject) => {
      const request = get({ host: 'localhost', port: world.server.port, path, headers, agent }, (response) => {
        response.resume();
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))));
      });
      request.on('error', reject);
    });
    return performance.now() - begun;
  };
}

/** Reads until the work has ended, and returns the milliseconds of each. */
async function readDuring(read: () => Promise<number>, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const taken: number[] = [];
  while (!isOver) {
    taken.push(await read());
    await pause();
  }
  await working;
  return taken;
}

async function readQuiet(read: () => Promise<number>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let request = 0; request < count; request++) {
    taken.push(await read());
    await pause();
  }
  return taken;
}

function compare(what: string, busy: readonly number[], quiet: readonly number[]): FigureResult {
  const [ours, peer] = [median(busy), median(quiet)];
  const title = `GET of another tenant during ${what}, median (p99 ${percentile(busy, 0.99).toFixed(0)} ms)`;
  return atMost(
    2,
    { title, ours: `${ours.toFixed(1)} ms`, peer: `${peer.toFixed(1)} ms quiet`, ratio: ours / peer },
    'times the quiet median',
  );
}

/** At most twice the quiet median while another tenant imports, syncs and prepares. */
export const measureIsolation: Figure = async (open, { isShort }) => {
  const rows = isShort ? shortRows : wholeRows;
  const world = await open();
  const { admin, folder } = world.server;
  const file = join(folder, 'isolation.csv');
  const reversed = join(folder, 'isolation-reversed.csv');
  await writeGrants(file, sizeOf(rows));
  await writeGrants(reversed, sizeOf(rows), true);
  const read = await makeReader(world);
  await readQuiet(read, warmRequests);
  const quiet = await readQuiet(read, quietRequests);
  let appId = '';
  const send = async (path: string): Promise<void> => {
    const content = Readable.toWeb(createReadStream(path, { highWaterMark: 262_144 })) as ReadableStream<Uint8Array>;
    appId = (await admin.upload(ImportService.method.importGrants, { app: 'Isolation' }, { content, gzip: false })).import?.appId ?? '';
  };
  const importing = await readDuring(read, () => send(file));
  const again = await readDuring(read, async () => {
    for (let count = 0; count < 3; count++) {
      await send(reversed);
      await send(file);
    }
  });
  const preparing = await readDuring(read, () => world.prepare(appId));
  const title = `of ${rows.toLocaleString('en')} grants`;
  return [
    compare(`an import ${title}`, importing, quiet),
    compare(`six syncs ${title} in another order`, again, quiet),
    compare(`prepare ${title}`, preparing, quiet),
  ];
};
