/** The common path of changes: what is given and ended, whose it is, in which order it is reported, and what of another tenant it touches. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import { inTransaction, type Context } from '../../context.ts';
import { addAccounts, endAccounts, endGrants, type GrantChange, giveGrants } from './change-access.ts';
import { takeRevision } from './take-revision.ts';
import { type FeedPlace, type FeedRow, feedStart, listFeed, listPastGrants } from '../grants/store-feed.ts';
import { listGrants, listStart } from '../grants/store-list.ts';

describe('changes of grants', () => {
  let test: TestDatabase;
  let ours: TestTenant;
  let theirs: TestTenant;
  let app: ManualApp;
  let accountIds: readonly string[];
  let number = 0;

  /** Does it under a revision of its own. */
  const change = <T>(work: (context: Context, change: GrantChange) => Promise<T>, sourceNo = 0, tenant = ours): Promise<T> =>
    inTransaction(tenant.context(new Date(1_800_000_000_000 + 1000 * number++)), async (context) =>
      work(context, { appId: app.appId, revision: await takeRevision(context, app.appId, 'MANUAL'), sourceNo }),
    );
  const pair = (entitlement: number, account: number) => ({
    entitlementId: app.entitlementIds[entitlement] ?? '',
    accountId: accountIds[account] ?? '',
  });
  const counts = async (): Promise<number[]> => {
    const rows = await ours
      .context()
      .db.rows<{ id: string; count: number }>('SELECT id, grant_count AS count FROM entitlements WHERE app_id = $1', [app.appId]);
    return [app.appAccessId, ...app.entitlementIds].map((id) => rows.find((row) => row.id === id)?.count ?? -1);
  };
  const userCount = async (): Promise<number> =>
    (await ours.context().db.one<{ n: number }>('SELECT user_count AS n FROM apps WHERE id = $1', [app.appId])).n;
  async function all(list: typeof listFeed, size: number): Promise<FeedRow[]> {
    const found: FeedRow[] = [];
    for (;;) {
      const last: FeedPlace = found.at(-1) ?? feedStart;
      const page = await list(ours.context(), { appIds: [app.appId] }, last, size);
      found.push(...page);
      if (page.length < size) {
        return found;
      }
    }
  }

  beforeAll(async () => {
    test = await openFixture();
    ours = makeTenant(test);
    theirs = makeTenant(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    app = await makeManualApp(ours.context(), `app${number++}`, 4, 4);
    const made = await change((context, its) =>
      addAccounts(
        context,
        its,
        app.userIds.map((userId, index) => ({ externalId: `a${index}`, email: '', displayName: '', userId })),
      ),
    );
    accountIds = app.userIds.map((_, index) => made.get(`a${index}`) ?? '');
  });

  it('give what is not held, once, and say what they gave', async () => {
    expect(new Set(accountIds).size).toBe(4);
    const first = await change((context, its) => giveGrants(context, its, [pair(0, 0), pair(0, 1), pair(0, 0)]));
    expect(first).toHaveLength(2);
    expect(await change((context, its) => giveGrants(context, its, [pair(0, 1), pair(1, 2)]))).toEqual([pair(1, 2)]);
    expect(await change((context, its) => giveGrants(context, its, []))).toEqual([]);
    expect(await counts()).toEqual([4, 2, 1, 0, 0]);
    expect(await userCount()).toBe(4);
  });

  it('end what is of their source alone', async () => {
    await change((context, its) => giveGrants(context, its, [pair(0, 0)]), 7);
    await change((context, its) => giveGrants(context, its, [pair(0, 0), pair(0, 1)]));
    expect(await change((context, its) => endGrants(context, its, [pair(0, 0), pair(0, 1), pair(3, 3)]))).toEqual([pair(0, 1)]);
    expect(await counts()).toEqual([4, 1, 0, 0, 0]);
    expect(await change((context, its) => endGrants(context, its, [pair(0, 0)]), 7)).toEqual([pair(0, 0)]);
    expect(await counts()).toEqual([4, 0, 0, 0, 0]);
  });

  it('end accounts with all they hold, whoever gave it, and bring them back as themselves', async () => {
    await change((context, its) => giveGrants(context, its, [pair(0, 0), pair(0, 1)]), 7);
    await change((context, its) => giveGrants(context, its, [pair(1, 0)]));
    expect(await change((context, its) => endAccounts(context, its, [accountIds[0] ?? '']))).toHaveLength(3);
    expect(await change((context, its) => endAccounts(context, its, [accountIds[0] ?? '']))).toEqual([]);
    expect([await counts(), await userCount()]).toEqual([[3, 1, 0, 0, 0], 3]);
    const back = await change(
      (context, its) => addAccounts(context, its, [{ externalId: 'a0', email: '', displayName: '', userId: app.userIds[3] ?? '' }]),
      7,
    );
    expect(back.get('a0')).toBe(accountIds[0]);
    expect([await counts(), await userCount()]).toEqual([[4, 1, 0, 0, 0], 4]);
    const { before, account } = await ours.context().db.one<{ before: { status: string }[]; account: object }>(
      `SELECT json_agg(c.before ORDER BY c.revision) AS before, (SELECT row_to_json(a) FROM accounts a WHERE a.id = $1) AS account
       FROM account_changes c WHERE c.account_id = $1`,
      [accountIds[0]],
    );
    expect(before.map(({ status }) => status)).toEqual(['ENABLED', 'DELETED']);
    expect(account).toMatchObject({ user_id: app.userIds[3], source_no: 7, status: 'ENABLED', deleted_at: null });
  });

  it('are reported once each, in pages of any size, also where one revision takes and gives back the same', async () => {
    const many = [0, 1, 2, 3].flatMap((entitlement) => [3, 1, 0, 2].map((account) => pair(entitlement, account)));
    await change((context, its) => giveGrants(context, its, many));
    await change(async (context, its) => {
      await endGrants(context, its, many.slice(3));
      await giveGrants(context, its, many.slice(5, 9));
    });
    const whole = await all(listFeed, 1000);
    expect(whole.map(({ type }) => type).sort()).toEqual([...'A'.repeat(20), ...'R'.repeat(13)]);
    const keys = whole.map((row) => `${10_000 - row.revision} ${row.entitlementId} ${row.accountId} ${row.type}`);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(33);
    for (const size of [1, 2, 3, 7]) {
      expect(await all(listFeed, size)).toEqual(whole);
    }
    const past = await all(listPastGrants, 1000);
    expect(past).toEqual(whole.filter(({ type }) => type === 'R'));
    expect(await all(listPastGrants, 2)).toEqual(past);
    // The first three stayed, and four of the others came back: three of the second entitlement, one of the third.
    expect(await counts()).toEqual([4, 3, 3, 1, 0]);
    const lives = await listGrants(ours.context(), { appId: app.appId, includeEnded: true }, listStart, 1000);
    expect(lives.filter(({ isDerived }) => !isDerived)).toHaveLength(20);
  });

  it('neither see nor touch what is of another tenant', async () => {
    await change((context, its) => giveGrants(context, its, [pair(0, 0)]));
    const before = await counts();
    expect(await change((context, its) => endGrants(context, its, [pair(0, 0)]), 0, theirs)).toEqual([]);
    expect(await change((context, its) => endAccounts(context, its, [...accountIds]), 0, theirs)).toEqual([]);
    expect(await counts()).toEqual(before);
    expect(await listFeed(theirs.context(), { appIds: [app.appId] }, feedStart, 10)).toEqual([]);
    expect(await listGrants(theirs.context(), { appId: app.appId, includeEnded: true }, listStart, 10)).toEqual([]);
  });
});
