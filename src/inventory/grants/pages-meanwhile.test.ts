/**
 * Pages of grants while others give and take: the feed and the past show what there was when the first page was read, each event once; the
 * list of open grants shows each that is open all the while exactly once.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import { isAppError } from '../../errors.ts';
import { addMembers } from './add-members.ts';
import { removeMembership } from './remove-membership.ts';
import { type FeedFilter, type FeedRow, feedStart, listFeed, listPastGrants } from './store-feed.ts';
import { type GrantFilter, listOpenGrants } from './store-search.ts';

const entitlements = 3;
const people = 5;

interface Act {
  readonly isGiven: boolean;
  readonly entitlement: number;
  readonly person: number;
}
const act: fc.Arbitrary<Act> = fc.record({ isGiven: fc.boolean(), entitlement: fc.nat(entitlements - 1), person: fc.nat(people - 1) });
const acts = fc.array(act, { minLength: 4, maxLength: 20 });

describe('pages of grants while others give and take', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let round = 0;
  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
  });
  afterAll(() => test.close());

  async function perform({ isGiven, entitlement, person }: Act, app: ManualApp): Promise<void> {
    const context = tenant.context();
    const entitlementId = app.entitlementIds[entitlement] ?? '';
    if (isGiven) {
      await addMembers(context, app.appId, entitlementId, [app.userIds[person] ?? '']);
      return;
    }
    const account = await context.db.maybe<{ id: string }>(
      'SELECT id FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND user_id = $3',
      [context.tenantId, app.appId, app.userIds[person]],
    );
    await removeMembership(context, app.appId, entitlementId, account?.id ?? 'nobody').catch((error: unknown) => {
      if (!isAppError(error, 'NOT_FOUND')) {
        throw error;
      }
    });
  }

  /** An app with some history, and what is done beside each page. */
  async function begin(before: readonly Act[]): Promise<ManualApp> {
    const app = await makeManualApp(tenant.context(), `meanwhile${round++}`, entitlements, people);
    for (const one of [{ isGiven: true, entitlement: 0, person: 0 }, ...before]) {
      await perform(one, app);
    }
    return app;
  }

  const textOf = (row: FeedRow): string => [row.revision, row.entitlementId, row.accountId, row.type].join(' ');
  const filters: Record<string, (app: ManualApp) => FeedFilter> = {
    'an app': ({ appId }) => ({ appIds: [appId] }),
    entitlements: ({ appId, entitlementIds }) => ({ entitlements: entitlementIds.slice(1).map((id) => ({ appId, id })) }),
    people: ({ appId, userIds }) => ({ appIds: [appId], userIds: userIds.slice(0, 2) }),
  };

  it.each(Object.entries(filters))(
    'are those of the feed and the past of %s as they were',
    async (_name, filterOf) => {
      for (const list of [listFeed, listPastGrants]) {
        await fc.assert(
          fc.asyncProperty(acts, acts, fc.integer({ min: 1, max: 4 }), async (before, meanwhile, size) => {
            const app = await begin(before);
            const filter = filterOf(app);
            const expected = (await list(tenant.context(), filter, feedStart, 1000)).map(textOf);
            const found: FeedRow[] = [];
            for (let turn = 0; ; turn++) {
              const page = await list(tenant.context(), filter, found.at(-1) ?? feedStart, size);
              found.push(...page);
              if (page.length < size) {
                break;
              }
              await perform(meanwhile[turn % meanwhile.length] as Act, app);
            }
            expect(found.map(textOf)).toEqual(expected);
          }),
          { numRuns: runs(3, 8) },
        );
      }
    },
    300_000,
  );

  const searches: Record<string, (app: ManualApp) => GrantFilter> = {
    'an app': ({ appId }) => ({ appIds: [appId] }),
    'a person': ({ appId, userIds: [userId] }) => ({ appIds: [appId], userId }),
  };

  it.each(Object.entries(searches))(
    'are each open grant of %s once',
    async (_name, filterOf) => {
      await fc.assert(
        fc.asyncProperty(acts, acts, fc.integer({ min: 1, max: 4 }), async (before, meanwhile, size) => {
          const app = await begin(before);
          const filter = filterOf(app);
          const keyOf = (row: { entitlementId: string; accountId: string }): string => `${row.entitlementId} ${row.accountId}`;
          const start = { appId: '', entitlementId: '', accountId: '' };
          const readOpen = async (): Promise<Set<string>> =>
            new Set((await listOpenGrants(tenant.context(), filter, start, 1000)).map(keyOf));
          const always = await readOpen();
          const ever = new Set(always);
          const found: { appId: string; entitlementId: string; accountId: string }[] = [];
          for (let turn = 0; ; turn++) {
            const page = await listOpenGrants(tenant.context(), filter, found.at(-1) ?? start, size);
            found.push(...page);
            if (page.length < size) {
              break;
            }
            await perform(meanwhile[turn % meanwhile.length] as Act, app);
            const now = await readOpen();
            for (const key of always) {
              if (!now.has(key)) {
                always.delete(key);
              }
            }
            for (const key of now) {
              ever.add(key);
            }
          }
          const keys = found.map(keyOf);
          expect(keys).toEqual([...new Set(keys)].sort());
          expect([...always].filter((key) => !keys.includes(key))).toEqual([]);
          expect(keys.filter((key) => !ever.has(key))).toEqual([]);
        }),
        { numRuns: runs(4, 12) },
      );
    },
    300_000,
  );
});
