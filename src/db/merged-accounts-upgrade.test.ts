/** A database of the release before names had keys: an account that was stored twice, with what both hold and an open removal of one. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { makeTenant, type TestTenant } from '../../test/support/inventory.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { jobKinds } from '../outward/name-merges/index.ts';
import { importGrants } from '../inventory/syncs/import-grants.ts';
import { silentLogger } from '../context.ts';
import { createRunner } from '../jobs/index.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
let tenant: TestTenant;
const now = new Date(Date.UTC(2026, 5, 1));
const [nfc, nfd] = ['T\u00f6m', 'To\u0308m'];
beforeAll(async () => {
  test = await openDatabaseBefore('_name_keys.sql');
  tenant = makeTenant(test);
});
afterAll(() => test.close());

const insert = (table: string, row: Record<string, unknown>, at = 'created_at, updated_at'): Promise<unknown> => {
  const columns = Object.keys(row);
  return test.admin(
    `INSERT INTO ${table} (tenant_id, ${columns.join(', ')}, ${at})
     VALUES ($1, ${columns.map((_, place) => `$${place + 3}`).join(', ')}, ${at
       .split(', ')
       .map(() => '$2')
       .join(', ')})`,
    [tenant.tenantId, now, ...Object.values(row)],
  );
};

it('calls for the job that makes them one, and the next file adds nothing and ends nothing', async () => {
  await insert('apps', { id: 'app', display_name: 'Ledger', name_key: 'ledger', user_count: 3 });
  await insert('sources', { app_id: 'app', id: 's1', source_no: 1, display_name: 'files', name_key: 'files' });
  await insert('resource_types', { app_id: 'app', id: 't', external_id: 'resource', display_name: 'resource' });
  await insert('resources', { app_id: 'app', id: 'r', resource_type_id: 't', external_id: 'Ledger', display_name: 'Ledger' });
  const of = { app_id: 'app', resource_type_id: 't', resource_id: 'r', source_no: 1 };
  await insert('entitlements', {
    ...of,
    id: 'e0',
    resource_type_id: '',
    resource_id: '',
    external_id: '',
    is_app_access: true,
    display_name: 'App access',
    source_no: 0,
    grant_count: 3,
  });
  await insert('entitlements', { ...of, id: 'pay', external_id: 'Pay', display_name: 'Ledger Pay', grant_count: 3 });
  await insert('entitlements', { ...of, id: 'wiki', external_id: 'Wiki', display_name: 'Ledger Wiki', grant_count: 1 });
  await insert('inventory_revisions', { revision: 1, app_id: 'app', cause: 'IMPORT', sync_id: '', actor_id: '' }, 'made_at');
  await test.admin(
    `INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'inventory_revision', 1)
     ON CONFLICT (tenant_id, name) DO UPDATE SET value = 1`,
    [tenant.tenantId],
  );
  for (const [id, name] of [
    ['a1', nfc],
    ['a2', nfd],
    ['a3', 'ann'],
  ] as const) {
    await insert('accounts', { app_id: 'app', id, external_id: name, display_name: name, source_no: 1, added_revision: 1 });
    await insert('grants', { app_id: 'app', entitlement_id: 'e0', account_id: id, added_revision: 1, source_no: 1, is_derived: true });
    await insert('grants', { app_id: 'app', entitlement_id: 'pay', account_id: id, added_revision: 1, source_no: 1 });
  }
  await insert('grants', { app_id: 'app', entitlement_id: 'wiki', account_id: 'a2', added_revision: 1, source_no: 1 });
  await insert('revocations', {
    id: 'open',
    app_id: 'app',
    entitlement_id: 'wiki',
    account_id: 'a2',
    state: 'IN_PROGRESS',
    state_at: now,
    source_no: 1,
    requested_at: now,
  });
  await insert('revocations', {
    id: 'over',
    app_id: 'app',
    entitlement_id: 'wiki',
    account_id: 'a2',
    state: 'CANCELLED',
    state_at: now,
    source_no: 1,
  });

  await migrate(test.database, silentLogger);
  const held = () =>
    test.admin(
      `SELECT account_id AS account, array_agg(entitlement_id ORDER BY entitlement_id) AS held FROM grants WHERE removed_revision IS NULL GROUP BY 1 ORDER BY 1`,
    );
  expect(await held()).toHaveLength(3);
  const runner = createRunner({
    database: test.database,
    handlers: jobKinds,
    log: silentLogger,
    react: () => Promise.resolve(),
    pollMs: 20,
    clock: () => new Date(),
  });
  runner.start();
  await expect.poll(() => test.admin(`SELECT id FROM accounts WHERE merged_into_id = 'a1'`), { timeout: 60_000 }).toEqual([{ id: 'a2' }]);
  await runner.drain();
  expect(await held()).toEqual([
    { account: 'a1', held: ['e0', 'pay', 'wiki'] },
    { account: 'a3', held: ['e0', 'pay'] },
  ]);
  expect(await test.admin('SELECT id, account_id AS account FROM revocations ORDER BY id')).toEqual([
    { id: 'open', account: 'a1' },
    { id: 'over', account: 'a2' },
  ]);
  expect(await test.admin(`SELECT target_id AS id FROM events WHERE kind = 'account.merged'`)).toEqual([{ id: 'a1' }]);
  const file = `account,entitlement\n${nfd},Pay\n${nfd},Wiki\nann,Pay\n`;
  const done = await importGrants(
    tenant.context(),
    { app: 'Ledger', allowRemovals: true, sourceId: 's1' },
    { body: Readable.from([file]), encoding: '' },
  );
  expect(done).toMatchObject({ added: 0, removed: 0 });
  expect(await test.admin(`SELECT state FROM revocations WHERE id = 'open'`)).toEqual([{ state: 'IN_PROGRESS' }]);
});
