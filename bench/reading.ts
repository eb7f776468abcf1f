/**
 * Figures: GET of a review, and list pages of 100, in requests per second, beside a bare fastify handler with the same SQL and JSON.stringify
 * of the same reply (peers/bare-fastify.ts). The SQL is what the service sends for that very request.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessReviewService } from '../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { type Capture, type Statement, startCapture } from './capture.ts';
import { atLeast, type Figure, type FigureResult } from './figure.ts';
import { compareLoad } from './data/load.ts';
import { findSocketFolder } from './server.ts';
import type { World } from './data/world.ts';

const reviewsWanted = 120;

/** What every list is read with. */
interface Reading {
  readonly world: World;
  readonly capture: Capture;
  readonly isShort: boolean;
}

async function startPeer(world: World, statements: readonly Statement[], reply: unknown): Promise<{ child: ChildProcess; url: string }> {
  const superuser = await world.server.superuser();
  const { rows } = await superuser.query<{ tenant_id: string }>('SELECT tenant_id FROM reviews LIMIT 1');
  await superuser.end();
  const told = { host: await findSocketFolder(world.server.dataDir), tenantId: rows[0]?.tenant_id, statements, reply };
  const file = join(world.server.folder, 'peer.json');
  await writeFile(file, JSON.stringify(told));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'peers/bare-fastify.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${Number(line.toString())}/` };
}

async function measure({ world, capture, isShort }: Reading, title: string, path: string, body?: object): Promise<FigureResult> {
  const method = body === undefined ? 'GET' : 'POST';
  // Once before, so that what is remembered after a first time is remembered.
  const reply = await capture.send(method, path, body);
  const statements = await capture.record(() => capture.send(method, path, body));
  const peer = await startPeer(world, statements, reply);
  try {
    const headers = { authorization: `Bearer ${await world.server.admin.token()}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { headers: { authorization: headers.authorization } } : { headers, body: JSON.stringify(body) };
    const speed = await compareLoad({ url: world.server.url + path, method, ...sent }, { url: peer.url }, isShort);
    const perSecond = (value: number): string => `${value.toFixed(0)}/s`;
    return atLeast(0.7, { title, ours: perSecond(speed.ours), peer: perSecond(speed.peer), ratio: speed.ours / speed.peer });
  } finally {
    peer.child.kill();
  }
}

/** At least 0.7 of the bare handler. */
export const measureReading: Figure = async function* (open, { isShort }) {
  const world = await open();
  await world.started();
  for (let n = 1; n < reviewsWanted; n++) {
    await world.server.admin.call(AccessReviewService.method.create, { displayName: `Draft ${n}` });
  }
  const capture = await startCapture(world.server, false);
  try {
    const id = await world.reviewId();
    const reading = { world, capture, isShort };
    yield await measure(reading, 'GET of a review', `/api/v1/access_review/${id}`);
    yield await measure(reading, 'list of 100 reviews', '/api/v1/access_reviews?page_size=100');
    yield await measure(reading, 'search of 100 tasks', '/api/v1/search/tasks', { pageSize: 100, accessReviewIds: [id] });
    yield await measure(reading, 'list of 100 accounts', `/api/v1/apps/${await world.appId()}/app_users?page_size=100`);
  } finally {
    await capture.stop();
  }
};
