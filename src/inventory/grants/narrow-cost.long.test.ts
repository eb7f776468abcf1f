/**
 * Costs of narrowing an app's grants and of counting its changes, counted in pages of the database that are touched, as the role of production.
 * COUNTERSIGN_GRANTS says of how many grants; with COUNTERSIGN_PLANS the times and pages are printed, for people.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import { buffersOf, watchPlans } from '../../../test/support/plans.ts';
import type { Context } from '../../context.ts';
import { findNamed } from './find-named.ts';
import { countChanges, listUses } from './store-activity.ts';
import { type AppGrantFilter, listGrants, listStart } from './store-list.ts';

const grants = Number(process.env['COUNTERSIGN_GRANTS'] ?? 100_000);
const isPrinted = (process.env['COUNTERSIGN_PLANS'] ?? '') !== '';
/** Each account holds ten entitlements; each is held by 200 accounts. */
const accounts = grants / 10;
const entitlements = grants / 200;

describe('narrowing the grants of an app', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let app: ManualApp;

  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
    app = await makeManualApp(tenant.context(), 'big', 1, 1);
    const of = [tenant.tenantId, app.appId] as const;
    await test.admin(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, account_type, created_at, updated_at)
       SELECT $1, $2, 'acct' || lpad(n::text, 23, '0'), 'acct-' || n, 'Worker ' || n, CASE WHEN n % 5000 = 0 THEN 'SERVICE_ACCOUNT' ELSE 'USER' END,
         now(), now() FROM generate_series(1, $3::integer) n`,
      [...of, accounts],
    );
    await test.admin(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, grant_count, created_at, updated_at)
       SELECT $1, $2, 'ent' || lpad(n::text, 24, '0'), 'right-' || n, 'Right ' || n, 200, now(), now() FROM generate_series(1, $3::integer) n`,
      [...of, entitlements],
    );
    await test.admin(
      `INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, made_at)
       SELECT $1, 1000 + n, $2, 'MANUAL', '2026-01-01'::timestamptz + n * interval '1 day' FROM generate_series(0, 99) n`,
      [...of],
    );
    // Of every hundred grants one came with each revision; every twentieth has ended with the last.
    await test.admin(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at, ended_at)
       SELECT $1, $2, 'ent' || lpad((1 + (a * 10 + k) % $4)::text, 24, '0'), 'acct' || lpad(a::text, 23, '0'), 1000 + a % 100,
         CASE WHEN a % 20 = 0 THEN 1099 END, '2026-01-01'::timestamptz + (a % 100) * interval '1 day', now(),
         CASE WHEN a % 20 = 0 THEN '2026-04-10'::timestamptz END
       FROM generate_series(1, $3::integer) a CROSS JOIN generate_series(0, 9) k`,
      [...of, accounts, entitlements],
    );
    await test.admin(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at)
       SELECT $1, 'person' || lpad(n::text, 21, '0'), n || '@x.example', n || '@x.example', CASE WHEN n = 1 THEN 'Mare' ELSE 'Person ' || n END, now(), now()
       FROM generate_series(1, $2::integer) n`,
      [tenant.tenantId, accounts],
    );
    await test.admin(
      `UPDATE accounts SET user_id = 'person' || lpad(($3::integer - right(id, 23)::integer)::text, 21, '0')
       WHERE tenant_id = $1 AND app_id = $2 AND id LIKE 'acct0%' AND right(id, 23)::integer < $3::integer`,
      [...of, accounts],
    );
    await test.admin('VACUUM ANALYZE');
  }, 1_200_000);
  afterAll(() => test.close());

  async function measure(name: string, list: (context: Context) => Promise<readonly unknown[] | undefined>) {
    const { context, plans } = watchPlans(tenant.context());
    const found = await list(context);
    const began = performance.now();
    await list(tenant.context());
    if (isPrinted) {
      console.log(`${name}: ${(performance.now() - began).toFixed(1)} ms, ${buffersOf(plans)} pages, ${found?.length ?? 'too many'} rows`);
    }
    return { rows: found?.length, buffers: buffersOf(plans) };
  }
  const page =
    (filter: Partial<AppGrantFilter>, after = listStart) =>
    async (context: Context) => {
      const whole: AppGrantFilter = { appId: app.appId, includeEnded: false, ...filter };
      return listGrants(context, whole, after, 101, await findNamed(context, whole));
    };
  const right = `ent${'12'.padStart(24, '0')}`;
  const deep = { ...listStart, entitlementId: `ent${String(entitlements / 2).padStart(24, '0')}` };

  it.each<[string, () => (context: Context) => Promise<readonly unknown[] | undefined>, number]>([
    ['of an app', () => page({}), 101],
    ['of an app, ended ones too, deep', () => page({ includeEnded: true }, deep), 101],
    ['as of a time', () => page({ asOf: new Date('2026-03-01') }), 101],
    ['by words that one account has', () => page({ query: `acct-${accounts - 1}` }), 10],
    ['by words that nothing has', () => page({ query: 'no such words' }), 0],
    ['by words that every account has', () => page({ query: 'worker' }), 101],
    ['by the name of an entitlement', () => page({ query: `right-${entitlements}` }), 101],
    ['by words of one account and of its entitlement', () => page({ query: `acct-${accounts - 1} right` }), 10],
    ['by words of every account and of one entitlement', () => page({ query: `worker right-${entitlements}` }), 101],
    ['by words of which nothing has one', () => page({ query: 'worker nobody' }), 0],
    ['by words that everything has', () => page({ query: 'worker right' }), 101],
    ['by words of an account and of its owner', () => page({ query: `acct-${accounts - 1} mare` }), 10],
    ['by words of a person and of an entitlement', () => page({ query: `mare right-${entitlements - 1}`, includeEnded: true }), 1],
    ['of a rare type', () => page({ accountType: 'SERVICE_ACCOUNT', includeEnded: true }), Math.min(101, (accounts / 5000) * 10)],
    ['of a type without accounts', () => page({ accountType: 'SYSTEM_ACCOUNT' }), 0],
    ['of the common type', () => page({ accountType: 'USER' }), 101],
    ['of an entitlement, by words', () => page({ entitlementId: right, query: 'worker' }), 101],
    ['when entitlements were used', () => (context) => listUses(context, { appId: app.appId, ids: undefined }, '', 101), 101],
    ['what changed in ten days', () => (context) => countChanges(context, app.appId, new Date('2026-03-31T12:00:00Z'), 100_000), -1],
  ])('%s costs in proportion to a page', async (name, of, expected) => {
    const { rows, buffers } = await measure(name, of());
    if (expected >= 0) {
      expect([name, rows]).toEqual([name, expected]);
    } else {
      expect(rows).toBeGreaterThan(0);
    }
    // Ten days are a tenth of all additions, and each is an entry of an index.
    expect(buffers).toBeLessThan(expected < 0 ? grants / 4 : 6_000);
  });
});
