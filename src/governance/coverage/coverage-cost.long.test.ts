/** Rows that coverage goes through over 100,000 grants of twenty apps, each certified in two reviews: a page of it is read while somebody waits. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodesOf, watchPlans } from '../../../test/support/plans.ts';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { readApps, readCoverage, readGaps } from './read.ts';
import { findFacts } from './requirements.ts';

const grants = 100_000;
/** Rows of all steps of the plans for each grant. */
const mostRowsEach = 40;
let test: TwoTenants;
let admin: Context;
const period = { fromDay: '2025-03-01', untilDay: '2026-03-01', validDays: 180 };

/** Rows that its statements go through for each grant; the time is printed alone, since it depends on the machine. */
async function measure(what: string, work: (context: Context) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work(admin);
  const took = performance.now() - began;
  const { context, plans } = watchPlans(admin);
  await work(context);
  expect(plans.length).toBeGreaterThan(0);
  const rows = plans
    .flatMap(nodesOf)
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
  const each = rows / grants;
  process.stdout.write(`coverage of ${grants} grants, ${what}: ${Math.round(took)} ms, ${each.toFixed(1)} rows for each grant\n`);
  return each;
}

beforeAll(async () => {
  test = await openTwoTenants();
  admin = test.ours.admin;
  const { tenantId, db } = admin;
  await db.run(
    `INSERT INTO apps (tenant_id, id, display_name, name_key, document, created_at, updated_at)
     SELECT $1, 'app-' || n, 'App ' || n, 'app-' || n, '{}', '2025-01-01', '2025-01-01' FROM generate_series(0, 19) n`,
    [tenantId],
  );
  await db.run(
    `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at, ended_at)
     SELECT $1, 'app-' || n % 20, 'right-' || n % 400, 'account-' || n / 20, 1 + n % 3, CASE WHEN n % 10 = 0 THEN 500 END,
       timestamptz '2025-01-01' + make_interval(days => n % 200), '2025-01-01', CASE WHEN n % 10 = 0 THEN timestamptz '2025-12-01' END
     FROM generate_series(0, $2::int - 1) n`,
    [tenantId, grants],
  );
  for (const [number, day] of ['2025-04-01', '2025-10-01'].entries()) {
    await db.run(
      `INSERT INTO reviews (tenant_id, id, state, document, created_by_id, prepared_revision, started_at, closed_at, created_at, updated_at)
       VALUES ($1, $2, 'CLOSED', '{}', '', 10, $3, $3::timestamptz + interval '20 days', $3, $3)`,
      [tenantId, `review-${number}`, day],
    );
    await db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, state, outcome, end_reason, decided_by_id,
         ended_at, created_at, updated_at)
       SELECT $1, 'task-' || $3::int || '-' || n, $4, 0, 'app-' || n % 20, 'right-' || n % 400, 'account-' || n / 20, 'policy', 'CLOSED',
         CASE WHEN n % 10 = 0 THEN 'DECERTIFIED' ELSE 'CERTIFIED' END, 'DECIDED', 'somebody', $5::timestamptz + make_interval(days => n % 20), $5, $5
       FROM generate_series(0, $2::int - 1) n WHERE n % 7 <> $3::int`,
      [tenantId, grants, number, `review-${number}`, day],
    );
  }
  await test.admin('ANALYZE grants, tasks, reviews, apps');
}, 300_000);
afterAll(() => test.close());

it('is counted while somebody waits, over all apps, for a page of them, for the gaps of one, and for requirements', async () => {
  const rows = [
    await measure('all apps', (context) => readCoverage(context, period, '')),
    await measure('a page of 20 apps', (context) => readApps(context, period, '', 20)),
    await measure('gaps of one app', (context) => readGaps(context, period, 'app-3', undefined, 100)),
    await measure('requirements', findFacts),
  ];
  expect(Math.max(...rows)).toBeLessThan(mostRowsEach);
});
