/** People who own something: themselves and through entitlements, in whatever role, and at what cost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textPlanOf } from '../../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from './store-owner-people.ts';
import { insertOwners } from './store-owners.ts';

let two: TwoTenants;
const insert = (text: string): Promise<unknown> => two.admin(text.replaceAll('$T', `'${two.ours.tenant.id}'`));
const peopleOf = async (kind: 'app' | 'entitlement' | 'resource', ...ids: string[]): Promise<string[]> => {
  const things = sql`SELECT 'app'::text, n.id FROM unnest(${ids}::text[]) AS n (id)`;
  const rows = await two.ours.admin.db.rows<{ id: string; user_id: string }>(
    sql`SELECT * FROM (${getOwnerPeopleSql(two.ours.admin, kind, things)}) p ORDER BY p.id, p.user_id`,
  );
  return rows.map((row) => `${row.id} ${row.user_id}`);
};

beforeAll(async () => {
  two = await useTwoTenants();
  await insert(`INSERT INTO users (tenant_id, id, email, email_key, status, user_type, created_at, updated_at)
    SELECT $T, 'p' || n, 'p' || n || '@x.example', 'p' || n || '@x.example', CASE WHEN n = 4 THEN 'DISABLED' ELSE 'ENABLED' END,
      CASE WHEN n = 5 THEN 'SERVICE' ELSE 'HUMAN' END, now(), now() FROM generate_series(1, 8) n`);
  await insert(
    `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($T, 'app', 'App', 'app', now(), now())`,
  );
  await insert(`INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
    SELECT $T, 'app', n, n, n, now(), now() FROM unnest(ARRAY['group', 'crowd', 'e1', 'e2']) n`);
  await insert(`INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, status, created_at, updated_at)
    SELECT $T, 'app', 'a' || n, 'a' || n, CASE WHEN n <= 8 THEN 'p' || n END, CASE WHEN n = 3 THEN 'DELETED' ELSE 'ENABLED' END, now(), now()
    FROM generate_series(1, 1100) n`);
  // The group is a2 to a5, and a6 no longer; the crowd is everybody.
  await insert(`INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at)
    SELECT $T, 'app', 'group', 'a' || n, 1, CASE WHEN n = 6 THEN 2 END, now(), now() FROM generate_series(2, 6) n`);
  await insert(`INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at)
    SELECT $T, 'app', 'crowd', 'a' || n, 1, now(), now() FROM generate_series(1, 1100) n`);
  await insert('ANALYZE');
});
afterAll(() => two.close());

it('finds enabled people of every role, themselves and as holders of an owning entitlement', async () => {
  const { admin } = two.ours;
  await insertOwners(admin, { kind: 'entitlement', appId: 'app', id: 'e1' }, ['p1', 'p4', 'p7']);
  await insertOwners(admin, { kind: 'entitlement', appId: 'app', id: 'e1' }, ['p1', 'p8'], 'people', 'steward');
  await insertOwners(admin, { kind: 'entitlement', appId: 'app', id: 'e1' }, ['app/group'], 'entitlements', 'steward');
  await insertOwners(admin, { kind: 'entitlement', appId: 'app', id: 'e2' }, ['app/group'], 'entitlements');
  await insertOwners(admin, { kind: 'app', appId: 'app', id: 'app' }, ['app/group'], 'entitlements');
  // a3 is deleted, p4 disabled, p5 a service principal, and a6 holds the group no longer.
  expect(await peopleOf('entitlement', 'e1', 'e2', 'group')).toEqual(['e1 p1', 'e1 p2', 'e1 p7', 'e1 p8', 'e2 p2']);
  expect(await peopleOf('app', 'app')).toEqual(['app p2']);
  expect(await peopleOf('resource', 'e1')).toEqual([]);
});

it('finds nobody through an entitlement that more than 1,000 accounts hold, and reads no further than that', async () => {
  const { admin } = two.ours;
  await insertOwners(admin, { kind: 'resource', appId: 'app', id: 'r' }, ['app/crowd'], 'entitlements');
  expect(await peopleOf('resource', 'r')).toEqual([]);
  const plan = await textPlanOf(admin, 'ANALYZE', getOwnerPeopleSql(admin, 'resource', sql`SELECT 'app'::text, 'r'::text`));
  expect(Math.max(...[...plan.matchAll(/actual [^)]*rows=(\d+)/g)].map(([, rows]) => Number(rows)))).toBeLessThanOrEqual(1001);
});

it('finds nobody of another tenant', async () => {
  const rows = await two.theirs.admin.db.rows(getOwnerPeopleSql(two.theirs.admin, 'entitlement', sql`SELECT 'app'::text, 'e1'::text`));
  expect(rows).toEqual([]);
});
