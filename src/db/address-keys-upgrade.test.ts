/** A database of the release before: addresses, user names and employee ids whose keys were no more than lower case. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_address_keys.sql');
});
afterAll(() => test.close());

it('makes them anew, keeps two people two, and the words of acts', async () => {
  const now = new Date(Date.UTC(2026, 5, 1));
  for (const [id, email, username, employeeId] of [
    ['p1', 'jo\u0308rg@x.example', 'JO\u0308RG', '4 2'],
    ['p2', 'an\u200bn@x.example', 'an n', '0042'],
    ['p3', 'ann@x.example', 'ann', '7'],
    ['p4', 'zo\u00eb@x.example', 'ZO\u00cb', '8'],
  ] as const) {
    await test.admin(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, username, employee_id, created_at, updated_at)
       VALUES ('one', $1, $2, lower($2), $1, $3, $4, $5, $5)`,
      [id, email, username, employeeId, now],
    );
    await test.admin(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, email, username, employee_id, created_at, updated_at)
       VALUES ('one', 'app', $1, $1, $2, $3, $4, $5, $5)`,
      [id, email, username, employeeId, now],
    );
    await test.admin(
      `INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, username, employee_id, first_seen_at, changed_at)
       VALUES ('one', $1, 'hr', 'EMPLOYEE_ID', $4, $1, $2, lower($2), $3, $4, $5, $5)`,
      [id, email, username, employeeId, now],
    );
  }
  await test.admin(
    `INSERT INTO former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
     VALUES ('one', 'p3', $1, 'Ann', 'b\u00ade@x.example', 'b\u00ade@x.example', '7')`,
    [now],
  );
  await migrate(test.database, silentLogger);

  const read = (columns: string, table: string): Promise<Record<string, unknown>[]> =>
    test.admin(`SELECT ${columns} FROM ${table} WHERE tenant_id = 'one' ORDER BY 1, 2`);
  expect(await read('id, email_key, username_key, employee_id', 'users')).toEqual([
    { id: 'p1', email_key: 'j\u00f6rg@x.example', username_key: 'j\u00f6rg', employee_id: '42' },
    { id: 'p2', email_key: 'an\u200bn@x.example', username_key: 'ann', employee_id: '0042' },
    { id: 'p3', email_key: 'ann@x.example', username_key: 'ann', employee_id: '7' },
    { id: 'p4', email_key: 'zo\u00eb@x.example', username_key: 'zo\u00eb', employee_id: '8' },
  ]);
  expect(await read('id, email_key, username_key, employee_id', 'accounts')).toEqual([
    { id: 'p1', email_key: 'j\u00f6rg@x.example', username_key: 'j\u00f6rg', employee_id: '42' },
    { id: 'p2', email_key: 'ann@x.example', username_key: 'ann', employee_id: '0042' },
    { id: 'p3', email_key: 'ann@x.example', username_key: 'ann', employee_id: '7' },
    { id: 'p4', email_key: 'zo\u00eb@x.example', username_key: 'zo\u00eb', employee_id: '8' },
  ]);
  expect(await read('id, anchor, email_key, employee_id', 'person_records')).toMatchObject([
    { id: 'p1', anchor: '42', email_key: 'j\u00f6rg@x.example', employee_id: '42' },
    { id: 'p2', anchor: '0042', email_key: 'ann@x.example' },
    { id: 'p3', anchor: '7' },
    { id: 'p4', anchor: '8' },
  ]);
  expect(await read('user_id, valid_until, email_key, employee_id', 'former_words')).toMatchObject([
    { user_id: 'p1', employee_id: '4 2' },
    { user_id: 'p3', email_key: 'be@x.example' },
  ]);
  // The act of a moment before the upgrade keeps the words it had.
  expect(await test.admin(`SELECT employee_id FROM countersign.person_words('one', 'p1', $1)`, [now])).toEqual([{ employee_id: '4 2' }]);
});
