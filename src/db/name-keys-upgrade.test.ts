/** A database of the release before: names that are the same by their keys now, and that were not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_name_keys.sql');
});
afterAll(() => test.close());

it('keeps each apart, the one in use under its key, and makes keys of names anew where nothing else has them', async () => {
  const tenantId = 'one';
  const insert = (table: string, row: Record<string, unknown>): Promise<unknown> => {
    const columns = Object.keys(row);
    return test.admin(
      `INSERT INTO ${table} (tenant_id, ${columns.join(', ')}, created_at, updated_at) VALUES ($1, ${columns.map((_, at) => `$${at + 2}`).join(', ')}, now(), now())`,
      [tenantId, ...Object.values(row)],
    );
  };
  const [nfc, nfd, spaced] = ['B\u00fcro', 'Bu\u0308ro', 'B\u00fcro '];
  await insert('apps', { id: 'app', display_name: 'My  App', name_key: 'my  app' });
  await insert('apps', { id: 'one', display_name: 'A B', name_key: 'a b' });
  await insert('apps', { id: 'two', display_name: 'A\u00a0B', name_key: 'a\u00a0b' });
  await insert('resource_types', { app_id: 'app', id: 't', external_id: 'role', display_name: 'role' });
  await insert('resources', { app_id: 'app', id: 'r1', resource_type_id: 't', external_id: nfc, display_name: nfc });
  await insert('resources', { app_id: 'app', id: 'r2', resource_type_id: 't', external_id: spaced, display_name: spaced });
  for (const [id, external, held] of [
    ['e1', nfc, 0],
    ['e2', nfd, 3],
    ['e3', spaced, 0],
    ['e4', 'Gate', 1],
  ] as const) {
    await insert('entitlements', {
      app_id: 'app',
      id,
      resource_type_id: 't',
      resource_id: 'r2',
      external_id: external,
      display_name: external,
      grant_count: held,
    });
  }
  for (const [id, external, status] of [
    ['a1', nfc, 'DELETED'],
    ['a2', nfd, 'ENABLED'],
    ['a3', 'tom', 'ENABLED'],
  ] as const) {
    await insert('accounts', { app_id: 'app', id, external_id: external, status });
  }
  for (const [id, name] of [
    ['u1', 'jo hn'],
    ['u2', 'an n'],
    ['u3', 'ann'],
  ] as const) {
    await insert('scim_resources', { source_id: 's', id, kind: 'USER', name_key: name, document: '{}' });
  }

  await migrate(test.database, silentLogger);
  const keys = async (table: string, column = 'external_key'): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      (await test.admin(`SELECT id, ${column} AS key FROM ${table} WHERE tenant_id = $1`, [tenantId])).map(({ id, key }) => [id, key]),
    );
  expect(await keys('entitlements')).toEqual({ e1: `${nfc}\u001f1`, e2: nfc, e3: `${nfc}\u001f2`, e4: 'Gate' });
  expect(await keys('resources')).toEqual({ r1: `${nfc}\u001f1`, r2: nfc });
  expect(await keys('accounts')).toEqual({ a1: `${nfc}\u001f1`, a2: nfc, a3: 'tom' });
  expect(await keys('apps', 'name_key')).toMatchObject({ app: 'My App', one: 'a b', two: 'a\u00a0b' });
  expect(await keys('scim_resources', 'name_key')).toEqual({ u1: 'john', u2: 'an n', u3: 'ann' });
});
