/** A database of the release before: drafts with versions of their scope that were any text, and lists without an order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { makeTenantBefore, openDatabaseBefore } from '../../test/support/upgrade.ts';
import type { TestTenant } from '../../test/support/tenants.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openDatabaseBefore('_catalog.sql');
  tenant = await makeTenantBefore(test, 'ours.example');
});
afterAll(() => test.close());

it('reads every version of a scope as a whole number, and keeps owners in the order of their ids', async () => {
  const { id: tenantId } = tenant.tenant;
  const versions = ['', 'draft', '007', '-0', '12', '-3', '9'.repeat(30)];
  for (const [index, scopingVersion] of versions.entries()) {
    await test.admin(
      `INSERT INTO reviews (tenant_id, id, document, created_by_id, created_at, updated_at) VALUES ($1, $2, $3, '', now(), now())`,
      [tenantId, `review ${index}`, JSON.stringify({ displayName: 'x', scopingVersion })],
    );
  }
  await test.admin(
    `INSERT INTO reviews (tenant_id, id, document, created_by_id, created_at, updated_at) VALUES ($1, 'without', '{}', '', now(), now())`,
    [tenantId],
  );
  await test.admin(
    `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, 'app', 'App', 'app', now(), now())`,
    [tenantId],
  );
  for (const userId of [tenant.adminId, tenant.basicId]) {
    await test.admin(`INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, 'app', $2, now())`, [tenantId, userId]);
  }

  await migrate(test.database, silentLogger);
  const rows = await test.admin(`SELECT id, document ->> 'scopingVersion' AS version FROM reviews WHERE tenant_id = $1 ORDER BY id`, [
    tenantId,
  ]);
  expect(rows.map(({ version }) => version)).toEqual(['0', '0', '7', '0', '12', '-3', '0', null]);
  const owners = await test.admin(`SELECT user_id AS id FROM app_owners WHERE app_id = 'app' ORDER BY place, user_id`);
  expect(owners.map(({ id }) => id)).toEqual([tenant.adminId, tenant.basicId].sort());
});
