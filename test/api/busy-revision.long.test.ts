/**
 * A large import has the tenant's revision for as long as it writes. Reviews are previewed, prepared and reset meanwhile, other tenants notice
 * nothing, and changes of access wait without the connections that all share.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, request } from '../support/api.ts';
import type { ServedTenant, TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const poolSize = 6;
let server: TestServer;
let world: World;
let other: ServedTenant;

beforeAll(async () => {
  const made = await startWorld({ config: { poolSize } });
  server = made.server;
  world = made.world;
  other = await server.makeTenant('other');
});
afterAll(() => server.stop());

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);

/** Does `work` while somebody has the revision, and lets go of it. */
async function whileTaken<T>(work: () => Promise<T>): Promise<T> {
  await server.test.admin('BEGIN');
  try {
    await server.test.admin(`UPDATE tenant_counters SET value = value + 1 WHERE tenant_id = $1 AND name = 'inventory_revision'`, [
      server.id,
    ]);
    return await work();
  } finally {
    await server.test.admin('ROLLBACK');
  }
}

it('24 previews are answered while it is taken, and so are other tenants', async () => {
  const id = await world.makeDraft();
  const before = await admin('POST', `/api/v1/access_review/${id}/preview`, {});
  const answers = await whileTaken(() =>
    Promise.all([
      ...Array.from({ length: 24 }, () => admin('POST', `/api/v1/access_review/${id}/preview`, {})),
      request(other, other.admin, 'GET', '/api/v1/apps'),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers[0]?.body).toEqual(before.body);
  const left = await server.test.admin(
    `SELECT (SELECT count(*) FROM task_reviews b WHERE NOT EXISTS (SELECT FROM reviews r WHERE r.tenant_id = b.tenant_id AND r.id = b.id)) +
       (SELECT count(*) FROM review_accounts a WHERE a.tenant_id = $1 AND a.review_id = $2) AS left`,
    [server.id, id],
  );
  expect(left).toEqual([{ left: '0' }]);
});

it('a prepare is accepted while it is taken, can be reset, and takes its snapshot when it is free', async () => {
  const id = await world.makeDraft();
  const act = (action: string) => admin('POST', `/api/v1/access_review/${id}/action/${action}`, {});
  await whileTaken(async () => {
    expect((await act('prepare')).status).toBe(200);
    // The tasks of former prepares are cleared away, and the snapshot is what it waits for.
    for (;;) {
      const [job] = await server.test.admin(`SELECT cursor FROM jobs WHERE subject_id = $1 AND state = 'WAITING'`, [id]);
      if ((job?.cursor as { stage?: string } | undefined)?.stage === 'freeze') {
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await act('reset')).status).toBe(200);
    expect((await act('prepare')).status).toBe(200);
    expect((await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_PREPARING');
  });
  await world.until(id, 'REVIEW');
  const failures = await server.test.admin(`SELECT FROM jobs WHERE kind = 'review.prepare' AND (state = 'FAILED' OR attempts > 0)`);
  expect(failures).toEqual([]);
});

it('manual grants in another app wait for it without a connection, and are made', async () => {
  const made = await admin('POST', '/api/v1/apps', { displayName: 'Made by hand' });
  const appId = made.body.app.id;
  const entitlement = await admin('POST', `/api/v1/apps/${appId}/entitlements`, { displayName: 'Clerk' });
  const path = `/api/v1/apps/${appId}/entitlements/${entitlement.body.appEntitlementView.appEntitlement.id}/add-manual-user`;
  const granting = await whileTaken(async () => {
    const work = Array.from({ length: 2 * poolSize }, () => admin('POST', path, { userIds: [world.userId] }));
    for (let round = 0; round < 5; round++) {
      expect((await request(other, other.admin, 'GET', '/api/v1/apps')).status).toBe(200);
    }
    return { work };
  });
  expect((await Promise.all(granting.work)).map(({ status }) => status)).toEqual(Array.from({ length: 2 * poolSize }, () => 200));
});
