/**
 * Cost of a page of grants, counted in pages of the database that are touched, as the role of production: it follows the page, not all there is or
 * was. And what happens when several people change the same at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import { buffersOf, watchPlans } from '../../../test/support/plans.ts';
import { inTransaction, type Context } from '../../context.ts';
import { addAccounts, endGrants, giveGrants, takeRevision } from '../ledger/index.ts';
import { addMembers } from './add-members.ts';
import { changeDuration } from './change-duration.ts';
import { removeMembership } from './remove-membership.ts';
import { type FeedFilter, type FeedRow, feedStart, listFeed, listPastGrants } from './store-feed.ts';
import { listGrants, listStart } from './store-list.ts';
import { type GrantFilter, listOpenGrants } from './store-search.ts';

const accounts = 12_000;
/** A page of 101 rows touches a few index pages for each row at the most. */
const mostBuffers = 1_500;

describe('a page of grants', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let app: ManualApp;
  /** In order. */
  let ids: readonly string[];

  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
    const context = tenant.context();
    app = await makeManualApp(context, 'big', 4, 1);
    const other = await makeManualApp(context, 'small', 1, 2);
    const change = async (work: (inside: Context, revision: number) => Promise<unknown>): Promise<void> => {
      await inTransaction(context, async (inside) => work(inside, await takeRevision(inside, app.appId, 'MANUAL')));
    };
    await change(async (inside, revision) => {
      const made = Array.from({ length: accounts }, (_, index) => ({
        externalId: `a${index}`,
        email: '',
        displayName: '',
        userId: app.userIds[0] ?? '',
      }));
      ids = [...(await addAccounts(inside, { appId: app.appId, revision, sourceNo: 0 }, made)).values()].sort();
    });
    for (const entitlementId of app.entitlementIds) {
      const pairs = ids.map((accountId) => ({ entitlementId, accountId }));
      await change((inside, revision) => giveGrants(inside, { appId: app.appId, revision, sourceNo: 0 }, pairs));
    }
    const ended = ids.slice(0, accounts / 2).map((accountId) => ({ entitlementId: app.entitlementIds[0] ?? '', accountId }));
    await change((inside, revision) => endGrants(inside, { appId: app.appId, revision, sourceNo: 0 }, ended));
    await addMembers(context, other.appId, other.entitlementIds[0] ?? '', other.userIds);
    await test.admin(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, grant_count, created_at, updated_at)
       SELECT $1, $2, 'many' || lpad(n::text, 23, '0'), 'many' || n, 'Many ' || n, 1, now(), now() FROM generate_series(1, 10000) n`,
      [tenant.tenantId, other.appId],
    );
    await test.admin('ANALYZE');
  }, 240_000);
  afterAll(() => test.close());

  /** The pages of the database that a list touches for what it asks. */
  async function countBuffers(list: (context: Context) => Promise<readonly unknown[]>): Promise<{ rows: number; buffers: number }> {
    const { context, plans } = watchPlans(tenant.context());
    const found = await list(context);
    return { rows: found.length, buffers: buffersOf(plans) };
  }

  const middle = () => ({ appId: app.appId, entitlementId: app.entitlementIds[2] ?? '', accountId: ids[accounts / 2] ?? '' });
  const deep = () => ({ revision: 3, entitlementId: app.entitlementIds[1] ?? '', accountId: ids[accounts / 2] ?? '', type: 'A' as const });
  const refOf = (place: number) => ({ appId: app.appId, id: app.entitlementIds[place] ?? '' });
  const accessRef = () => ({ appId: app.appId, id: app.appAccessId });
  it.each<[string, (context: Context) => Promise<readonly unknown[]>]>([
    ['the first of all', (context) => listOpenGrants(context, {}, { appId: '', entitlementId: '', accountId: '' }, 101)],
    ['in the middle of all', (context) => listOpenGrants(context, {}, middle(), 101)],
    ['of an app', (context) => listOpenGrants(context, { appIds: [app.appId] }, middle(), 101)],
    ['of an entitlement', (context) => listOpenGrants(context, { slugs: ['e2'] }, middle(), 101)],
    ['of the feed', (context) => listFeed(context, {}, feedStart, 101)],
    ['deep in the feed', (context) => listFeed(context, {}, deep(), 101)],
    ['of the feed of an app', (context) => listFeed(context, { appIds: [app.appId] }, deep(), 101)],
    ['of the feed of an entitlement', (context) => listFeed(context, { entitlements: [refOf(0)] }, feedStart, 101)],
    ['deep in the feed of some', (context) => listFeed(context, { entitlements: [refOf(1), refOf(0), refOf(1)] }, deep(), 101)],
    ['of the feed of app access', (context) => listFeed(context, { entitlements: [accessRef()] }, feedStart, 101)],
    ['of the past of an entitlement', (context) => listPastGrants(context, { entitlements: [refOf(0)] }, feedStart, 101)],
    ['of the past', (context) => listPastGrants(context, { appIds: [app.appId] }, feedStart, 101)],
    [
      'of an app with its history',
      (context) => listGrants(context, { appId: app.appId, includeEnded: true }, { ...listStart, ...middle() }, 101),
    ],
  ])('%s costs in proportion to itself', async (name, list) => {
    const { rows, buffers } = await countBuffers(list);
    expect([name, rows]).toEqual([name, 101]);
    expect(buffers).toBeLessThan(mostBuffers);
    expect(buffers).toBeGreaterThan(0);
  });

  it.each<[string, () => GrantFilter]>([
    ['its reference', () => ({ entitlementRefs: [`${app.appId}/${app.entitlementIds[2]}`] })],
    ['its slug', () => ({ slugs: ['e2', 'no such'] })],
  ])('of an entitlement among many is found by %s', async (_name, filterOf) => {
    const { rows, buffers } = await countBuffers((context) => listOpenGrants(context, filterOf(), middle(), 101));
    expect(rows).toBe(101);
    expect(buffers).toBeLessThan(150);
  });

  it('of what many hold is the same as of the app, less the rest', async () => {
    const context = tenant.context();
    const all = async (list: typeof listFeed, filter: FeedFilter): Promise<string[]> => {
      const found: FeedRow[] = [];
      for (let last = feedStart, size = 1000; size === 1000; last = found.at(-1) ?? last) {
        const page = await list(context, filter, last, 1000);
        found.push(...page);
        size = page.length;
      }
      return found.map((row) => [row.revision, row.entitlementId, row.accountId, row.type].join(' '));
    };
    for (const list of [listFeed, listPastGrants]) {
      const ofApp = await all(list, { appIds: [app.appId] });
      for (const chosen of [[0], [1, 3], [0, 0, 2]]) {
        const refs = chosen.map(refOf);
        const expected = ofApp.filter((row) => refs.some(({ id }) => row.includes(id)));
        expect(await all(list, { entitlements: refs })).toEqual(expected);
        expect(
          await all(list, { entitlements: [...refs, { appId: app.appId, id: 'nothing' }, { appId: 'other', id: refOf(3).id }] }),
        ).toEqual(expected);
      }
    }
    expect(await all(listFeed, { entitlements: [refOf(0)] })).toHaveLength(accounts * 1.5);
    expect(await all(listFeed, { entitlements: [accessRef()] })).toHaveLength(accounts);
    expect(await all(listPastGrants, { entitlements: [accessRef()] })).toEqual([]);
    expect(await all(listFeed, { entitlements: [refOf(0)], appIds: ['other'] })).toEqual([]);
    const { madeAt } = await context.db.one<{ madeAt: Date }>(
      'SELECT max(r.made_at) AS "madeAt" FROM inventory_revisions r WHERE r.tenant_id = $1 AND r.app_id = $2',
      [context.tenantId, app.appId],
    );
    expect(await all(listFeed, { entitlements: [refOf(0)], before: madeAt })).toEqual([]);
    expect(await all(listFeed, { entitlements: [refOf(0)], after: madeAt })).toHaveLength(accounts * 1.5);
  });

  it('of an account costs in proportion to what it holds', async () => {
    const start = { appId: '', entitlementId: '', accountId: '' };
    const { rows, buffers } = await countBuffers((context) => listOpenGrants(context, { accountIds: ids.slice(-1) }, start, 101));
    expect(rows).toBe(5);
    expect(buffers).toBeLessThan(200);
  });

  it('is what it is after one of many changes at once', async () => {
    const context = tenant.context(new Date(Date.now() + 60_000));
    const busy = await makeManualApp(context, 'busy', 1, 2);
    const entitlementId = busy.entitlementIds[0] ?? '';
    const again = Array.from({ length: 8 });
    await Promise.all(again.map(() => addMembers(context, busy.appId, entitlementId, busy.userIds)));
    const held = () => listGrants(context, { appId: busy.appId, entitlementId, includeEnded: true }, listStart, 100);
    expect(await held()).toHaveLength(2);
    const [{ accountId } = { accountId: '' }] = await held();
    const until = new Date(context.now.getTime() + 3_600_000);
    await Promise.all(
      again.map((_, index) => changeDuration(context, busy.appId, { entitlementId, accountId }, index % 2 === 0 ? until : null)),
    );
    const results = await Promise.allSettled(again.map(() => removeMembership(context, busy.appId, entitlementId, accountId)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await held()).filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
    const { count } = await context.db.one<{ count: number }>(
      'SELECT grant_count AS count FROM entitlements WHERE tenant_id = $1 AND id = $2',
      [context.tenantId, entitlementId],
    );
    expect(count).toBe(1);
  });
});
