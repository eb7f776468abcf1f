/** A database of the release before names had keys: a resource type, a resource and an entitlement that were stored twice, and a file that comes before the job. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
const [nfc, nfd] = ['B\u00fcro', 'Bu\u0308ro'];
beforeEach(async () => {
  test = await openDatabaseBefore('_name_keys.sql');
  tenant = makeTenant(test);
});
afterEach(() => test.close());

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

/** Stores an app whose files wrote everything twice: `role/Büro/Büro` of a1 to a3 under the first ids, of a4 under the second, and `Wiki` there. */
async function storeTwice(): Promise<void> {
  await insert('apps', { id: 'app', display_name: 'Ledger', name_key: 'ledger', user_count: 4 });
  await insert('sources', { app_id: 'app', id: 's1', source_no: 1, display_name: 'files', name_key: 'files' });
  for (const [place, type, name] of [
    [1, nfc, nfc],
    [2, nfd, nfd],
  ] as const) {
    await insert('resource_types', { app_id: 'app', id: `type-${place}`, external_id: type, display_name: type });
    await insert('resources', {
      app_id: 'app',
      id: `room-${place}`,
      resource_type_id: `type-${place}`,
      external_id: name,
      display_name: name,
    });
  }
  const named = { app_id: 'app', source_no: 1 };
  await insert('entitlements', {
    app_id: 'app',
    id: 'access',
    external_id: '',
    is_app_access: true,
    display_name: 'App access',
    grant_count: 4,
  });
  for (const [id, place, name, count] of [
    ['key-1', 1, nfc, 3],
    ['key-2', 2, nfd, 1],
    ['wiki-2', 2, 'Wiki', 1],
  ] as const) {
    await insert('entitlements', {
      ...named,
      id,
      resource_type_id: `type-${place}`,
      resource_id: `room-${place}`,
      external_id: name,
      display_name: name,
      grant_count: count,
    });
  }
  await insert('inventory_revisions', { revision: 1, app_id: 'app', cause: 'IMPORT', sync_id: '', actor_id: '' }, 'made_at');
  await test.admin(
    `INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'inventory_revision', 1)
     ON CONFLICT (tenant_id, name) DO UPDATE SET value = 1`,
    [tenant.tenantId],
  );
  for (const id of ['a1', 'a2', 'a3', 'a4']) {
    await insert('accounts', { app_id: 'app', id, external_id: id, display_name: id, source_no: 1, added_revision: 1 });
    await insert('grants', { app_id: 'app', entitlement_id: 'access', account_id: id, added_revision: 1, source_no: 1, is_derived: true });
    await insert('grants', {
      app_id: 'app',
      entitlement_id: id === 'a4' ? 'key-2' : 'key-1',
      account_id: id,
      added_revision: 1,
      source_no: 1,
    });
  }
  await insert('grants', { app_id: 'app', entitlement_id: 'wiki-2', account_id: 'a4', added_revision: 1, source_no: 1 });
  const removal = { app_id: 'app', entitlement_id: 'key-2', account_id: 'a4', state_at: now, source_no: 1 };
  await insert('revocations', { ...removal, id: 'open', state: 'IN_PROGRESS', requested_at: now });
  await insert('revocations', { ...removal, id: 'over', state: 'CANCELLED' });
  await insert('review_templates', { id: 'template', document: '{}', created_by_id: '' });
  await insert('template_entitlements', { template_id: 'template', app_id: 'app', entitlement_id: 'key-2' }, 'created_at');
  await insert('template_resource_types', { template_id: 'template', app_id: 'app', resource_type_id: 'type-2' }, 'created_at');
}

const held = () =>
  test.admin(
    `SELECT entitlement_id AS id, array_agg(account_id ORDER BY account_id) AS held FROM grants WHERE removed_revision IS NULL AND NOT is_derived GROUP BY 1 ORDER BY 1`,
  );

async function sendFile(name: string): Promise<unknown> {
  const rows = ['a1', 'a2', 'a3', 'a4'].map((account) => `${account},${name},${name},${name}`);
  const file = ['account,resource_type,resource,entitlement', ...rows, `a4,${name},${name},Wiki`, ''].join('\n');
  const body = { body: Readable.from([file]), encoding: '' };
  const { added, removed, counts } = await importGrants(tenant.context(), { app: 'Ledger', allowRemovals: true, sourceId: 's1' }, body);
  return {
    added,
    removed,
    entitlements: counts?.entitlements?.added,
    resources: counts?.resources?.added,
    types: counts?.resourceTypes?.added,
  };
}

const same = { added: 0, removed: 0, entitlements: 0, resources: 0, types: 0 };

async function expectMerged(): Promise<void> {
  expect(await held()).toEqual([
    { id: 'key-1', held: ['a1', 'a2', 'a3', 'a4'] },
    { id: 'wiki-2', held: ['a4'] },
  ]);
  expect(await test.admin('SELECT id, resource_id AS room, resource_type_id AS type FROM entitlements WHERE id = $1', ['wiki-2'])).toEqual([
    { id: 'wiki-2', room: 'room-1', type: 'type-1' },
  ]);
  expect(await test.admin('SELECT id, entitlement_id AS entitlement, state FROM revocations ORDER BY id')).toEqual([
    { id: 'open', entitlement: 'key-1', state: 'IN_PROGRESS' },
    { id: 'over', entitlement: 'key-2', state: 'CANCELLED' },
  ]);
  expect(
    await test.admin(
      'SELECT entitlement_id AS id FROM template_entitlements UNION ALL SELECT resource_type_id FROM template_resource_types',
    ),
  ).toEqual([{ id: 'key-1' }, { id: 'type-1' }]);
  expect(await test.admin(`SELECT kind, target_id AS id FROM events WHERE kind LIKE '%.merged' ORDER BY kind`)).toEqual([
    { kind: 'entitlement.merged', id: 'key-1' },
    { kind: 'resource.merged', id: 'room-1' },
    { kind: 'resource_type.merged', id: 'type-1' },
  ]);
}

it('calls for the job that makes them one, and the next file adds nothing and ends nothing', async () => {
  await storeTwice();
  await migrate(test.database, silentLogger);
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
  await expect
    .poll(() => test.admin(`SELECT id FROM entitlements WHERE merged_into_id = 'key-1'`), { timeout: 60_000 })
    .toEqual([{ id: 'key-2' }]);
  await runner.drain();
  await expectMerged();
  expect(await sendFile(nfd)).toEqual(same);
  expect(await sendFile(nfc)).toEqual(same);
});

it('makes them one before a file that comes before the job', async () => {
  await storeTwice();
  await migrate(test.database, silentLogger);
  expect(await sendFile(nfd)).toEqual(same);
  await expectMerged();
});
