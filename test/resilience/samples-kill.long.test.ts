/**
 * kill -9 while the samples are being removed: each time the removal waits in the middle for something that is held, so that the blow falls
 * there. The next start finds all of the samples, or none of them, and what a removal sets in motion goes on.
 */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSampleCompany } from '../../src/cli/local/demo-load.ts';
import type { Client } from '../../src/client/index.ts';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { TaskActionsService } from '../../src/gen/c1/api/task/v1/task_actions_service_pb.js';
import { SourceService } from '../../src/gen/countersign/v1/connectors_pb.js';
import { RevocationService } from '../../src/gen/countersign/v1/revocations_pb.js';
import { SampleService } from '../../src/gen/countersign/v1/samples_pb.js';
import { persist } from './campaign.ts';
import {
  clientOf,
  killPostmaster,
  makePlace,
  openDatabase,
  type Place,
  queryDatabase,
  readCredential,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const whole = { people: 60, apps: 5, accessReviews: 1, conflictMonitors: 1, obstacles: [] };
const none = { people: 0, apps: 0, accessReviews: 0, conflictMonitors: 0, obstacles: [] };
let place: Place;
let server: ServerProcess;
let admin: Client;
let reviewId: string;

/** Counts the events of a kind. */
async function countEvents(kind: string): Promise<number> {
  const [row] = await queryDatabase<{ count: string }>(place, 'SELECT count(*) AS count FROM events WHERE kind = $1', [kind]);
  return Number(row?.count);
}

async function startAgain(): Promise<void> {
  await server.end('SIGKILL');
  server = startServer(place);
  await server.ready();
}

/** The samples as every list shows them. */
async function look() {
  const { sampleCompany } = await persist(() => admin.call(SampleService.method.get, {}));
  const { list: apps = [] } = await admin.call(AppService.method.list, { pageSize: 100 });
  const { list: sources = [] } = await admin.call(SourceService.method.list, { pageSize: 100 });
  const state = await admin.call(AccessReviewService.method.get, { id: reviewId }).then(
    ({ accessReview }) => accessReview?.accessReview?.state,
    (error: { status?: number }) => error.status,
  );
  return { sampleCompany, apps: apps.length, hasSource: sources.some(({ appId }) => appId === ''), state };
}

describe('a removal of the samples that is killed', () => {
  beforeAll(async () => {
    place = await makePlace();
    server = startServer(place);
    await server.ready();
    admin = clientOf(place, await readCredential(place));
    const nowhere = new PassThrough().resume();
    const io = { env: {}, stdin: new PassThrough(), stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
    reviewId = (await loadSampleCompany(io, admin, () => undefined)).review.id;
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    await place.remove();
  });

  it.each([
    ['its first app', 'server', `SELECT FROM apps WHERE display_name = 'Sample Ledger' FOR UPDATE`],
    ['its last app', 'server', `SELECT FROM apps WHERE id = (SELECT max(object_id) FROM samples WHERE kind = 'APP') FOR UPDATE`],
    ['its people', 'server', `SELECT FROM users WHERE email_key = 'ada.sample@example.com' FOR UPDATE`],
    ['its source', 'both', `SELECT FROM sources WHERE app_id = '' FOR UPDATE`],
    ['its marks', 'both', 'SELECT FROM samples FOR UPDATE'],
    ['the database, at its marks', 'database', 'SELECT FROM samples FOR UPDATE'],
  ])('did nothing, when it is hit at %s', async (_where, victim, hold) => {
    expect(await look()).toMatchObject({ sampleCompany: whole });
    const before = await look();
    const deleted = await countEvents('app.deleted');
    const holder = await openDatabase(place);
    await holder.query('BEGIN');
    await holder.query(hold);
    const removal = admin.call(SampleService.method.remove, {}).then(
      () => 'done',
      () => 'broken off',
    );
    await expect
      .poll(
        async () => {
          const waiting = `SELECT count(*) AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename <> 'postgres'`;
          return Number((await queryDatabase<{ count: string }>(place, waiting))[0]?.count);
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    if (victim !== 'server') {
      await killPostmaster(place);
    }
    if (victim !== 'database') {
      await server.end('SIGKILL');
    }
    expect(await removal).toBe('broken off');
    await holder.end().catch(() => undefined);
    if (victim !== 'database') {
      server = startServer(place);
    }
    await server.ready();
    expect(await persist(look)).toEqual(before);
    expect(before).toMatchObject({ apps: 5, hasSource: true, state: 'ACCESS_REVIEW_STATE_OPEN' });
    expect([await countEvents('samples.removed'), await countEvents('app.deleted')]).toEqual([0, deleted]);
  });

  it('did all of it, when it is hit after its answer, and what follows from it goes on', async () => {
    const [task] = await queryDatabase<{ id: string }>(
      place,
      `SELECT id FROM tasks WHERE review_id = $1 AND state = 'OPEN' ORDER BY id LIMIT 1`,
      [reviewId],
    );
    await admin.call(TaskActionsService.method.deny, { taskId: task?.id ?? '', comment: 'not needed' });
    expect(await admin.call(SampleService.method.remove, {})).toMatchObject({ people: 60, apps: 5 });
    await startAgain();
    expect(await look()).toEqual({ sampleCompany: none, apps: 0, hasSource: false, state: 404 });
    expect(await countEvents('samples.removed')).toBe(1);
    await expect
      .poll(() => admin.call(RevocationService.method.count, {}), { timeout: 60_000 })
      .toMatchObject({ open: '0', list: [{ state: 'REVOCATION_STATE_CANCELLED', total: '1' }] });
  });
});
