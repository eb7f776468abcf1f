/**
 * Two processes of ours on one database whose clocks differ: one ahead of the other by seconds. What is done through both must come out as
 * through one; work may wait by as much as the clocks differ, and no longer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { createTenantWithAdministrator } from '../../src/cli/local/bootstrap.ts';
import { type Client, createClient } from '../../src/client/index.ts';
import { signAssertion } from '../../src/client/token.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { TaskService } from '../../src/gen/c1/api/task/v1/task_service_pb.js';
import { silentLogger } from '../../src/context.ts';
import { readDataSet } from '../support/data-sets.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import {
  type Campaign,
  decideOne,
  distinctKeys,
  draftReview,
  fetchReport,
  importGrants,
  importPeople,
  listOpenTasks,
  makeReviewer,
  moveReview,
} from './campaign.ts';

const host = 'clocks.example';
const skewMs = 4000;

describe.each([
  ['the one that works is behind', -skewMs],
  ['the one that works is ahead', skewMs],
])('two clocks: %s', (_name, offMs) => {
  let test: TestDatabase;
  let asking: App;
  let working: App;
  let throughAsking: Client;
  let throughWorking: Client;
  let credential: { clientId: string; clientSecret: string };
  let campaign: Campaign;

  beforeAll(async () => {
    test = await openTestDatabase();
    const config = { ...readConfig({}, {}), databaseUrl: test.url, host: '127.0.0.1', port: 0, poolSize: 6 };
    // One takes requests only, the other does the jobs, on its own time.
    asking = await startApp({ ...config, jobConcurrency: 0 }, { log: silentLogger, checkReplies: true });
    working = await startApp(config, { log: silentLogger, checkReplies: true, clock: () => new Date(Date.now() + offMs) });
    const tenant = { host, displayName: host, adminEmail: `admin@${host}`, secretLabel: 'conductorone.com' };
    credential = await createTenantWithAdministrator({ database: asking.database, now: new Date(), log: silentLogger }, tenant);
    // Links of reports name the host, which nobody resolves.
    const sendTo =
      (app: App): typeof fetch =>
      (input, init) =>
        fetchAsHost(host)(String(input).replace(/^http:\/\/[^/]+/, `http://127.0.0.1:${app.port}`), init);
    const through = (app: App): Client => createClient({ url: `http://127.0.0.1:${app.port}`, credential, fetch: sendTo(app) });
    [throughAsking, throughWorking] = [through(asking), through(working)];
  });
  afterAll(async () => {
    await working.stop();
    await asking.stop();
    await test.close();
  });

  it('a token of one is good at the other, and an assertion is spent for both', async () => {
    for (const [from, to] of [
      [asking, working],
      [working, asking],
    ] as const) {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion(credential),
      });
      const ask = (app: App): Promise<Response> =>
        fetchAsHost(host)(`http://127.0.0.1:${app.port}/auth/v1/token`, { method: 'POST', body: form });
      const given = await ask(from);
      expect(given.status).toBe(200);
      const { access_token: token } = (await given.json()) as { access_token: string };
      expect((await ask(to)).status).toBe(401);
      const used = await fetchAsHost(host)(`http://127.0.0.1:${to.port}/api/v1/users`, { headers: { authorization: `Bearer ${token}` } });
      expect(used.status).toBe(200);
    }
  });

  it('a review asked for here and worked on there is prepared, started, decided through both and closed', {
    timeout: 240_000,
  }, async () => {
    const data = readDataSet('domino');
    await importPeople(throughAsking, data.peopleCsv);
    await importGrants(throughWorking, 'app', data.grantsCsv);
    campaign = await draftReview(throughAsking, 'app', distinctKeys(data.grants));
    const begun = Date.now();
    await moveReview(throughAsking, campaign, 'prepare');
    await moveReview(throughWorking, campaign, 'start');
    expect(Date.now() - begun).toBeLessThan(2 * skewMs + 5000);
    const admin = await makeReviewer(throughAsking, '', '');
    const ids = await listOpenTasks(admin, campaign.reviewId, 10);
    expect(ids.length).toBeGreaterThan(1);
    for (const [index, id] of ids.entries()) {
      await decideOne(campaign, { ...admin, client: index % 2 === 0 ? throughAsking : throughWorking }, id);
      // The same again through the other one is the same.
      await decideOne(campaign, { ...admin, client: index % 2 === 0 ? throughWorking : throughAsking }, id);
    }
    await moveReview(throughAsking, campaign, 'close');
    const rows = JSON.parse(await fetchReport(throughWorking, campaign.reviewId, 'JSON')) as { taskId: string; decisions: unknown[] }[];
    expect(rows.length).toBe(campaign.keys.size);
    expect(
      rows
        .filter((row) => row.decisions.length === 1)
        .map((row) => row.taskId)
        .sort(),
    ).toEqual([...ids].sort());
    const audits = await throughAsking.call(TaskService.method.list, { taskId: ids[0] ?? '' });
    expect((audits.list ?? []).length).toBeGreaterThan(0);
  });
});
