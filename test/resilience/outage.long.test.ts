/**
 * Short of a kill of ours: PostgreSQL goes and comes back under requests, the server is asked to stop during jobs, several processes share one
 * data directory, and their clocks differ. Random kills are in kill.long.test.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/client/index.ts';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { ReviewActionsService } from '../../src/gen/countersign/v1/review_pb.js';
import { type DataSet, readDataSet } from '../support/data-sets.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import {
  type Campaign,
  distinctKeys,
  draftReview,
  importGrants,
  importPeople,
  listOpenTasks,
  listPeople,
  makeReviewer,
  moveReview,
  persist,
  resizeGrants,
  submitMany,
  writeGrantsCsv,
} from './campaign.ts';
import { checkDatabase, checkReports, countImported } from './check-campaign.ts';
import {
  clientOf,
  findPostmasterPid,
  killPostmaster,
  makePlace,
  type Place,
  queryDatabase,
  readCredential,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const grantCount = 12_000;
/** True if all kills are made, and so what takes too long for every run. */
const isFull = Number(process.env['COUNTERSIGN_KILLS'] ?? 6) >= 20;
let data: DataSet;
let csv: Buffer;
let keys: Set<string>;
let place: Place;
let servers: ServerProcess[];

beforeAll(() => {
  data = readDataSet('americas_small');
  const grants = resizeGrants(data, grantCount);
  csv = writeGrantsCsv(grants);
  keys = distinctKeys(grants);
});
beforeEach(async () => {
  place = await makePlace();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await place.remove();
});

function start(port = place.port): ServerProcess {
  const server = startServer(place, port);
  servers.push(server);
  return server;
}

async function startWithData(): Promise<{ server: ServerProcess; admin: Client }> {
  const server = start();
  await server.ready();
  const admin = clientOf(place, await readCredential(place));
  await importPeople(admin, data.peopleCsv);
  await importGrants(admin, 'app', csv);
  return { server, admin };
}

async function stateOf(admin: Client, { reviewId }: Campaign): Promise<string> {
  return persist(async () => (await admin.call(AccessReviewService.method.get, { id: reviewId })).accessReview?.accessReview?.state ?? '');
}

/** Asks, in a tight circle, and gathers what was answered. */
function askAllTheTime(url: string, init: RequestInit): { stop(): Promise<{ status: number; retryAfter: string | null; body: string }[]> } {
  const answers: { status: number; retryAfter: string | null; body: string }[] = [];
  let isOver = false;
  const asking = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const response = await fetch(url, init);
        answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() });
      }
    }),
  );
  return {
    async stop() {
      isOver = true;
      await asking;
      return answers;
    },
  };
}

describe('PostgreSQL goes and comes back', { timeout: 240_000 }, () => {
  it.each(isFull ? (['SIGKILL', 'SIGINT', 'SIGQUIT'] as const) : (['SIGKILL', 'SIGINT'] as const))(
    'by %s: answers are 200 or 503 with Retry-After, and 200 again soon',
    async (signal) => {
      const server = start();
      await server.ready();
      const admin = clientOf(place, await readCredential(place));
      const headers = { authorization: `Bearer ${await admin.token()}` };
      const asking = askAllTheTime(`${place.url}/api/v1/users`, { headers });
      await delay(200);
      const pid = (await findPostmasterPid(place)) ?? 0;
      process.kill(pid, signal);
      const begun = Date.now();
      await delay(100);
      await expect.poll(async () => (await fetch(`${place.url}/api/v1/users`, { headers })).status, { timeout: 60_000 }).toBe(200);
      const backMs = Date.now() - begun;
      await delay(300);
      const answers = await asking.stop();
      const others = answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter !== null));
      expect(others.slice(0, 3)).toEqual([]);
      expect(answers.some(({ status }) => status === 503)).toBe(true);
      expect(answers.at(-1)?.status).toBe(200);
      for (const { body } of answers.filter(({ status }) => status === 503).slice(0, 5)) {
        expect(JSON.parse(body)).toMatchObject({ code: 14, message: expect.stringContaining('database') });
      }
      expect(await findPostmasterPid(place)).not.toBe(pid);
      console.log(
        `${signal}: ${answers.length} answers, ${answers.filter(({ status }) => status === 503).length} of them 503, back after ${backMs} ms`,
      );
      expect(server.child.exitCode).toBeNull();
    },
  );

  it('by the end of a single backend, as when memory runs out: the same answers, and no restart by us is needed', async () => {
    const server = start();
    await server.ready();
    const admin = clientOf(place, await readCredential(place));
    const headers = { authorization: `Bearer ${await admin.token()}` };
    const asking = askAllTheTime(`${place.url}/api/v1/users`, { headers });
    await delay(200);
    const pid = await findPostmasterPid(place);
    const [backend] = await queryDatabase<{ pid: number }>(
      place,
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'countersign' ORDER BY pid LIMIT 1",
    );
    process.kill(backend?.pid ?? 0, 'SIGKILL');
    await delay(100);
    await expect.poll(async () => (await fetch(`${place.url}/api/v1/users`, { headers })).status, { timeout: 60_000 }).toBe(200);
    const answers = await asking.stop();
    const others = answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter !== null));
    expect(others.slice(0, 3)).toEqual([]);
    expect(await findPostmasterPid(place)).toBe(pid);
    expect(server.child.exitCode).toBeNull();
  });

  it('tells probes, token requests and everybody else the truth meanwhile', async () => {
    const server = start();
    await server.ready();
    const admin = clientOf(place, await readCredential(place));
    await admin.token();
    // Stopped in its tracks, not gone: what is asked of it waits.
    const pid = (await findPostmasterPid(place)) ?? 0;
    await killPostmaster(place);
    const [alive, ready, token] = await Promise.all([
      fetch(`${place.url}/healthz`),
      fetch(`${place.url}/readyz`),
      fetch(`${place.url}/auth/v1/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: `x@localhost:${place.port}/pcc` }),
      }),
    ]);
    expect(alive.status).toBe(200);
    expect([200, 503]).toContain(ready.status);
    expect([401, 400, 503]).toContain(token.status);
    if (token.status === 503) {
      expect(token.headers.get('retry-after')).not.toBeNull();
      expect(await token.json()).toMatchObject({ error: 'temporarily_unavailable' });
    }
    await server.ready();
    expect(await findPostmasterPid(place)).not.toBe(pid);
  });

  it('in the middle of a submission: all of it or nothing, and the same again is allowed', async () => {
    const { server, admin } = await startWithData();
    const campaign = await draftReview(admin, 'app', keys);
    await moveReview(admin, campaign, 'prepare');
    await moveReview(admin, campaign, 'start');
    const people = await listPeople(admin);
    const email = data.people.find((one) => one.manager_email === '')?.email ?? '';
    const reviewer = await makeReviewer(admin, people.get(email) ?? '', email);
    const ids = (await listOpenTasks(reviewer, campaign.reviewId, 200)).slice(0, 200);
    expect(ids.length).toBeGreaterThan(10);
    for (const wait of isFull ? [0, 10, 30] : [15]) {
      const submitting = submitMany(campaign, reviewer, ids);
      await delay(wait);
      await killPostmaster(place);
      await submitting;
      await server.ready();
      const [found] = await queryDatabase<{ tasks: string; actions: string }>(
        place,
        `SELECT count(DISTINCT x.task_id) AS tasks, count(*) AS actions FROM task_actions x WHERE x.review_id = $1`,
        [campaign.reviewId],
      );
      expect(found).toEqual({ tasks: String(ids.length), actions: String(ids.length) });
    }
    await moveReview(admin, campaign, 'close');
    await checkReports(admin, campaign, '');
    await checkDatabase(place, campaign);
    expect(server.child.exitCode).toBeNull();
  });
});

describe('SIGTERM', { timeout: 240_000 }, () => {
  it.each(isFull ? (['prepare', 'start', 'close'] as const) : (['prepare', 'close'] as const))(
    'during %s: ends within 30 s, and the next start goes on by itself',
    async (move) => {
      const { server, admin } = await startWithData();
      const campaign = await draftReview(admin, 'app', keys);
      for (const before of ['prepare', 'start', 'close'] as const) {
        if (before === move) {
          break;
        }
        await moveReview(admin, campaign, before);
      }
      await admin.call(ReviewActionsService.method[move] as typeof ReviewActionsService.method.prepare, {
        accessReviewId: campaign.reviewId,
      });
      await delay(move === 'prepare' ? 120 : 0);
      const begun = Date.now();
      expect(await server.end('SIGTERM')).toBe(0);
      expect(Date.now() - begun).toBeLessThan(30_000);
      expect(await findPostmasterPid(place)).toBeUndefined();
      const again = start();
      await again.ready();
      // Nobody asks for it again.
      const wanted = { prepare: 'REVIEW', start: 'OPEN', close: 'CLOSED' }[move];
      await expect.poll(() => stateOf(admin, campaign), { timeout: 60_000 }).toBe(`ACCESS_REVIEW_STATE_${wanted}`);
      for (const rest of ['prepare', 'start', 'close'] as const) {
        await moveIfNotPast(admin, campaign, rest);
      }
      await checkReports(admin, campaign, '');
      await checkDatabase(place, campaign);
    },
  );

  it('during an import: it is whole or not there, and the process ends', async () => {
    const { server, admin } = await startWithData();
    const importing = importGrants(admin, 'other', csv).catch((error: unknown) => error);
    await delay(150);
    const begun = Date.now();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(Date.now() - begun).toBeLessThan(30_000);
    const again = start();
    await again.ready();
    const outcome = await importing;
    expect(outcome).toMatchObject({ added: expect.any(Number) });
    expect((await countImported(place, 'other')).grants).toBe(keys.size);
  });

  it('while PostgreSQL is being brought back: ends all the same', async () => {
    const { server } = await startWithData();
    await killPostmaster(place);
    await delay(20);
    const begun = Date.now();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(Date.now() - begun).toBeLessThan(30_000);
    const again = start();
    await again.ready();
  });
});

async function moveIfNotPast(admin: Client, campaign: Campaign, move: 'prepare' | 'start' | 'close'): Promise<void> {
  const order = ['DRAFT', 'PREPARING', 'REVIEW', 'STARTING', 'OPEN', 'CLOSED'];
  const reached = { prepare: 'REVIEW', start: 'OPEN', close: 'CLOSED' }[move];
  const state = (await stateOf(admin, campaign)).replace('ACCESS_REVIEW_STATE_', '');
  if (order.indexOf(state) < order.indexOf(reached)) {
    await moveReview(admin, campaign, move);
  }
}

describe('several processes on one data directory', { timeout: 240_000 }, () => {
  /** A client that reaches the tenant through another process of ours. */
  async function clientThrough(port: number): Promise<Client> {
    const send = fetchAsHost(`localhost:${place.port}`);
    return createClient({ url: `http://127.0.0.1:${port}`, credential: await readCredential(place), fetch: send });
  }

  it('start at the same moment on an empty one: one tenant, one credential, both serve', async () => {
    const other = await makePlace();
    await other.remove();
    const both = [start(), start(other.port)];
    await Promise.all(both.map((server) => server.ready()));
    const [first, second] = [clientOf(place, await readCredential(place)), await clientThrough(other.port)];
    for (const client of [first, second]) {
      expect((await client.call(UserService.method.list, {})).list).toHaveLength(1);
    }
    const [counted] = await queryDatabase<{ tenants: string }>(place, 'SELECT count(*) AS tenants FROM tenants');
    expect(counted).toEqual({ tenants: '1' });
  });

  it('take over from each other: one killed in the middle of a prepare, the other goes on and stops PostgreSQL as the last', async () => {
    const { server, admin } = await startWithData();
    const other = await makePlace();
    await other.remove();
    const second = start(other.port);
    await second.ready();
    const through = await clientThrough(other.port);
    const campaign = await draftReview(admin, 'app', keys);
    await admin.call(ReviewActionsService.method.prepare, { accessReviewId: campaign.reviewId });
    await delay(200);
    const pid = await findPostmasterPid(place);
    await server.end('SIGKILL');
    await expect.poll(() => stateOf(through, campaign), { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_REVIEW');
    expect(await findPostmasterPid(place)).toBe(pid);
    const third = start();
    await third.ready();
    expect(await third.end('SIGTERM')).toBe(0);
    // Still in use by the other.
    expect(await findPostmasterPid(place)).toBe(pid);
    await moveReview(through, campaign, 'start');
    await moveReview(through, campaign, 'close');
    await checkDatabase(place, campaign);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(await findPostmasterPid(place)).toBeUndefined();
  });

  it('bring PostgreSQL back once when it dies under both', async () => {
    const first = start();
    await first.ready();
    const other = await makePlace();
    await other.remove();
    const second = start(other.port);
    await second.ready();
    for (let round = 0; round < (isFull ? 3 : 1); round += 1) {
      await killPostmaster(place);
      await delay(50);
      await Promise.all([first.ready(), second.ready()]);
    }
    const client = clientOf(place, await readCredential(place));
    expect((await client.call(UserService.method.list, {})).list).toHaveLength(1);
  });
});
