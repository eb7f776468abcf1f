/**
 * A deleted app is gone at once from every list of the API, found in the contract, while the job that ends its grants and accounts has not
 * begun, and is no more there when it is done. What reports the past names it still: events, syncs, reviews and their tasks.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import type { Loose } from '../support/api.ts';
import { listOperations, type Operation, type Sample, sampleOf, send } from '../support/operations.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const lists = (await listOperations()).filter(({ isList }) => isList);

/** Lists that are evidence, or what somebody chose for a review: they name what is gone. */
const ofThePast = new Set([
  'EventLogService.listEntries',
  'SystemLogService.listEvents',
  'ImportService.list',
  'TaskService.search',
  'TaskService.list',
  'TaskAuditService.list',
  'ReviewCommentService.list',
  'AccessReviewSetupEntitlementAndScopeService.getCampaignScopeAndEntitlements',
  'AccessReviewService.list',
  'ReviewSearchService.search',
  'AccessReviewTemplateSetupEntitlementService.getScopeAndEntitlements',
  'ReviewProgressService.listApps',
  'ReviewTombstoneService.list',
  'ReviewIndependenceService.listRelatedDecisions',
  'RollForwardService.listLines',
  'ReviewArrivalService.list',
  'ConflictAlertService.list',
  // What a monitor watches, until somebody takes it out.
  'ConflictMonitorService.listEntitlements',
  'RevocationService.list',
  // Days on which access to it was held.
  'CoverageService.listApps',
  'CoverageService.listGaps',
  'ReviewSelectionService.listSelections',
]);

describe('a deleted app', () => {
  let server: TestServer;
  let world: World;
  const samples = new Map<Operation, Sample>();

  const ask = async (operation: Operation, fields: object = {}) => {
    const sample = samples.get(operation) ?? (await sampleOf(operation, world, server.admin));
    samples.set(operation, sample);
    return send(server, server.admin, operation, { ...sample, fields: { ...sample.fields, page_size: 100, ...fields } });
  };
  const isInside = (operation: Operation): boolean =>
    contractRoute(operation.desc).template.includes('{app_id}') && samples.get(operation)?.path?.app_id === world.appId;
  /** The lists in whose answers the app stands, or all that is in them that came from it. */
  const whereItIs = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const operation of lists.filter(({ name }) => !ofThePast.has(name))) {
      const { status, body } = await ask(operation);
      if (isInside(operation) ? status !== 404 : status === 200 && JSON.stringify(body).includes(world.appId)) {
        found.push(operation.name);
      }
    }
    return found;
  };

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    // The job waits until it is let.
    await server.test.admin(`CREATE FUNCTION wait_a_day() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.run_at := NEW.run_at + interval '1 day'; RETURN NEW; END $$`);
    await server.test.admin(`CREATE TRIGGER wait_a_day BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.kind = 'app.end-access')
      EXECUTE FUNCTION wait_a_day()`);
  }, 240_000);
  afterAll(() => server.stop());

  it('is in no list any more', async () => {
    const before = await whereItIs();
    const admin = (method: string, path: string, body?: unknown) => world.call(server.admin, method, path, body);
    expect(before.length).toBeGreaterThan(25);

    const { body: view } = await admin('GET', `/api/v1/apps/${world.appId}/entitlements/${world.entitlementId}`);
    expect((await admin('DELETE', `/api/v1/apps/${world.appId}`)).status).toBe(200);
    const job = () => server.test.admin(`SELECT state FROM jobs WHERE kind = 'app.end-access' AND subject_id = $1`, [world.appId]);
    const open = async () =>
      (await server.test.admin('SELECT count(*)::int AS n FROM grants WHERE app_id = $1 AND removed_revision IS NULL', [world.appId]))[0];
    expect(await job()).toEqual([{ state: 'WAITING' }]);
    expect((await open())?.n).toBeGreaterThan(60);
    expect(await whereItIs()).toEqual([]);

    // Lists that the samples narrow, asked for what came from the app.
    const narrowed: [string, object][] = [
      ['search/users', { sourceAppIds: [world.appId] }],
      ['search/grants', { userId: world.userId }],
      ['search/grants', { appUserIds: [world.accountId] }],
      ['grants/feed', { userRefs: [{ id: world.userId }] }],
      ['grants/feed', { appRefs: [{ id: world.appId }] }],
    ];
    for (const [path, body] of narrowed) {
      const answer = await admin('POST', `/api/v1/${path}`, body);
      expect([path, body, answer.body.list ?? []]).toEqual([path, body, []]);
    }
    const [person] = (await admin('POST', '/api/v1/search/users', { ids: [world.userId] })).body.list as Loose[];
    expect(JSON.stringify(person)).not.toContain(world.appId);
    expect(view.appEntitlementView.appEntitlement.appId).toBe(world.appId);

    // Nor is it there for a review.
    const draftId = await world.makeDraft();
    const refused = await admin('POST', `/api/v1/access_review/${draftId}/action/prepare`, {});
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringMatching(/no app/)]);

    await server.test.admin(`UPDATE jobs SET run_at = now() WHERE kind = 'app.end-access'`);
    await expect.poll(job, { timeout: 60_000, interval: 50 }).toEqual([{ state: 'DONE' }]);
    expect(await open()).toEqual({ n: 0 });
    expect(await whereItIs()).toEqual([]);
  }, 240_000);
});
