/** Searches of one user or tenant, however many and however slow, leave connections to everybody else. Slow is what waits for a lock here. */
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import pg from 'pg';
import { startTestServer, type ServedTenant, type TestPerson, type TestServer } from '../support/server.ts';

const poolSize = 8;
const [shareOfUser, shareOfTenant, shareOfAll] = [2, 4, 6];

let server: TestServer;
let other: ServedTenant;
let third: ServedTenant;
let ann: TestPerson;
let locker: pg.Client;

beforeAll(async () => {
  server = await startTestServer({ config: { poolSize } });
  other = await server.makeTenant('other');
  third = await server.makeTenant('third');
  ann = await server.makePerson('ann@example.com');
});
afterAll(() => server.stop());

// What these searches read, and no background work, is locked, so that each holds its connection until the test lets it go.
beforeEach(async () => {
  locker = new pg.Client({ connectionString: server.test.url });
  await locker.connect();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE countersign.task_actions IN ACCESS EXCLUSIVE MODE');
});
afterEach(() => locker.end());

async function search(tenant: ServedTenant, person: TestPerson, signal?: AbortSignal): Promise<Response> {
  return tenant.fetch('/api/v1/search/tasks', {
    method: 'POST',
    headers: { authorization: `Bearer ${await person.client.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ previouslyActedOnIds: [person.id] }),
    ...(signal === undefined ? {} : { signal }),
  });
}

const searches = (count: number, tenant: ServedTenant, person: TestPerson): Promise<Response>[] =>
  Array.from({ length: count }, () => search(tenant, person));

/** Counts searches with a connection that wait for the lock. */
async function countHeld(): Promise<number> {
  const { rows } = await locker.query<{ count: string }>(
    "SELECT count(*) AS count FROM pg_locks l WHERE l.relation = 'countersign.task_actions'::regclass AND NOT l.granted",
  );
  return Number(rows[0]?.count);
}

async function untilHeld(count: number): Promise<void> {
  await expect.poll(countHeld, { timeout: 60_000 }).toBe(count);
}

/** A request that reads no locked table. */
async function getApps(tenant: ServedTenant): Promise<number> {
  const response = await tenant.fetch(`/api/v1/users/${tenant.admin.id}`, {
    headers: { authorization: `Bearer ${await tenant.admin.client.token()}` },
  });
  return response.status;
}

it('gives one user a quarter of the connections, and everybody else finds one', async () => {
  const waiting = searches(24, server, ann);
  await untilHeld(shareOfUser);
  expect(await getApps(other)).toBe(200);
  expect(await getApps(server)).toBe(200);
  expect(await countHeld()).toBe(shareOfUser);
  await locker.query('ROLLBACK');
  for (const response of await Promise.all(waiting)) {
    expect(response.status).toBe(200);
  }
});

it('gives a tenant half of them, and all together leave a quarter', async () => {
  const ben = await server.makePerson('ben@example.com');
  const waiting = [...searches(6, server, ann), ...searches(6, server, ben), ...searches(6, server, server.admin)];
  await untilHeld(shareOfTenant);
  waiting.push(...searches(6, other, other.admin), ...searches(6, third, third.admin));
  await untilHeld(shareOfAll);
  expect(await Promise.all([getApps(third), getApps(server)])).toEqual([200, 200]);
  await locker.query('ROLLBACK');
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
});

it('refuses what one user has waiting beyond a limit, with the time to wait', async () => {
  const waiting = searches(shareOfUser + 64 + 2, server, ann);
  const first = await Promise.any(waiting);
  expect(first.status).toBe(429);
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await first.json()).toMatchObject({ code: 8 });
  // The refusal may come before the ones ahead of it reached the database.
  await untilHeld(shareOfUser);
  expect(await getApps(other)).toBe(200);
  await locker.query('ROLLBACK');
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(shareOfUser + 64);
});

it('forgets the searches of a client that leaves while they wait', async () => {
  const held = searches(shareOfUser, server, ann);
  await untilHeld(shareOfUser);
  const leaving = new AbortController();
  const left = Array.from({ length: 64 }, () => search(server, ann, leaving.signal).catch(() => undefined));
  await expect
    .poll(async () => (await search(server, ann, AbortSignal.timeout(500)).catch(() => undefined))?.status, { timeout: 60_000 })
    .toBe(429);
  leaving.abort();
  await Promise.all(left);
  // There is room to wait again: nobody is refused at once.
  await expect
    .poll(async () => (await search(server, ann, AbortSignal.timeout(500)).catch(() => undefined))?.status, { timeout: 60_000 })
    .toBeUndefined();
  await locker.query('ROLLBACK');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
});
